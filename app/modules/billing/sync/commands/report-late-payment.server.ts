import type { App, Billing } from "#app/app.ts";
import type { Undone } from "#app/modules/billing/withdrawals/contract.rules.ts";
import type { OrderMatch } from "./match-orders.server.ts";

/**
 * Reports a renewal paid after its plan had ended (docs/decisions/unpaid-renewals.md). If the contract was undone the money is refunded anyway; otherwise an
 * operator decides what the payment was for.
 */
export function reportLatePayment(
  app: Pick<App, "report">,
  { order, invoice }: OrderMatch,
  { subscriptions }: Billing,
  undone: Undone,
): void {
  const endedAt = subscriptions.find(({ id }) => id === invoice?.subscriptionId)?.endedAt ?? Infinity;
  const isLate = invoice?.billingReason === "renewal" && (invoice.paidAt ?? 0) > endedAt;
  if (!isLate || undone.ended.has(invoice.id)) return;
  app.report(
    new Error(`Order ${order.id} was paid after its plan had ended: an operator has to decide about its money`),
  );
}
