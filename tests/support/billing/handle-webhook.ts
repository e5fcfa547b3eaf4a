import { done } from "#app/core/result.ts";
import { acceptEvent, handlePending } from "#app/modules/billing/sync/commands/handle-events.server.ts";

/** As the route of Stripe's webhooks, without what follows from a payment in other modules. */
export async function handleWebhook(app: Parameters<typeof acceptEvent>[0], body: string, signature: string) {
  const accepted = await acceptEvent(app, body, signature);
  if (!accepted.ok) return accepted;
  return accepted.value === null ? done({ accountId: null }) : handlePending(app, accepted.value);
}
