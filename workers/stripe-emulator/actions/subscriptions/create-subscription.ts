import type Stripe from "stripe";
import { SECONDS_PER_DAY, UNPAID_SECONDS_MAX } from "../../time/billing-times.ts";
import type { Books } from "../../books.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { currentDiscount, discountsAfter, redeemFor } from "../../objects/invoices/discounts.ts";
import { demand, refer } from "../../objects/find.ts";
import { draftInvoice } from "../../objects/invoices/invoice-shape.ts";
import type { NewSubscription } from "../../objects/subscriptions/subscription-forms.ts";
import { newSubscription, type Order, saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { ownMethod, sellablePrice } from "./change-items.ts";
import { collectInvoice, methodOf } from "../payments/collect-invoice.ts";
import { expectPayment } from "../payments/expect-payment.ts";
import { finalizeInvoice } from "../payments/finalize-invoice.ts";
import { noMethod } from "../payments/pay-invoice.ts";
import { endOf, watchEnd } from "./plan-end.ts";
import { watchPeriod } from "./watch-period.ts";

/** `POST /v1/subscriptions`. The site sells by checkout; this covers what checkout can't, such as a first payment that fails. */
export function createSubscription(books: Books, input: NewSubscription): Stripe.Subscription {
  const customer = refer(books, "customer", input.customer, "customer");
  if (input.paymentBehavior === "pending_if_incomplete")
    throw invalid("`pending_if_incomplete` is only for updates of a subscription.", { param: "payment_behavior" });
  if (input.defaultPaymentMethod !== null)
    ownMethod(books, customer.id, input.defaultPaymentMethod, "default_payment_method");
  const lines = linesOf(books, input);
  const trialEnd = trialEndOf(books, input);
  const coupon = couponOf(books, input);
  if (trialEnd === null) requireMeans(books, customer, input, costOf(lines, coupon));
  const created = newSubscription(books, {
    ...input,
    customer: customer.id,
    currency: lines[0]?.price.currency ?? "",
    lines,
    trialEnd,
  });
  const subscription = books.store.put("subscription", {
    ...created,
    ...endOf(books, created, input),
    default_payment_method: input.defaultPaymentMethod,
    discounts: coupon === null ? [] : [redeemFor(books, coupon, created, null).id],
  });
  watchPeriod(books, subscription);
  watchEnd(books, subscription);
  return payFirst(books, subscription, input);
}

function linesOf(books: Books, { items }: NewSubscription) {
  const [first] = items;
  if (first === undefined) throw missingParameter("items");
  const { currency } = refer(books, "price", first.price, "items[0][price]");
  return items.map(({ price, quantity }, index) => ({
    price: sellablePrice(books, { currency }, price, `items[${index}][price]`, null),
    quantity,
  }));
}

/** Without any payment method, only a subscription that may stay incomplete is created. */
function requireMeans(books: Books, customer: Stripe.Customer, input: NewSubscription, amount: number): void {
  const { defaultPaymentMethod: id, paymentBehavior } = input;
  const method = id === null ? methodOf(books, customer, null) : books.store.find("payment_method", id);
  if (paymentBehavior === "error_if_incomplete") expectPayment(books, amount, method);
  if (paymentBehavior === "allow_incomplete" && amount > 0 && method === null) throw noMethod();
}

function costOf(lines: Order["lines"], coupon: Stripe.Coupon | null): number {
  const gross = lines.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0);
  return coupon === null ? gross : gross - discountOf(coupon, gross);
}

function trialEndOf(books: Books, { trialEnd, trialDays }: NewSubscription): number | null {
  const now = books.clock.now();
  if (trialEnd === "now") return null;
  const end = trialEnd ?? (trialDays === undefined ? null : now + trialDays * SECONDS_PER_DAY);
  if (end !== null && end <= now)
    throw invalid("The trial end must be a timestamp in the future.", { param: "trial_end" });
  return end;
}

function couponOf(books: Books, { coupons }: NewSubscription): Stripe.Coupon | null {
  const [id] = coupons;
  return id === undefined ? null : refer(books, "coupon", id, "discounts[0][coupon]");
}

function payFirst(books: Books, subscription: Stripe.Subscription, input: NewSubscription): Stripe.Subscription {
  const now = books.clock.now();
  const draft = draftInvoice(books, {
    subscription,
    reason: "subscription_create",
    period: { start: now, end: now },
    items: [],
    hasPeriod: true,
    discount: currentDiscount(books, subscription),
  });
  const invoice = finalizeInvoice(books, draft, null);
  const owed = saveSubscription(books, subscription, {
    latest_invoice: invoice.id,
    discounts: discountsAfter(books, subscription),
  });
  if (subscription.status === "incomplete")
    books.clock.setTimer("incomplete-expires", owed.id, now + UNPAID_SECONDS_MAX);
  if (invoice.amount_due > 0 && input.paymentBehavior === "default_incomplete") return owed;
  collectInvoice(books, invoice);
  return demand(books, "subscription", owed.id);
}
