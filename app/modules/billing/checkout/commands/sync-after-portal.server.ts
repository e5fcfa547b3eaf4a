import type { AccountId } from "#app/core/id.ts";
import type { Deps } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { type SharedSync, shareSync } from "#app/modules/billing/sync/commands/share-sync.server.ts";
import { consumeProviderCall } from "./consume-provider-call.server.ts";

/**
 * Syncs for a customer who returns from Stripe's billing portal, so that the page shows the card they chose before its webhook arrives. If
 * that webhook's sync is running, this waits for it. `isAnswered` is false if Stripe doesn't answer or the account's quota of calls is used
 * up. `pendingSubject` is the subject whose events are handled after the response.
 */
export async function syncAfterPortal(
  app: Deps,
  accountId: AccountId,
): Promise<{ isAnswered: boolean; pendingSubject: SharedSync["pendingSubject"] }> {
  const quota = await consumeProviderCall(app, accountId, "payment-page");
  if (!quota.ok) return { isAnswered: false, pendingSubject: null };
  const synced = await shareSync(app, accountId, async () => true);
  if (synced.ok) return { isAnswered: true, pendingSubject: synced.value.pendingSubject };
  return { isAnswered: synced.refusal.reason === "no-customer", pendingSubject: null };
}
