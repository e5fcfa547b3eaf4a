import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/subscriptions/provider.rules.ts";
import { decideUnpaidPlans, type UnpaidVerdict } from "../unpaid-plans.rules.ts";

type Payments = NonNullable<App["payments"]>;

/**
 * An unpaid plan lasts until its period ends (docs/decisions/unpaid-renewals.md). Whatever is interrupted, the next sync completes, except for a payment that
 * had no answer: Stripe then collects the finalized invoice by its own schedule. True: what was fetched is outdated.
 */
export async function settleUnpaidPlans(
  payments: Payments,
  billing: Billing,
): Promise<Result<boolean, ProviderFailure>> {
  const verdicts = decideUnpaidPlans(billing);
  for (const verdict of verdicts) {
    const settled = await settle(payments, verdict);
    if (!settled.ok) return settled;
  }
  return done(verdicts.length > 0);
}

async function settle(payments: Payments, verdict: UnpaidVerdict): Promise<Result<unknown, ProviderFailure>> {
  if (verdict.kind === "ends") return payments.endUnpaid(verdict.subscriptionId);
  const finalized = await payments.finalizeInvoice(verdict.invoiceId);
  // A decline shows on the invoice when it is fetched next.
  if (finalized.ok) await payments.payInvoice(verdict.invoiceId, "renewal");
  return finalized;
}
