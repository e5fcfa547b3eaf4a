import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { refused, type Result } from "#app/core/result.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { emailLink, type EmailLinkDeps, type NetworkRefusal } from "./email-link.server.ts";
import { noReferrers, joinVerdict, checkGate, readLink, type JoinRefusal } from "../rules.ts";
import { findEntry, findEntryByConfirmation } from "../queries.server.ts";

/** The user's link: to confirm, or to the entry's page. */
export type HeldLink = { kind: "confirm" | "entry"; token: string };

type ResendLinkRefusal = { reason: "link-unknown" } | JoinRefusal | NetworkRefusal;

/**
 * Emails the link that fits again, to the address of the entry whose link was opened. An expired link starts again, under the same limits
 * as joining. `isSent` is false if a quota of emails to the address is used up. Only the holder of an entry's link may learn that.
 */
export async function resendLink(
  app: EmailLinkDeps & Pick<App, "gate">,
  held: HeldLink,
  ip: string,
): Promise<Result<{ isSent: boolean }, ResendLinkRefusal>> {
  const { token, referrers } = held.kind === "confirm" ? readLink(held.token) : { ...held, referrers: noReferrers };
  const hash = await hashToken(token);
  const [row] = await (held.kind === "confirm" ? findEntryByConfirmation(app.db, hash) : findEntry(app.db, hash));
  const address = row && parseEmailAddress(row.email);
  if (!row || !address) return refused({ reason: "link-unknown" });
  if (joinVerdict(row, app.clock()) === "begin") {
    // The queue of another gate is closed to new entries.
    const gate = checkGate(gateWord(app.gate) === row.gate ? row.gate : null, app.product.waitlist, "visitor");
    if (!gate.ok) return gate;
  }
  // Only the holder of the emailed link can ask, and its email goes to one address.
  return emailLink(app, { gate: row.gate, address, referrers, ip, proof: "off" });
}
