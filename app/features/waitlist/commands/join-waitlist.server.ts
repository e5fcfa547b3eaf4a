import { invariant } from "#app/core/invariant.ts";
import { readLinkCode } from "#app/core/link-code.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { type EmailAddress, parseStoredAddress } from "#app/core/text/email-address.ts";
import { done, type Result } from "#app/core/result.ts";
import type { Proof } from "#app/core/challenge.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { confirmAll } from "../confirming.queries.server.ts";
import { draftEntry, emailLink, type EmailLinkDeps, type NetworkRefusal } from "./email-link.server.ts";
import { type Referrers, entryToken, networkHash, checkGate, type JoinRefusal, joinerOf } from "../rules.ts";
import { changeToReachable, findEntryByAddress, addOrRestartEntry } from "../queries.server.ts";

/** `touch`: the referral link that the browser has stored. */
type JoinInput = { ref: string | null; touch?: Referrers["touch"] };

/** A visitor joins with an address; the entry waits once the emailed link is confirmed. */
export async function joinWaitlist(
  app: EmailLinkDeps & Pick<App, "gate">,
  { address, ref, touch = null, ip, proof = "off" }: JoinInput & { address: EmailAddress; ip: string; proof?: Proof },
): Promise<Result<null, JoinRefusal | NetworkRefusal>> {
  const gate = checkGate(gateWord(app.gate), app.product.waitlist, "visitor");
  if (!gate.ok) return gate;
  const referrers = { ref: readLinkCode(ref), touch };
  const sent = await emailLink(app, { address, referrers, ip, proof, gate: gate.value });
  // Whether an email was sent would tell a stranger about the address.
  return sent.ok ? done(null) : sent;
}

/** A signed-in user joins with one click: the address is proven, so the entry is confirmed immediately and no email is needed. */
export async function joinSignedIn(
  app: Base & Site & Secrets,
  account: Pick<Account, "email" | "state">,
  ref: string | null,
  ip: string | null = null,
): Promise<Result<{ entryToken: string }, JoinRefusal>> {
  const { db } = app;
  const gate = checkGate(gateWord(app.gate), app.product.waitlist, joinerOf(account));
  if (!gate.ok) return gate;
  const now = app.clock();
  const address = parseStoredAddress(account.email);
  const [known] = await findEntryByAddress(db, gate.value, address.canonical);
  const draft = await draftEntry(app, { gate: gate.value, address }, known ?? null, true);
  const { confirmHash } = draft;
  const referrers = { ref: readLinkCode(ref), touch: null };
  const network = await networkHash(app.pepper, ip);
  const {
    entry: [row],
  } = await batchNamed(db, {
    saved: addOrRestartEntry(db, draft, now),
    confirmed: confirmAll(db, { confirmHash, referrers, networkHash: network, now }),
    reachable: changeToReachable(db, address.canonical, "proof"),
    entry: findEntryByAddress(db, gate.value, address.canonical),
  });
  invariant(row, "An entry was saved but isn't there");
  return done({ entryToken: await entryToken(app.pepper, row.id) });
}
