import type { App, Billing } from "#app/context.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";
import { isOpen, type Order } from "./rules.ts";

type Checkout = Billing["checkouts"][number];
type Invoice = Billing["invoices"][number];

/** An order beside what the provider has of it. `isNew`: an invoice that nobody began here, a renewal say. */
export type Match = { order: Order; isNew: boolean; checkout: Checkout | null; invoice: Invoice | null };

/** Every order with its checkout and invoice, and every invoice of the provider's with an order. */
export async function matchOrders(
  app: Pick<App, "report">,
  accountId: string,
  orders: Order[],
  billing: Billing,
): Promise<Match[]> {
  const matches = orders.map((order): Match => {
    const checkout = checkoutOf(order, billing);
    const invoiceId = order.invoiceId ?? checkout?.invoiceId ?? null;
    return { order, isNew: false, checkout, invoice: billing.invoices.find(({ id }) => id === invoiceId) ?? null };
  });
  const claimed = new Set(matches.map(({ invoice }) => invoice?.id));
  const unclaimed = billing.invoices
    .filter((invoice) => !claimed.has(invoice.id) && (invoice.state === "open" || invoice.state === "paid"))
    .sort((left, right) => left.createdAt - right.createdAt);
  for (const invoice of unclaimed) {
    // A change that was confirmed here, whose answer was lost: the table allows one open purchase, so it can be no other.
    const begun = matches.find((match) => isChangeWithout(match, invoice));
    if (begun) begun.invoice = invoice;
    else matches.push(...(await unbidden(app, accountId, invoice, billing)));
  }
  return matches;
}

/** By its id, or by ours on it, where the answer that brought its id was lost. */
function checkoutOf(order: Order, billing: Billing): Checkout | null {
  return billing.checkouts.find(({ id, orderId }) => id === order.checkoutId || orderId === order.id) ?? null;
}

function isChangeWithout({ order, invoice: known }: Match, invoice: Invoice): boolean {
  return order.kind === "change" && isOpen(order.state) && known === null && invoice.cause === "change";
}

/** Two syncs that find the same invoice at once name its order alike: the id is made of the invoice's. */
async function unbidden(
  app: Pick<App, "report">,
  accountId: string,
  invoice: Invoice,
  billing: Billing,
): Promise<Match[]> {
  const sold = billing.subscriptions.find(({ id }) => id === invoice.subscriptionId)?.sold;
  if (!sold) {
    app.report(new Error(`Invoice ${invoice.id} is for nothing that the catalogue knows`));
    return [];
  }
  const order: Order = {
    id: `ord_${(await hashToken(invoice.id)).slice(0, 26)}`,
    accountId,
    state: "pending",
    dispute: "none",
    kind: invoice.cause,
    planId: sold.planId,
    interval: sold.interval,
    currency: invoice.currency,
    amountMinor: invoice.amountMinor,
    taxMinor: invoice.taxMinor,
    discountMinor: invoice.discountMinor,
    creditMinor: invoice.creditMinor,
    refundedMinor: 0,
    numberYear: null,
    numberInYear: null,
    checkoutId: null,
    checkoutUrl: null,
    invoiceId: invoice.id,
    receiptUrl: null,
    failure: null,
    attempts: 0,
    nextTryAt: null,
    prorationAt: null,
    billedTo: null,
    createdAt: invoice.createdAt,
    expiresAt: null,
    paidAt: null,
  };
  return [{ order, isNew: true, checkout: null, invoice }];
}
