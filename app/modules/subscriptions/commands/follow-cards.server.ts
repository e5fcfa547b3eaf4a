import type { App, Billing } from "#app/app.ts";

/**
 * A schedule that plans a change keeps the card that the plan had when it was made, and charges that one from the next phase on. So
 * each sync brings it to the card that is charged now: customer, subscription and schedule agree, whatever was chosen in the portal.
 */
export async function followCards(
  app: Pick<App, "report">,
  payments: NonNullable<App["payments"]>,
  { scheduleCards, subscriptions }: Pick<Billing, "scheduleCards" | "subscriptions">,
): Promise<void> {
  for (const { scheduleId, subscriptionId, methodId } of scheduleCards) {
    const charged = subscriptions.find(({ id }) => id === subscriptionId)?.methodId ?? null;
    if (methodId === null || charged === null || methodId === charged) continue;
    const told = await payments.changeScheduleCard(scheduleId, charged);
    // Without an answer the next sync tells it.
    if (told.ok || told.refusal.reason === "provider-unreachable") continue;
    app.report(new Error(`The provider refused a new card for a planned change: ${told.refusal.code}`));
  }
}
