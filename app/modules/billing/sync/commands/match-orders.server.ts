import type { AccountId } from "#app/core/id.ts";
import type { App, Billing } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { isOpen } from "#app/modules/billing/orders/states.rules.ts";

type Deps = Pick<App, "report"> & { payments: NonNullable<App["payments"]> };
type Checkout = Billing["checkouts"][number];
type Invoice = Billing["invoices"][number];
type Sold = Pick<Order, "planId" | "interval">;

/**
 * An order and its objects at Stripe. `isNew` means that the order isn't stored yet, since Stripe created its invoice, as for a renewal.
 */
export type OrderMatch = { order: Order; isNew: boolean; checkout: Checkout | null; invoice: Invoice | null };

/** Pairs every order with its checkout and invoice, and creates orders for invoices that have none. */
export async function matchOrders(
  app: Deps,
  accountId: AccountId,
  orders: Order[],
  billing: Billing,
): Promise<Result<OrderMatch[], ProviderFailure>> {
  const matches = orders.map((order): OrderMatch => {
    const checkout = checkoutOf(order, billing);
    const invoiceId = order.invoiceId ?? checkout?.invoiceId ?? firstInvoiceOf(order, billing)?.id;
    return { order, isNew: false, checkout, invoice: billing.invoices.find(({ id }) => id === invoiceId) ?? null };
  });
  const matched = new Set(matches.map(({ invoice }) => invoice?.id));
  const unmatched = billing.invoices
    .filter((invoice) => !matched.has(invoice.id) && (invoice.state === "open" || invoice.state === "paid"))
    .sort((left, right) => left.createdAt - right.createdAt);
  for (const invoice of unmatched) {
    const begun = matches.find((match) => isChangeWithout(match, invoice));
    if (begun) {
      begun.invoice = invoice;
      continue;
    }
    const found = await matchStripeInvoice(app, accountId, invoice, billing);
    if (!found.ok) return found;
    if (found.value) matches.push(found.value);
  }
  return done(matches);
}

/** Finds a checkout by its id, or, if Stripe's answer with that id was lost, by the order id stored on the checkout. */
function checkoutOf(order: Order, billing: Billing): Checkout | null {
  return billing.checkouts.find(({ id, orderId }) => id === order.checkoutId || orderId === order.id) ?? null;
}

/** For a checkout too old to be listed: the subscription contains the id of the order that started it. */
function firstInvoiceOf(order: Order, billing: Billing): Invoice | undefined {
  const begun = billing.subscriptions.find(({ orderId }) => orderId === order.id);
  return (
    begun &&
    billing.invoices.find(
      ({ subscriptionId, billingReason }) => subscriptionId === begun.id && billingReason === "new-plan",
    )
  );
}

/** Whether the invoice belongs to a confirmed change whose answer was lost: it has the proration date of the order's quote. */
function isChangeWithout({ order, invoice: known }: OrderMatch, invoice: Invoice): boolean {
  const isWaiting = order.kind === "change" && isOpen(order.state) && known === null;
  const isOfMoment = invoice.lines.some((line) => line.periodStartsAt === order.prorationAt);
  // Stripe gives an invoice without prorations the same billing reason as a renewal.
  return isWaiting && invoice.billingReason !== "new-plan" && isOfMoment;
}

/** Creates the order for an invoice that Stripe created. Null if the invoice is for nothing that is sold here. */
async function matchStripeInvoice(
  app: Deps,
  accountId: AccountId,
  invoice: Invoice,
  billing: Billing,
): Promise<Result<OrderMatch | null, ProviderFailure>> {
  const found = await soldFor(app.payments, invoice, billing);
  if (!found.ok) return found;
  const sold = found.value;
  if (!sold) {
    app.report(new Error(`Invoice ${invoice.id} is for nothing that the catalogue knows`));
    return done(null);
  }
  const order = await orderOf(accountId, invoice, sold);
  return done({ order, isNew: true, checkout: null, invoice });
}

/** The order's id is derived from the invoice's, so that concurrent syncs create the same order. */
async function orderOf(accountId: AccountId, invoice: Invoice, sold: Sold): Promise<Order> {
  return {
    id: `ord_${(await hashToken(invoice.id)).slice(0, 26)}`,
    accountId,
    state: "pending",
    dispute: "none",
    disputeDueAt: null,
    kind: invoice.billingReason,
    planId: sold.planId,
    interval: sold.interval,
    currency: invoice.currency,
    amountMinor: invoice.amountMinor,
    taxMinor: invoice.taxMinor,
    discountMinor: invoice.discountMinor,
    // While the invoice is open this is everything taken from the balance: the individual parts aren't listed yet.
    creditMinor: invoice.totalMinor - invoice.amountMinor,
    creditReturnedMinor: 0,
    refundedMinor: 0,
    friendDiscountMinor: 0,
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
    // The day on which it was announced, and is charged.
    createdAt: invoice.issuedAt,
    expiresAt: null,
    paidAt: null,
    buyerTimeZone: null,
    isUnconfirmed: false,
    unconfirmedUntil: null,
  };
}

/** What an invoice is for, according to its own lines, because the subscription's plan may have changed since. */
async function soldFor(payments: Deps["payments"], invoice: Invoice, billing: Billing) {
  const subscription = billing.subscriptions.find(({ id }) => id === invoice.subscriptionId);
  // A change also has a negative line for the unused time.
  const [line] = invoice.lines.toSorted((left, right) => right.amountMinor - left.amountMinor);
  if (!subscription || !line?.priceId || line.priceId === subscription.priceId) return done(subscription?.sold ?? null);
  const found = await payments.findSold(line.priceId);
  return found.ok ? done(found.value ?? subscription.sold) : found;
}

/** The charges for an order's invoice, including those that were declined. */
export function chargesOf({ invoice }: Pick<OrderMatch, "invoice">, billing: Billing) {
  return billing.charges.filter(({ paymentId }) => paymentId !== null && invoice?.paymentIds.includes(paymentId));
}
