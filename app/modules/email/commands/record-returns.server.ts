import type { App } from "#app/app.ts";
import { canonicalAddress } from "#app/core/text/email-address.ts";
import { changeToReturned, changeToUnreachable, isOurs } from "../returned-emails.queries.server.ts";

type Returned = { kind: "bounced" | "complained"; serviceId: string; address: string };

/**
 * Records that emails came back: on their rows, for the page that waits for one and for operators, at the account that has the address,
 * whose optional emails are switched off, and at its waitlist entries. An email that we didn't send leaves no trace.
 */
export async function recordReturns({ db, clock }: Pick<App, "db" | "clock">, returns: Returned[]): Promise<void> {
  for (const { kind, serviceId, address } of returns) {
    await db.batch([
      changeToReturned(db, serviceId, kind, clock()),
      ...changeToUnreachable(db, canonicalAddress(address), kind, isOurs(serviceId)),
    ]);
  }
}
