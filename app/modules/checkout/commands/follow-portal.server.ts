import type { Powers } from "#app/modules/billing-sync/commands/reconcile-orders.server.ts";
import { type Shared, shareSync } from "#app/modules/billing-sync/commands/share-sync.server.ts";
import { takeProviderCall } from "./take-provider-call.server.ts";

/**
 * Syncs with Stripe for a customer who comes back from the billing portal, so that the page shows the card that they chose, also before its event
 * arrives. Where the event's own sync is under way, that one is waited for. `isAnswered` is false if Stripe doesn't answer, or isn't asked since this
 * account had it asked often; `rest`: whose events are to be handled after the page's answer.
 */
export async function followPortal(
  app: Powers,
  accountId: string,
): Promise<{ isAnswered: boolean; rest: Shared["rest"] }> {
  const quota = await takeProviderCall(app, accountId, "payment-page");
  if (!quota.ok) return { isAnswered: false, rest: null };
  const synced = await shareSync(app, accountId, async () => true);
  if (synced.ok) return { isAnswered: true, rest: synced.value.rest };
  return { isAnswered: synced.refusal.reason === "no-customer", rest: null };
}
