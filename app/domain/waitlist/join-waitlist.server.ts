import type { App } from "#app/context.ts";
import type { Account } from "#app/domain/accounts/rules.ts";
import { type EmailAddress, parseEmailAddress } from "#app/domain/kernel/email-address.ts";
import { done, type Result } from "#app/domain/kernel/result.ts";
import { gateWord } from "#app/domain/product/rules.ts";
import { draftEntry, mailLink, type MailPowers, type NetworkRefusal } from "./mail-link.server.ts";
import { entryToken, openGate, type ShutReason, whoAsks } from "./rules.ts";
import { findEntryByAddress, findReferrer, readEntry, saveEntry } from "./store.server.ts";

/** A visitor joins with an address: nothing stands in line before the mail's link is confirmed. */
export async function joinWaitlist(
  app: MailPowers & Pick<App, "gate">,
  wish: { address: EmailAddress; ref: string | null; ip: string },
): Promise<Result<null, ShutReason | NetworkRefusal>> {
  const gate = openGate(gateWord(app.gate), app.product.waitlist, "visitor");
  return gate.ok ? mailLink(app, { ...wish, gate: gate.value }) : gate;
}

/** Somebody signed in joins with one click: the address is proven, so the entry waits at once and no mail is needed. */
export async function joinSignedIn(
  app: Pick<App, "db" | "clock" | "random" | "pepper" | "product" | "gate">,
  account: Pick<Account, "email" | "state">,
  ref: string | null,
): Promise<Result<{ entryToken: string }, ShutReason>> {
  const { db } = app;
  const gate = openGate(gateWord(app.gate), app.product.waitlist, whoAsks(account));
  if (!gate.ok) return gate;
  const now = app.clock();
  const address = parseEmailAddress(account.email);
  if (!address) throw new Error("A stored address does not parse");
  const [known, referrers] = await db.batch([
    findEntryByAddress(db, gate.value, address.canonical),
    findReferrer(db, gate.value, ref ?? ""),
  ]);
  const before = known[0] ? readEntry(known[0]) : null;
  const draft = await draftEntry(app, { gate: gate.value, address }, before, referrers[0]);
  const [, [row]] = await db.batch([
    saveEntry(db, { ...draft, state: "waiting", confirmedAt: now }, now),
    findEntryByAddress(db, gate.value, address.canonical),
  ]);
  if (!row) throw new Error("An entry was saved but isn't there");
  return done({ entryToken: await entryToken(app.pepper, row.id) });
}
