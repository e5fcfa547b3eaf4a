import type { App, Billing } from "#app/app.ts";
import type { Match } from "./match-orders.server.ts";
import { labelOf, type Order } from "#app/modules/orders/rules.ts";
import { listNamedOrders } from "#app/modules/orders/queries.server.ts";

type Powers = Pick<App, "db" | "report"> & { payments: NonNullable<App["payments"]> };
type Invoice = Billing["invoices"][number];

/** Invoices that one sync labels, newest first; the next one continues. */
const labelsMax = 20;

/**
 * Writes an order's id and number on its invoice at the provider, where the dashboard and whoever works there find it by them.
 * Asked in every sync and told once: what has its label costs nothing. Without an answer the next sync tells it.
 */
export async function labelInvoices({ db, payments, report }: Powers, matches: Match[]): Promise<void> {
  const invoices = new Map(
    matches
      .flatMap(({ order, invoice }) => (invoice && mayLackLabel(order, invoice) ? [{ id: order.id, invoice }] : []))
      .toSorted((left, right) => right.invoice.createdAt - left.invoice.createdAt)
      .slice(0, labelsMax)
      .map(({ id, invoice }) => [id, invoice]),
  );
  if (invoices.size === 0) return;
  // Read again: what was paid in this very sync has its number since a moment ago.
  const named = await listNamedOrders(db, [...invoices.keys()]);
  await Promise.all(
    named.map(async (order) => {
      const invoice = invoices.get(order.id);
      if (!invoice || hasLabel(order, invoice)) return;
      const told = await payments.labelInvoice(invoice.id, labelOf(order));
      if (told.ok || told.refusal.reason === "provider-unreachable") return;
      report(new Error(`The provider refused the label of an invoice: ${told.refusal.code}`));
    }),
  );
}

/** As far as was known before this sync wrote: an order whose invoice is paid has a number by now, if it is what was asked for. */
function mayLackLabel(order: Order, invoice: Invoice): boolean {
  const isPaidSince = invoice.state === "paid" && order.paidAt === null;
  const isAskedFor = invoice.state === "open" || invoice.state === "paid";
  return isAskedFor && (isPaidSince || !hasLabel(order, invoice));
}

function hasLabel(order: Parameters<typeof labelOf>[0], { label }: Invoice): boolean {
  const { orderId, orderNumber } = labelOf(order);
  return label.orderId === orderId && label.orderNumber === orderNumber;
}
