import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/digest.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { refused, type Result } from "#app/core/result.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { mailLink, type MailPowers, type NetworkRefusal } from "./mail-link.server.ts";
import { broughtByNobody, judgeJoin, openGate, readLink, type ShutReason } from "../rules.ts";
import { findEntry, findEntryByConfirmation, readEntry } from "../queries.server.ts";

/** Which link somebody holds: the one that confirms, or the one to the entry's own page. */
export type HeldLink = { kind: "confirm" | "entry"; token: string };

export type ResendRefusal = { reason: "link-unknown" } | ShutReason | NetworkRefusal;

/**
 * Mails the link that suits once more, to the address of the entry whose link is held, never to another. A link that ran
 * out begins anew, and that takes what joining takes.
 */
export async function resendLink(
  app: MailPowers & Pick<App, "gate">,
  held: HeldLink,
  ip: string,
): Promise<Result<null, ResendRefusal>> {
  const { token, brought } = held.kind === "confirm" ? readLink(held.token) : { ...held, brought: broughtByNobody };
  const hash = await hashToken(token);
  const [row] = await (held.kind === "confirm" ? findEntryByConfirmation(app.db, hash) : findEntry(app.db, hash));
  const address = row && parseEmailAddress(row.email);
  if (!row || !address) return refused({ reason: "link-unknown" });
  if (judgeJoin(readEntry(row), app.clock()) === "begin") {
    // Another gate's line takes no new entries, whatever the gate in force says.
    const gate = openGate(gateWord(app.gate) === row.gate ? row.gate : null, app.product.waitlist, "visitor");
    if (!gate.ok) return gate;
  }
  return mailLink(app, { gate: row.gate, address, brought, ip });
}
