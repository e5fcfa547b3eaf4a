import type { OrderId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { contractWith } from "./show-order.server.ts";
import { offerWithdrawal, orderToRefund } from "#app/modules/billing/withdrawals/contract-offer.rules.ts";
import type { WithdrawalState } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { listContract } from "#app/modules/billing/withdrawals/contract.queries.server.ts";

/**
 * For operators: adds to each withdrawal how much it returns of which orders, in money and as credit, and the order to refund in full, after which the site refunds
 * the rest. These are null if there is nothing to refund.
 */
export async function addRefunds<
  Declared extends { orderId: OrderId | null; declaredAt: number; state: WithdrawalState },
>(app: Pick<App, "db" | "clock" | "product">, found: Declared[]) {
  const { db } = app;
  const meant = [...new Set(found.flatMap(({ orderId }) => orderId ?? []))];
  const { contracts } = await batchNamed(db, { contracts: meant.map((orderId) => listContract(db, orderId)) });
  return found.map((withdrawal) => {
    const { orderId, declaredAt: at } = withdrawal;
    const rows = orderId === null ? [] : (contracts[meant.indexOf(orderId)] ?? []);
    const meantOrders = orderId === null ? [] : contractWith(app, orderId, { rows, declarations: [withdrawal], at });
    const refund = offerWithdrawal(meantOrders, at);
    const orders = refund?.orders.filter(({ backMinor }) => backMinor > 0).map(({ number }) => number);
    return {
      ...withdrawal,
      owedMinor: refund?.totalMinor ?? null,
      owedCreditMinor: refund?.creditMinor ?? null,
      owedOf: orders?.join(", ") ?? null,
      refundOrder: (refund && orderToRefund(refund)?.number) ?? null,
    };
  });
}
