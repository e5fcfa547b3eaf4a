import type { App } from "#app/app.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { changeEntriesToReturned, changeToReturned, switchOffOptional } from "../returned-emails.queries.server.ts";

type Returned = { kind: "bounced" | "complained"; serviceId: string; address: string };

/**
 * Records that emails came back: on their rows, for the page that waits for one and for operators, at the account that has the address,
 * whose optional emails are switched off, and at its waitlist entries. An email that we didn't send leaves no trace.
 */
export async function recordReturns({ db, clock }: Pick<App, "db" | "clock">, returns: Returned[]): Promise<void> {
  for (const { kind, serviceId, address } of returns) {
    const canonical = parseEmailAddress(address)?.canonical ?? address;
    await db.batch([
      changeToReturned(db, serviceId, kind, clock()),
      switchOffOptional(db, serviceId, canonical),
      changeEntriesToReturned(db, serviceId, canonical, kind),
    ]);
  }
}
