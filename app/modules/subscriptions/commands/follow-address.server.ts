import type { App, Billing } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";

/**
 * The provider's mails go to the address that the account has. Asked in every sync, so that a change that the provider didn't hear
 * of is told to it by the next one; nothing else of a sync depends on it.
 */
export async function followAddress(
  app: Pick<App, "report">,
  payments: NonNullable<App["payments"]>,
  { customerId, account }: { customerId: string; account: Account },
  billing: Billing,
): Promise<void> {
  if (billing.email === null || billing.email === account.email || account.state === "gone") return;
  const told = await payments.changeEmail(customerId, account.email);
  if (told.ok || told.refusal.reason === "provider-unreachable") return;
  app.report(new Error(`The provider refused an account's address: ${told.refusal.code}`));
}
