import type { App, Billing } from "#app/app.ts";
import type { OrderMatch } from "./match-orders.server.ts";
import { labelOf, type Order } from "#app/modules/billing/orders/rules.ts";
import { listNamedOrders } from "#app/modules/billing/orders/queries.server.ts";

type Deps = Pick<App, "db" | "report"> & { payments: NonNullable<App["payments"]> };
type Invoice = Billing["invoices"][number];

/** Invoices labelled per sync, newest first; the next sync continues. */
const labelsMax = 20;

/**
 * Writes an order's id and number on its Stripe invoice, so that operators can search the dashboard by them. Every sync labels the invoices
 * that lack them. If Stripe doesn't answer, the next sync tries again.
 */
export async function labelInvoices({ db, payments, report }: Deps, matches: OrderMatch[]): Promise<void> {
  const invoices = new Map(
    matches
      .flatMap(({ order, invoice }) => (invoice && mayLackLabel(order, invoice) ? [{ id: order.id, invoice }] : []))
      .toSorted((left, right) => right.invoice.createdAt - left.invoice.createdAt)
      .slice(0, labelsMax)
      .map(({ id, invoice }) => [id, invoice]),
  );
  if (invoices.size === 0) return;
  // The orders are read again, because one paid in this sync has just got its number.
  const named = await listNamedOrders(db, [...invoices.keys()]);
  await Promise.all(
    named.map(async (order) => {
      const invoice = invoices.get(order.id);
      if (!invoice || hasLabel(order, invoice)) return;
      const answer = await payments.labelInvoice(invoice.id, labelOf(order));
      if (answer.ok || answer.refusal.reason === "provider-unreachable") return;
      report(new Error(`Stripe refused the label of an invoice: ${answer.refusal.code}`));
    }),
  );
}

/** Judges by the order as it was before this sync, which has since given a number to an order whose invoice is paid as ordered. */
function mayLackLabel(order: Order, invoice: Invoice): boolean {
  const isPaidSince = invoice.state === "paid" && order.paidAt === null;
  const isAskedFor = invoice.state === "open" || invoice.state === "paid";
  return isAskedFor && (isPaidSince || !hasLabel(order, invoice));
}

function hasLabel(order: Parameters<typeof labelOf>[0], { label }: Invoice): boolean {
  const { orderId, orderNumber } = labelOf(order);
  return label.orderId === orderId && label.orderNumber === orderNumber;
}
