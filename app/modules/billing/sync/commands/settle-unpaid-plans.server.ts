import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { decideUnpaidPlans, type UnpaidVerdict } from "../unpaid-plans.rules.ts";

type Payments = NonNullable<App["payments"]>;

/**
 * An unpaid plan lasts until its period ends (docs/decisions/unpaid-renewals.md). Whatever is interrupted, the next sync completes, except for a payment that
 * had no answer: Stripe then collects the finalized invoice by its own schedule. True: what was fetched is outdated.
 */
export async function settleUnpaidPlans(
  app: Pick<App, "clock" | "report"> & { payments: Payments },
  billing: Billing,
): Promise<Result<boolean, ProviderFailure>> {
  const verdicts = decideUnpaidPlans(billing, app.clock());
  for (const verdict of verdicts) {
    const settled = await settle(app, verdict);
    if (!settled.ok) return settled;
  }
  return done(verdicts.length > 0);
}

async function settle(
  { payments, report }: Parameters<typeof settleUnpaidPlans>[0],
  verdict: UnpaidVerdict,
): Promise<Result<unknown, ProviderFailure>> {
  if (verdict.kind === "ends") return payments.endUnpaid(verdict.subscriptionId, "payment-failed");
  if (verdict.kind === "void") return payments.voidInvoice(verdict.invoiceId);
  if (verdict.kind === "resumes") {
    const resumed = await payments.resumeSubscription(verdict.subscriptionId);
    if (resumed.ok || resumed.refusal.reason === "provider-unreachable") return resumed;
    // Stripe resumes it itself where the dashboard says so. Anything else needs the team, and the rest of the sync doesn't.
    report(new Error(`The paused ${verdict.subscriptionId} is paid and wasn't resumed: ${resumed.refusal.code}`));
    return done(null);
  }
  const finalized = await payments.finalizeInvoice(verdict.invoiceId);
  // A decline shows on the invoice when it is fetched next.
  if (finalized.ok) await payments.payInvoice(verdict.invoiceId, "renewal");
  return finalized;
}
