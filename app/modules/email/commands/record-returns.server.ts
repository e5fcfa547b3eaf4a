import type { App } from "#app/app.ts";
import { canonicalAddress } from "#app/core/text/email-address.ts";
import { changeToReturned, isOurs, statementsOnReturn } from "../returned-emails.queries.server.ts";

type Returned = { kind: "bounced" | "complained"; serviceId: string; address: string };

/**
 * Records that emails came back: on their rows, for the page that waits for one and for operators, and with whatever has the address. An
 * email that we didn't send leaves no trace.
 */
export async function recordReturns(app: Pick<App, "db" | "clock" | "hooks">, returns: Returned[]): Promise<void> {
  const { db, clock } = app;
  for (const { kind, serviceId, address } of returns) {
    await db.batch([
      changeToReturned(db, serviceId, kind, clock()),
      ...statementsOnReturn(app, { address: canonicalAddress(address), kind, guard: isOurs(serviceId) }),
    ]);
  }
}
