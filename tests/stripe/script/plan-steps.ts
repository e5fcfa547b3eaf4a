import { idOf } from "#app/integrations/stripe/fields.ts";
import type { ShownPrice } from "#app/integrations/stripe/prices.ts";
import type Stripe from "stripe";
import { factsOf, paidWith, refusalOf } from "./facts.ts";
import type { Facts, StepContext, Step } from "./step-context.ts";

const returnUrl = "https://foyer.example/settings/plan";

/** Quotes a change, pays it by the quote, and returns both. */
async function quoteAndCharge(step: StepContext, subscription: Stripe.Subscription, price: ShownPrice): Promise<Facts> {
  const input = { subscriptionId: idOf(subscription), price, prorationAt: null };
  const quote = await step.target.provider.previewChange(input);
  if (!quote.ok) return { quote };
  const { prorationAt } = quote.value;
  const change = await step.target.provider.changePlan({
    ...input,
    prorationAt,
    orderId: `ord_${step.nonce}-${price.key}`,
  });
  const invoice = await step.latestInvoice(subscription);
  return {
    quote,
    change,
    charged: invoice.amount_paid,
    isAsQuoted: invoice.amount_paid === quote.value.amountMinor,
    billingReason: invoice.billing_reason,
  };
}

const upgrade: Step = {
  name: "quote-of-an-upgrade",
  run: async (step) => {
    const subscription = await step.subscribe(await step.customer(), step.prices.small.month);
    await step.advance(10);
    return quoteAndCharge(step, subscription, step.shown("large", "month"));
  },
};

const longerInterval: Step = {
  name: "quote-of-a-longer-interval",
  run: async (step) => {
    const subscription = await step.subscribe(await step.customer(), step.prices.small.month);
    await step.advance(10);
    return quoteAndCharge(step, subscription, step.shown("small", "year"));
  },
};

const discounted: Step = {
  name: "quote-with-a-discount",
  run: async (step) => {
    const id = `${step.nonce}-tenth`;
    await step.stripe.coupons.create({ id, percent_off: 10, duration: "forever" });
    const customer = await step.customer();
    const subscription = await step.subscribe(customer, step.prices.small.month, { discounts: [{ coupon: id }] });
    await step.advance(10);
    return quoteAndCharge(step, subscription, step.shown("large", "month"));
  },
};

const cancellation: Step = {
  name: "cancelled-by-date-then-kept",
  run: async (step) => {
    const subscription = await step.subscribe(await step.customer(), step.prices.small.month);
    const periodEnd = subscription.items.data[0]?.current_period_end;
    if (periodEnd === undefined) throw new Error("The subscription has no period");
    // As the dashboard cancels a plan in flexible billing mode.
    await step.stripe.subscriptions.update(subscription.id, { cancel_at: periodEnd });
    const kept = await step.target.provider.changeCancellation(idOf(subscription), false);
    const cancelled = await step.target.provider.changeCancellation(idOf(subscription), true);
    const keptAgain = await step.target.provider.changeCancellation(idOf(subscription), false);
    await step.advance(32);
    const { status, cancel_at } = await step.stripe.subscriptions.retrieve(subscription.id);
    return { kept, cancelled, keptAgain, status, cancel_at };
  },
};

const newCard: Step = {
  name: "smaller-plan-then-new-card",
  run: async (step) => {
    const customer = await step.customer();
    const card = customer.invoice_settings.default_payment_method;
    // Attached to its card, as Checkout leaves it.
    const subscription = await step.subscribe(customer, step.prices.large.month, {
      default_payment_method: String(card),
    });
    const subscriptionId = idOf(subscription);
    const planned = await step.target.provider.scheduleChange({ subscriptionId, price: step.shown("small", "month") });
    await step.useCard(customer, "pm_card_mastercard");
    const { schedule } = await step.stripe.subscriptions.retrieve(subscriptionId);
    const before = await step.stripe.subscriptionSchedules.retrieve(String(schedule));
    await step.stripe.subscriptions.update(subscriptionId, { default_payment_method: "" });
    await step.advance(32);
    const renewal = await step.latestInvoice(subscription);
    return {
      planned,
      cardOfSchedule: before.default_settings.default_payment_method,
      renewal: factsOf(renewal),
      paidWith: await paidWith(step, customer),
    };
  },
};

const couponThenSmaller: Step = {
  name: "dashboard-coupon-then-smaller-plan",
  run: async (step) => {
    const id = `${step.nonce}-half`;
    await step.stripe.coupons.create({ id, percent_off: 50, duration: "forever" });
    const subscription = await step.subscribe(await step.customer(), step.prices.large.month);
    const subscriptionId = idOf(subscription);
    await step.stripe.subscriptions.update(subscriptionId, { discounts: [{ coupon: id }] });
    const planned = await step.target.provider.scheduleChange({ subscriptionId, price: step.shown("small", "month") });
    const { discounts } = await step.stripe.subscriptions.retrieve(subscriptionId);
    await step.advance(32);
    return { planned, discounts: discounts.length, renewal: factsOf(await step.latestInvoice(subscription)) };
  },
};

const previewUnderSchedule: Step = {
  name: "quote-under-a-schedule",
  run: async (step) => {
    const subscription = await step.subscribe(await step.customer(), step.prices.large.month);
    const subscriptionId = idOf(subscription);
    await step.target.provider.scheduleChange({ subscriptionId, price: step.shown("small", "month") });
    await step.advance(10);
    return quoteAndCharge(step, subscription, step.shown("large", "year"));
  },
};

const yearToMonth: Step = {
  name: "from-a-year-to-a-month",
  run: async (step) => {
    const subscription = await step.subscribe(await step.customer(), step.prices.small.year);
    const input = { subscriptionId: idOf(subscription), price: step.shown("small", "month") };
    const planned = await step.target.provider.scheduleChange(input);
    await step.advance(366);
    return { planned, renewal: factsOf(await step.latestInvoice(subscription)) };
  },
};

const deleted: Step = {
  name: "lists-of-a-deleted-customer",
  run: async (step) => {
    const customer = await step.customer();
    await step.subscribe(customer, step.prices.small.month);
    await step.collectEvents();
    const [charge] = (await step.stripe.charges.list({ customer: customer.id })).data;
    const gone = await step.target.provider.deleteCustomer(idOf(customer));
    const billing = await step.target.provider.fetchBilling(idOf(customer));
    const list = await refusalOf(step.stripe.subscriptions.list({ customer: customer.id, status: "all" }));
    // As for an account that is erased.
    const refund = await refusalOf(step.stripe.refunds.create({ charge: charge?.id ?? "" }));
    const refunded = await step.target.provider.fetchBilling(idOf(customer));
    return { gone, billing, list, refund, refunded };
  },
};

const portal: Step = {
  name: "portal-without-a-default",
  run: async (step) => {
    const customer = await step.customer();
    const input = { customer: customer.id, return_url: returnUrl };
    return { refusal: await refusalOf(step.stripe.billingPortal.sessions.create(input)) };
  },
};

export const planSteps: Step[] = [
  cancellation,
  newCard,
  couponThenSmaller,
  upgrade,
  longerInterval,
  discounted,
  previewUnderSchedule,
  yearToMonth,
  deleted,
  portal,
];
