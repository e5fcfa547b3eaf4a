import type Stripe from "stripe";
import { SECONDS_PER_DAY, UNPAID_SECONDS_MAX } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { type Redeemable, redeemableFor } from "../../objects/catalogue/redemption.ts";
import { currentDiscount, discountsAfter, redeemFor } from "../../objects/invoices/discounts.ts";
import { demand, refer } from "../../objects/demand.ts";
import { draftInvoice } from "../../objects/invoices/invoice-shape.ts";
import type { NewSubscription } from "../../objects/subscriptions/subscription-forms.ts";
import { newSubscription, type Order, saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { ownMethod, sellablePrice } from "./change-items.ts";
import { collectInvoice, methodOf } from "../payments/collect-invoice.ts";
import { expectPayment } from "../payments/expect-payment.ts";
import { finalizeInvoice } from "../payments/finalize-invoice.ts";
import { noMethod } from "../payments/pay-invoice.ts";
import { endOf, watchEnd } from "./watch-end.ts";
import { watchPeriod } from "./watch-period.ts";

/** `POST /v1/subscriptions`. The site sells by checkout; this covers what checkout can't, such as a first payment that fails. */
export function createSubscription(tx: Transaction, input: NewSubscription): Stripe.Subscription {
  const customer = refer(tx, "customer", input.customer, "customer");
  if (input.paymentBehavior === "pending_if_incomplete")
    throw invalid("`pending_if_incomplete` is only for updates of a subscription.", { param: "payment_behavior" });
  if (input.defaultPaymentMethod !== null)
    ownMethod(tx, customer.id, input.defaultPaymentMethod, "default_payment_method");
  const lines = linesOf(tx, input);
  const trialEnd = trialEndOf(tx, input);
  const redeemable = redeemableOf(tx, input, lines);
  if (trialEnd === null) requireMeans(tx, customer, input, costOf(lines, redeemable?.coupon ?? null));
  const created = newSubscription(tx, {
    ...input,
    customer: customer.id,
    currency: lines[0]?.price.currency ?? "",
    lines,
    trialEnd,
  });
  const subscription = tx.store.put("subscription", {
    ...created,
    ...endOf(tx, created, input),
    default_payment_method: input.defaultPaymentMethod,
    discounts: redeemable === null ? [] : [redeemFor(tx, redeemable, created, null).id],
  });
  watchPeriod(tx, subscription);
  watchEnd(tx, subscription);
  return payFirst(tx, subscription, input);
}

function linesOf(tx: Transaction, { items }: NewSubscription) {
  const [first] = items;
  if (first === undefined) throw missingParameter("items");
  const { currency } = refer(tx, "price", first.price, "items[0][price]");
  return items.map(({ price, quantity }, index) => ({
    price: sellablePrice(tx, { currency }, price, `items[${index}][price]`, null),
    quantity,
  }));
}

/** Without any payment method, only a subscription that may stay incomplete is created. */
function requireMeans(tx: Transaction, customer: Stripe.Customer, input: NewSubscription, amount: number): void {
  const { defaultPaymentMethod: id, paymentBehavior } = input;
  const method = id === null ? methodOf(tx, customer, null) : tx.store.find("payment_method", id);
  if (paymentBehavior === "error_if_incomplete") expectPayment(tx, amount, method);
  if (paymentBehavior === "allow_incomplete" && amount > 0 && method === null) throw noMethod();
}

const totalOf = (lines: Order["lines"]): number =>
  lines.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0);

function costOf(lines: Order["lines"], coupon: Stripe.Coupon | null): number {
  const gross = totalOf(lines);
  return coupon === null ? gross : gross - discountOf(coupon, gross, lines[0]?.price.currency ?? "");
}

function trialEndOf(tx: Transaction, { trialEnd, trialDays }: NewSubscription): number | null {
  const now = tx.clock.now();
  if (trialEnd === "now") return null;
  const end = trialEnd ?? (trialDays === undefined ? null : now + trialDays * SECONDS_PER_DAY);
  if (end !== null && end <= now)
    throw invalid("The trial end must be a timestamp in the future.", { param: "trial_end" });
  return end;
}

function redeemableOf(
  tx: Transaction,
  { customer, discounts }: NewSubscription,
  lines: Order["lines"],
): Redeemable | null {
  const [input] = discounts;
  if (input === undefined) return null;
  const purchase = { customer, currency: lines[0]?.price.currency ?? "", subtotal: totalOf(lines) };
  return redeemableFor(tx, input, purchase, "discounts[0]");
}

function payFirst(tx: Transaction, subscription: Stripe.Subscription, input: NewSubscription): Stripe.Subscription {
  const now = tx.clock.now();
  const draft = draftInvoice(tx, {
    subscription,
    reason: "subscription_create",
    period: { start: now, end: now },
    items: [],
    hasPeriod: true,
    discount: currentDiscount(tx, subscription),
  });
  const invoice = finalizeInvoice(tx, draft, null);
  const owed = saveSubscription(tx, subscription, {
    latest_invoice: invoice.id,
    discounts: discountsAfter(tx, subscription),
  });
  if (subscription.status === "incomplete") tx.clock.setTimer("incomplete-expires", owed.id, now + UNPAID_SECONDS_MAX);
  if (invoice.amount_due > 0 && input.paymentBehavior === "default_incomplete") return owed;
  collectInvoice(tx, invoice);
  return demand(tx, "subscription", owed.id);
}
