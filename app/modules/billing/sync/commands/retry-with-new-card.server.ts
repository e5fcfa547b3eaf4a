import type { AccountId, Id } from "#app/core/id.ts";
import type { App, Billing } from "#app/app.ts";
import { consumeQuotas } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { type NewCardRetry, retriesWithNewCard, retryQuotas } from "../retries.rules.ts";

type Deps = Pick<App, "db" | "clock" | "pepper"> & { payments: NonNullable<App["payments"]> };

/**
 * Collects open renewals immediately with a new card. Returns whether an attempt was made, since what was fetched before is outdated then.
 * Of concurrent syncs one makes the attempt, by a row of `quota_uses` and Stripe's idempotency key.
 */
export async function retryWithNewCard(app: Deps, accountId: AccountId, billing: Billing): Promise<boolean> {
  let hasTried = false;
  for (const retry of retriesWithNewCard(billing)) {
    if (!(await consumeRetry(app, accountId, retry))) continue;
    // A decline shows on the invoice when it is fetched next. If Stripe doesn't answer, the customer's button and Stripe's own schedule
    // remain.
    await app.payments.payInvoice(retry.invoiceId, retry.methodId);
    hasTried = true;
  }
  return hasTried;
}

async function consumeRetry({ db, clock, pepper }: Deps, accountId: AccountId, retry: NewCardRetry): Promise<boolean> {
  const { newCard } = await retryQuotas(pepper, accountId);
  const id: Id<"retry"> = `retry_${retry.invoiceId}_${retry.methodId}`;
  const [take] = consumeQuotas(db, { id, now: clock(), quotas: [newCard] });
  return (await take).meta.changes === 1;
}
