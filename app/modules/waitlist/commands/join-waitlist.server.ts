import { invariant } from "#app/core/invariant.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { type EmailAddress, parseStoredAddress } from "#app/core/text/email-address.ts";
import { done, type Result } from "#app/core/result.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { confirmAll } from "../confirming.queries.server.ts";
import { draftEntry, emailLink, type EmailLinkDeps, type NetworkRefusal } from "./email-link.server.ts";
import {
  type Referrers,
  entryToken,
  networkHash,
  openGate,
  readShareCode,
  type ShutReason,
  whoAsks,
} from "../rules.ts";
import { findEntryByAddress, saveEntry } from "../queries.server.ts";

/** `touch`: the referral link that the browser has stored. */
type Asked = { ref: string | null; touch?: Referrers["touch"] };

/** A visitor joins with an address; the entry waits once the emailed link is confirmed. */
export async function joinWaitlist(
  app: EmailLinkDeps & Pick<App, "gate">,
  { address, ref, touch = null, ip }: Asked & { address: EmailAddress; ip: string },
): Promise<Result<null, ShutReason | NetworkRefusal>> {
  const gate = openGate(gateWord(app.gate), app.product.waitlist, "visitor");
  if (!gate.ok) return gate;
  return emailLink(app, { address, brought: { ref: readShareCode(ref), touch }, ip, gate: gate.value });
}

/** A signed-in user joins with one click: the address is proven, so the entry waits at once and no email is needed. */
export async function joinSignedIn(
  app: Base & Site & Secrets,
  account: Pick<Account, "email" | "state">,
  ref: string | null,
  ip: string | null = null,
): Promise<Result<{ entryToken: string }, ShutReason>> {
  const { db } = app;
  const gate = openGate(gateWord(app.gate), app.product.waitlist, whoAsks(account));
  if (!gate.ok) return gate;
  const now = app.clock();
  const address = parseStoredAddress(account.email);
  const [known] = await findEntryByAddress(db, gate.value, address.canonical);
  const draft = await draftEntry(app, { gate: gate.value, address }, known ?? null, true);
  const { confirmHash } = draft;
  const brought = { ref: readShareCode(ref), touch: null };
  const network = await networkHash(app.pepper, ip);
  const {
    entry: [row],
  } = await batchNamed(db, {
    saved: saveEntry(db, draft, now),
    confirmed: confirmAll(db, { confirmHash, brought, networkHash: network, now }),
    entry: findEntryByAddress(db, gate.value, address.canonical),
  });
  invariant(row, "An entry was saved but isn't there");
  return done({ entryToken: await entryToken(app.pepper, row.id) });
}
