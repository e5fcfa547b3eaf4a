import type { App, Billing } from "#app/app.ts";

/**
 * A subscription schedule keeps the card that was the default when it was created and charges it from the next phase on. So each sync sets
 * it to the current card, which may have been changed in the billing portal.
 */
export async function syncScheduleCards(
  app: Pick<App, "report">,
  payments: NonNullable<App["payments"]>,
  { scheduleCards, subscriptions }: Pick<Billing, "scheduleCards" | "subscriptions">,
): Promise<void> {
  for (const { scheduleId, subscriptionId, methodId } of scheduleCards) {
    const charged = subscriptions.find(({ id }) => id === subscriptionId)?.methodId ?? null;
    if (methodId === null || charged === null || methodId === charged) continue;
    const answer = await payments.changeScheduleCard(scheduleId, charged);
    // Without an answer the next sync repeats it.
    if (answer.ok || answer.refusal.reason === "provider-unreachable") continue;
    app.report(new Error(`Stripe refused a new card for a scheduled change: ${answer.refusal.code}`));
  }
}
