import { done, type Result } from "#app/core/result.ts";
import { findCustomer } from "#app/modules/subscriptions/queries.server.ts";
import { sharedSyncLookMs, sharedSyncWaitMs } from "#app/modules/stripe-events/inbox.rules.ts";
import {
  findHeldEvent,
  settleEvents,
  type Subject,
  takeEvents,
} from "#app/modules/stripe-events/inbox.queries.server.ts";
import { type Powers, reconcileOrders, type ReconcileRefusal } from "./reconcile-orders.server.ts";

export type Shared = { own: boolean; rest: Subject | null };

/**
 * The sync of a page whose person has just come back from paying, while events of that payment arrive: whoever is first does it for
 * both. The page takes the events that wait along; where an event's sync runs already, `shareSync` waits for that one instead.
 * `own: false`: it has ended, and our rows say what it found. `rest`: whose events may have come meanwhile, to be handled after the answer.
 */
export async function shareSync(
  app: Powers,
  accountId: string,
  isSettled: () => Promise<boolean>,
): Promise<Result<Shared, ReconcileRefusal>> {
  const [customer] = await findCustomer(app.db, accountId);
  const subject = customer ? { customerId: customer.providerId, paymentId: null } : null;
  if (subject && (await hasWaited(app, subject)) && (await isSettled())) return done({ own: false, rest: null });
  const taken = subject ? await takeEvents(app.db, subject, 0, app.clock()) : [];
  const ids = taken.map(({ id }) => id);
  const settled = await reconcileOrders(app, accountId).catch(async (error: unknown) => {
    await settleEvents(app.db, ids, "failed", app.clock());
    throw error;
  });
  if (ids.length > 0) await settleEvents(app.db, ids, settled.ok ? "handled" : "failed", app.clock());
  // Whoever brought an event that came meanwhile found the others in our hand, and left it.
  return settled.ok ? done({ own: true, rest: ids.length > 0 ? subject : null }) : settled;
}

/** Waits until nobody handles events about a customer any more, for a while. False: nobody did. */
async function hasWaited(
  { db, clock, pause }: Powers,
  { customerId }: Subject & { customerId: string },
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < sharedSyncWaitMs; waitedMs += sharedSyncLookMs) {
    const [held] = await findHeldEvent(db, { customerId }, clock());
    if (!held) return waitedMs > 0;
    await pause(sharedSyncLookMs);
  }
  return true;
}
