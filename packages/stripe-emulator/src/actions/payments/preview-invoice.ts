import type Stripe from "stripe";
import { DRAFT_SECONDS } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { settle } from "../../money/currencies.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { redeemableFor } from "../../objects/catalogue/redemption.ts";
import { currentDiscount } from "../../objects/invoices/discounts.ts";
import { demand, idOf, refer } from "../../objects/demand.ts";
import { pendingItems } from "../../objects/invoices/invoice-items.ts";
import { type Discount, grossOf } from "../../objects/invoices/invoice-lines.ts";
import { type Bill, composeInvoice } from "../../objects/invoices/invoice-shape.ts";
import type { PreviewInput } from "../../objects/invoices/preview-form.ts";
import { periodOf, shapeSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { missingParameter, StripeRefusal } from "../../http/stripe-errors.ts";
import { ENDED } from "../subscriptions/cancel-now.ts";
import { billOf } from "../subscriptions/carry-out.ts";
import { sellablePrice } from "../subscriptions/change-items.ts";
import { type PlannedChange, planChange } from "../subscriptions/plan-change.ts";
import { withNextPeriod } from "../subscriptions/end-period.ts";
import { endsWithPeriod } from "../subscriptions/watch-end.ts";
import { afterDuePhase } from "../subscriptions/phases.ts";

/** `POST /v1/invoices/create_preview`: the same work as the change or the renewal, up to the point where something is written. */
export function previewInvoice(tx: Transaction, input: PreviewInput): Stripe.Invoice {
  const subscription = subscriptionOf(tx, input);
  if (subscription === null) return previewPurchase(tx, input);
  if (ENDED.includes(subscription.status)) throw nothingUpcoming(subscription);
  const now = tx.clock.now();
  const planned = planChange(tx, subscription, input.terms);
  const prorationDate = planned.prorations.length === 0 ? null : (input.terms.prorationDate ?? now);
  if (planned.billsNow) {
    const bill = billOf(tx, planned, "upcoming");
    return previewOf(tx, { ...bill, discount: discountFor(tx, input, bill) }, now, prorationDate);
  }
  const isEnding = input.cancelAtPeriodEnd ?? endsWithPeriod(subscription);
  if (isEnding || subscription.status === "paused") throw nothingUpcoming(subscription);
  const bill = renewalOf(tx, planned);
  const { end } = periodOf(subscription);
  return previewOf(tx, { ...bill, discount: discountFor(tx, input, bill) }, end, prorationDate);
}

/** Sends `invoice.upcoming`, some days before a renewal. */
export function announceRenewal(tx: Transaction, subscription: Stripe.Subscription): void {
  const isRenewed = !endsWithPeriod(subscription) && !["unpaid", ...ENDED].includes(subscription.status);
  if (!isRenewed) return;
  const { end } = periodOf(subscription);
  if (afterDuePhase(tx, subscription, end) === null) return;
  tx.record("invoice.upcoming", previewOf(tx, renewalOf(tx, planChange(tx, subscription, {})), end));
}

function subscriptionOf(
  tx: Transaction,
  { subscription, schedule, customer, terms }: PreviewInput,
): Stripe.Subscription | null {
  if (schedule !== undefined) {
    const { subscription: managed } = refer(tx, "subscription_schedule", schedule, "schedule");
    return managed === null ? null : demand(tx, "subscription", idOf(managed));
  }
  if (subscription !== undefined) return refer(tx, "subscription", subscription, "subscription");
  if (customer === undefined) throw missingParameter("customer");
  if (terms.items !== undefined) return null;
  for (const each of tx.store.newestFirst("subscription", customer)) if (!ENDED.includes(each.status)) return each;
  throw nothingUpcoming({ customer });
}

/** The next period's invoice, with all pending items. */
function renewalOf(tx: Transaction, { before, after, prorations }: PlannedChange): Bill {
  const ended = periodOf(before);
  const atEnd = afterDuePhase(tx, after, ended.end);
  if (atEnd === null) throw nothingUpcoming(before);
  const next = withNextPeriod(atEnd, ended.end);
  return {
    subscription: next,
    reason: "upcoming",
    period: ended,
    items: [...pendingItems(tx, before), ...prorations],
    hasPeriod: true,
    discount: currentDiscount(tx, next),
  };
}

function previewPurchase(tx: Transaction, input: PreviewInput): Stripe.Invoice {
  const customer = refer(tx, "customer", input.customer ?? "", "customer");
  const [first] = input.terms.items ?? [];
  if (first?.price === undefined) throw missingParameter("subscription_details[items][0][price]");
  const { currency } = refer(tx, "price", first.price, "subscription_details[items][0][price]");
  const lines = (input.terms.items ?? []).map(({ price = "", quantity }, index) => ({
    price: sellablePrice(tx, { currency }, price, `subscription_details[items][${index}][price]`, null),
    quantity: quantity ?? 1,
  }));
  const subscription = shapeSubscription(tx, {
    customer: customer.id,
    currency,
    lines,
    metadata: {},
    description: null,
    isTaxed: input.isTaxed ?? false,
    trialEnd: typeof input.terms.trialEnd === "number" ? input.terms.trialEnd : null,
  });
  const now = tx.clock.now();
  const bill: Bill = {
    subscription,
    reason: "upcoming",
    period: { start: now, end: now },
    items: [],
    hasPeriod: true,
    discount: null,
  };
  return previewOf(tx, { ...bill, discount: discountFor(tx, input, bill) }, now);
}

/** A coupon that isn't redeemed yet replaces the subscription's discounts. It can't reduce prorations. */
function discountFor(tx: Transaction, { discounts }: PreviewInput, bill: Bill): Discount | null {
  const [input] = discounts ?? [];
  if (discounts === undefined || !bill.hasPeriod) return bill.discount;
  if (input === undefined) return null;
  const { customer, currency, items } = bill.subscription;
  const subtotal = items.data.reduce((sum, item) => sum + grossOf(item), 0);
  const { coupon } = redeemableFor(tx, input, { customer: idOf(customer), currency, subtotal }, "discounts[0]");
  return { id: newId("di"), amount: discountOf(coupon, subtotal, currency) };
}

function previewOf(tx: Transaction, bill: Bill, at: number, prorationDate: number | null = null): Stripe.Invoice {
  const invoice = composeInvoice(tx, newId("upcoming_in"), bill);
  const details = invoice.parent?.subscription_details ?? null;
  const isNow = at <= tx.clock.now();
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
