import type { App, Billing } from "#app/app.ts";
import { takeUses } from "#app/modules/codes/uses.queries.server.ts";
import { type NewCardRetry, retriesWithNewCard, retryQuotas } from "../retries.rules.ts";

type Powers = Pick<App, "db" | "clock" | "pepper"> & { payments: NonNullable<App["payments"]> };

/**
 * A new card pays what is owed: an open renewal is collected at once with it. True: something was tried, so that what was fetched
 * is out of date. Syncs that see the same change make one attempt, by a row of `budget_uses` and by the provider's idempotency key.
 */
export async function retryWithNewCard(app: Powers, accountId: string, billing: Billing): Promise<boolean> {
  let hasTried = false;
  for (const retry of retriesWithNewCard(billing)) {
    if (!(await claim(app, accountId, retry))) continue;
    // A decline is what the next answer says of the invoice. Without an answer, the button and the provider's schedule remain.
    await app.payments.payInvoice(retry.invoiceId, retry.methodId);
    hasTried = true;
  }
  return hasTried;
}

async function claim({ db, clock, pepper }: Powers, accountId: string, retry: NewCardRetry): Promise<boolean> {
  const { newCard } = await retryQuotas(pepper, accountId);
  const id = `retry_${retry.invoiceId}_${retry.methodId}`;
  const [take] = takeUses(db, { id, now: clock(), quotas: [newCard] });
  return (await take).meta.changes === 1;
}
