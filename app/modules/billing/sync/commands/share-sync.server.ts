import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { done, type Result } from "#app/core/result.ts";
import { findCustomer } from "#app/modules/billing/subscriptions/queries.server.ts";
import { sharedSyncLookMs, sharedSyncWaitMs } from "../inbox.rules.ts";
import { findLeasedEvent, changeToFinished, type Subject, leaseEvents } from "../inbox.queries.server.ts";
import { failureOf, failureOfCall } from "./handle-events.server.ts";
import { type Deps, reconcileCustomer, type ReconcileRefusal } from "./reconcile-customer.server.ts";

export type SharedSync = { isOwnSync: boolean; pendingSubject: Subject | null };

/**
 * Syncs for a page to which the customer returns from paying, while webhooks of that payment arrive, so that one sync serves both. The
 * page's sync leases the pending events; if an event's sync is running, the page waits for that one. `isOwnSync` is false if it waited: the
 * other sync has finished, and our rows are up to date. `pendingSubject` is the subject whose newer events are handled after the response.
 */
export async function shareSync(
  app: Deps,
  accountId: AccountId,
  hasResult: () => Promise<boolean>,
): Promise<Result<SharedSync, ReconcileRefusal>> {
  const [customer] = await findCustomer(app.db, accountId);
  const subject = customer ? { customerId: customer.providerId, paymentId: null } : null;
  if (subject && (await hasWaited(app, subject)) && (await hasResult()))
    return done({ isOwnSync: false, pendingSubject: null });
  const taken = subject ? await leaseEvents(app.db, subject, 0, app.clock()) : [];
  const ids = taken.map(({ id }) => id);
  const reconciled = await reconcileCustomer(app, accountId).catch(async (error: unknown) => {
    await changeToFinished(app.db, ids, { state: "failed", failure: failureOf(error) }, app.clock());
    throw error;
  });
  const outcome = reconciled.ok
    ? { state: "handled" as const }
    : { state: "failed" as const, failure: failureOfCall(reconciled.refusal) };
  if (ids.length > 0) await changeToFinished(app.db, ids, outcome, app.clock());
  // Webhooks that arrived meanwhile found the events leased, and left theirs in the inbox.
  return reconciled.ok ? done({ isOwnSync: true, pendingSubject: ids.length > 0 ? subject : null }) : reconciled;
}

/** Waits, for a limited time, until no request handles the customer's events. Returns whether one did. */
async function hasWaited(
  { db, clock, pause }: Deps,
  { customerId }: Subject & { customerId: CustomerId },
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < sharedSyncWaitMs; waitedMs += sharedSyncLookMs) {
    const [held] = await findLeasedEvent(db, { customerId }, clock());
    if (!held) return waitedMs > 0;
    await pause(sharedSyncLookMs);
  }
  return true;
}
