import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { App, Billing } from "#app/app.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { stripeInvoiceMessages } from "../stripe-invoice.messages.ts";

/**
 * Keeps the account's address at Stripe, whose emails go there, and the foot of Stripe's own invoices, which a customer of the dashboard
 * lacks. Every sync compares them, so that a change that didn't reach Stripe is repeated. The rest of the sync doesn't depend on it.
 */
export async function syncCustomerDetails(
  app: Pick<App, "product" | "origin" | "report">,
  payments: NonNullable<App["payments"]>,
  { customerId, account }: { customerId: CustomerId; account: Account },
  billing: Billing,
): Promise<void> {
  if (billing.email === null || account.state === "erased") return;
  const details = { email: account.email, invoiceFooter: stripeInvoiceFooter(app) };
  if (billing.email === details.email && billing.invoiceFooter === details.invoiceFooter) return;
  const answer = await payments.changeDetails(customerId, details);
  if (answer.ok || answer.refusal.reason === "provider-unreachable") return;
  app.report(new Error(`Stripe refused an account's address: ${answer.refusal.code}`));
}

export function stripeInvoiceFooter({ product, origin }: Pick<App, "product" | "origin">): string {
  return stripeInvoiceMessages.en.footer(product.name, origin + pagePaths.orders);
}
