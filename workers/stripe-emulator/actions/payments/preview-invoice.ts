import type Stripe from "stripe";
import { DRAFT_SECONDS } from "../../time/billing-times.ts";
import type { Books } from "../../books.ts";
import { newId } from "../../ids.ts";
import { settle } from "../../money/currencies.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { currentDiscount } from "../../objects/invoices/discounts.ts";
import { demand, idOf, refer } from "../../objects/find.ts";
import { pendingItems } from "../../objects/invoices/invoice-items.ts";
import { type Discount, grossOf } from "../../objects/invoices/invoice-lines.ts";
import { type Bill, composeInvoice } from "../../objects/invoices/invoice-shape.ts";
import type { PreviewWish } from "../../objects/invoices/preview-form.ts";
import { periodOf, shapeSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { missingParameter, StripeRefusal } from "../../http/stripe-errors.ts";
import { ENDED } from "../subscriptions/cancel-subscription.ts";
import { billOf } from "../subscriptions/carry-out-change.ts";
import { sellablePrice } from "../subscriptions/change-items.ts";
import { type Plan, planChange } from "../subscriptions/plan-change.ts";
import { withNextPeriod } from "../subscriptions/renew-subscription.ts";
import { endsWithPeriod } from "../subscriptions/plan-end.ts";
import { afterDuePhase } from "../subscriptions/run-schedule.ts";

/** `POST /v1/invoices/create_preview`: the same work as the change or the renewal, up to the point where something is written. */
export function previewInvoice(books: Books, wish: PreviewWish): Stripe.Invoice {
  const subscription = subscriptionOf(books, wish);
  if (subscription === null) return previewPurchase(books, wish);
  if (ENDED.includes(subscription.status)) throw nothingUpcoming(subscription);
  const now = books.clock.now();
  const plan = planChange(books, subscription, wish.terms);
  const prorationDate = plan.prorations.length === 0 ? null : (wish.terms.prorationDate ?? now);
  if (plan.billsNow) {
    const bill = billOf(books, plan, "upcoming");
    return previewOf(books, { ...bill, discount: discountFor(books, wish, bill) }, now, prorationDate);
  }
  const isEnding = wish.cancelAtPeriodEnd ?? endsWithPeriod(subscription);
  if (isEnding || subscription.status === "paused") throw nothingUpcoming(subscription);
  const bill = renewalOf(books, plan);
  const { end } = periodOf(subscription);
  return previewOf(books, { ...bill, discount: discountFor(books, wish, bill) }, end, prorationDate);
}

/** Sends `invoice.upcoming`, some days before a renewal. */
export function announceRenewal(books: Books, subscription: Stripe.Subscription): void {
  const isRenewed = !endsWithPeriod(subscription) && !["unpaid", ...ENDED].includes(subscription.status);
  if (!isRenewed) return;
  const { end } = periodOf(subscription);
  if (afterDuePhase(books, subscription, end) === null) return;
  books.record("invoice.upcoming", previewOf(books, renewalOf(books, planChange(books, subscription, {})), end));
}

function subscriptionOf(
  books: Books,
  { subscription, schedule, customer, terms }: PreviewWish,
): Stripe.Subscription | null {
  if (schedule !== undefined) {
    const { subscription: managed } = refer(books, "subscription_schedule", schedule, "schedule");
    return managed === null ? null : demand(books, "subscription", idOf(managed));
  }
  if (subscription !== undefined) return refer(books, "subscription", subscription, "subscription");
  if (customer === undefined) throw missingParameter("customer");
  if (terms.items !== undefined) return null;
  for (const each of books.store.newestFirst("subscription", customer)) if (!ENDED.includes(each.status)) return each;
  throw nothingUpcoming({ customer });
}

/** The next period's invoice, with all pending items. */
function renewalOf(books: Books, { before, after, prorations }: Plan): Bill {
  const ended = periodOf(before);
  const atEnd = afterDuePhase(books, after, ended.end);
  if (atEnd === null) throw nothingUpcoming(before);
  const next = withNextPeriod(atEnd, ended.end);
  return {
    subscription: next,
    reason: "upcoming",
    period: ended,
    items: [...pendingItems(books, before), ...prorations],
    hasPeriod: true,
    discount: currentDiscount(books, next),
  };
}

function previewPurchase(books: Books, wish: PreviewWish): Stripe.Invoice {
  const customer = refer(books, "customer", wish.customer ?? "", "customer");
  const [first] = wish.terms.items ?? [];
  if (first?.price === undefined) throw missingParameter("subscription_details[items][0][price]");
  const { currency } = refer(books, "price", first.price, "subscription_details[items][0][price]");
  const lines = (wish.terms.items ?? []).map(({ price = "", quantity }, index) => ({
    price: sellablePrice(books, { currency }, price, `subscription_details[items][${index}][price]`, null),
    quantity: quantity ?? 1,
  }));
  const subscription = shapeSubscription(books, {
    customer: customer.id,
    currency,
    lines,
    metadata: {},
    description: null,
    isTaxed: wish.isTaxed ?? false,
    trialEnd: typeof wish.terms.trialEnd === "number" ? wish.terms.trialEnd : null,
  });
  const now = books.clock.now();
  const bill: Bill = {
    subscription,
    reason: "upcoming",
    period: { start: now, end: now },
    items: [],
    hasPeriod: true,
    discount: null,
  };
  return previewOf(books, { ...bill, discount: discountFor(books, wish, bill) }, now);
}

/** A coupon that isn't redeemed yet replaces the subscription's discounts. It can't reduce prorations. */
function discountFor(books: Books, { coupons }: PreviewWish, bill: Bill): Discount | null {
  const [id] = coupons ?? [];
  if (coupons === undefined || !bill.hasPeriod) return bill.discount;
  if (id === undefined) return null;
  const coupon = refer(books, "coupon", id, "discounts[0][coupon]");
  const gross = bill.subscription.items.data.reduce((sum, item) => sum + grossOf(item), 0);
  return { id: newId("di"), amount: discountOf(coupon, gross) };
}

function previewOf(books: Books, bill: Bill, at: number, prorationDate: number | null = null): Stripe.Invoice {
  const invoice = composeInvoice(books, newId("upcoming_in"), bill);
  const details = invoice.parent?.subscription_details ?? null;
  const isNow = at <= books.clock.now();
  return {
    ...invoice,
    created: at,
    ending_balance: settle(invoice.total, invoice.starting_balance, invoice.currency).endingBalance,
    lines: { ...invoice.lines, data: invoice.lines.data.map((line) => ({ ...line, id: newId("il_tmp", 14) })) },
    next_payment_attempt: isNow ? at : at + DRAFT_SECONDS,
    parent: {
      quote_details: null,
      subscription_details:
        details === null || prorationDate === null
          ? details
          : { ...details, subscription_proration_date: prorationDate },
      type: "subscription_details",
    },
  };
}

const nothingUpcoming = ({ customer }: { customer: Stripe.Subscription["customer"] }): StripeRefusal =>
  new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "invoice_upcoming_none",
    message: `No upcoming invoices for customer: ${idOf(customer)}`,
  });
