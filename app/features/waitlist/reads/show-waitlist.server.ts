import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, Secrets, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { hashToken } from "#app/core/hash.ts";
import { maskEmailAddress, parseEmailAddress } from "#app/core/text/email-address.ts";
import { gateWord, gateName } from "#app/modules/catalogue/gate.rules.ts";
import {
  entryToken,
  joinVerdict,
  linkVerdict,
  type LinkVerdict,
  checkGate,
  readLink,
  type JoinRefusal,
  joinerOf,
} from "../rules.ts";
import { type ShownEntry, showEntry } from "./show-entry.server.ts";
import { findEntryByAddress, findEntryByConfirmation, findReferrer } from "../queries.server.ts";

/** What the page shows, by its URL: an entry's token, an emailed link, an email just requested, or nothing. */
export type ShownWaitlist =
  | ShownQueue
  | { kind: "sent"; sender: string; address: string | null }
  | ({ kind: "confirm" } & ShownConfirmation)
  | ({ kind: "entry" } & ShownEntry)
  | { kind: "link-unknown" };

type WaitlistQuery = { entry?: string; confirm?: string; sent?: string; ref?: string };

export async function showWaitlist(
  app: Base & Site & Secrets & Outbox,
  query: WaitlistQuery,
  account: Pick<Account, "email" | "state"> | null,
  /** The address that this browser has just entered. */
  justJoined: string | null = null,
): Promise<ShownWaitlist> {
  if (query.entry !== undefined) {
    const entry = await showEntry(app, query.entry);
    return entry ? { kind: "entry", ...entry } : { kind: "link-unknown" };
  }
  if (query.confirm !== undefined) {
    const confirmation = await showConfirmation(app, query.confirm);
    return confirmation ? { kind: "confirm", ...confirmation } : { kind: "link-unknown" };
  }
  if (query.sent !== undefined) return { kind: "sent", sender: app.emailSender, address: justJoined };
  return showQueue(app, account, query.ref ?? null);
}

/** The page without an entry: the form, why there is none, or the viewer's existing entry. */
type ShownQueue =
  | { kind: "join"; what: string; byFriend: boolean; account: string | null }
  | { kind: "shut"; reason: JoinRefusal["reason"]; what: string }
  | { kind: "own"; entryToken: string };

async function showQueue(
  app: Base & Site & Secrets,
  account: Pick<Account, "email" | "state"> | null,
  ref: string | null,
): Promise<ShownQueue> {
  const gate = gateWord(app.gate);
  const open = checkGate(gate, app.product.waitlist, joinerOf(account));
  const what = gateName(app.product, gate ?? "");
  if (gate === null || (!open.ok && !account)) {
    return { kind: "shut", reason: open.ok ? "no-gate" : open.refusal.reason, what };
  }
  const address = account && parseEmailAddress(account.email);
  const { known, referrers } =
    address || ref
      ? await batchNamed(app.db, {
          known: findEntryByAddress(app.db, gate, address?.canonical ?? ""),
          referrers: findReferrer(app.db, gate, ref ?? ""),
        })
      : { known: [], referrers: [] };
  const entry = known[0] ?? null;
  // A waitlist that is full now still has its earlier entries.
  if (joinVerdict(entry, app.clock()) === "exists" && entry) {
    return { kind: "own", entryToken: await entryToken(app.pepper, entry.id) };
  }
  if (!open.ok) return { kind: "shut", reason: open.refusal.reason, what };
  return { kind: "join", what, byFriend: referrers.length > 0, account: account?.email ?? null };
}

type ShownConfirmation = { verdict: LinkVerdict; what: string; maskedAddress: string };

/** What the page of a confirmation link shows; null for an invalid link, or an entry that started again. */
async function showConfirmation(
  app: Pick<App, "db" | "clock" | "product">,
  token: string,
): Promise<ShownConfirmation | null> {
  const [row] = await findEntryByConfirmation(app.db, await hashToken(readLink(token).token));
  if (!row) return null;
  return {
    verdict: linkVerdict(row, app.clock()),
    what: gateName(app.product, row.gate),
    maskedAddress: maskEmailAddress(row.email),
  };
}
