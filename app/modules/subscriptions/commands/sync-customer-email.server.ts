import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { App, Billing } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";

/**
 * Keeps the account's address at Stripe, whose emails go there. Every sync compares the two, so that a change that didn't reach Stripe is
 * repeated. The rest of the sync doesn't depend on it.
 */
export async function syncCustomerEmail(
  app: Pick<App, "report">,
  payments: NonNullable<App["payments"]>,
  { customerId, account }: { customerId: CustomerId; account: Account },
  billing: Billing,
): Promise<void> {
  if (billing.email === null || billing.email === account.email || account.state === "erased") return;
  const answer = await payments.changeEmail(customerId, account.email);
  if (answer.ok || answer.refusal.reason === "provider-unreachable") return;
  app.report(new Error(`Stripe refused an account's address: ${answer.refusal.code}`));
}
