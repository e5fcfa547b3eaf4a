import type Stripe from "stripe";
import { factsOf, paidWith, refusalOf } from "./facts.ts";
import type { Facts, Stage, Step } from "./stage.ts";

const returnUrl = "https://foyer.example/settings/plan";

/** Quotes a change, pays it by the quote, and returns both. */
async function quoteAndCharge(stage: Stage, subscription: Stripe.Subscription, priceKey: string): Promise<Facts> {
  const input = { subscriptionId: subscription.id, priceKey, prorationAt: null };
  const quote = await stage.target.provider.previewChange(input);
  if (!quote.ok) return { quote };
  const { prorationAt } = quote.value;
  const change = await stage.target.provider.changePlan({
    ...input,
    prorationAt,
    orderId: `${stage.nonce}-${priceKey}`,
  });
  const invoice = await stage.latestInvoice(subscription);
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
  run: async (stage) => {
    const subscription = await stage.subscribe(await stage.customer(), stage.prices.small.month);
    await stage.advance(10);
    return quoteAndCharge(stage, subscription, stage.key("large", "month"));
  },
};

const longerInterval: Step = {
  name: "quote-of-a-longer-interval",
  run: async (stage) => {
    const subscription = await stage.subscribe(await stage.customer(), stage.prices.small.month);
    await stage.advance(10);
    return quoteAndCharge(stage, subscription, stage.key("small", "year"));
  },
};

const discounted: Step = {
  name: "quote-with-a-discount",
  run: async (stage) => {
    const id = `${stage.nonce}-tenth`;
    await stage.stripe.coupons.create({ id, percent_off: 10, duration: "forever" });
    const customer = await stage.customer();
    const subscription = await stage.subscribe(customer, stage.prices.small.month, { discounts: [{ coupon: id }] });
    await stage.advance(10);
    return quoteAndCharge(stage, subscription, stage.key("large", "month"));
  },
};

const cancellation: Step = {
  name: "cancelled-by-date-then-kept",
  run: async (stage) => {
    const subscription = await stage.subscribe(await stage.customer(), stage.prices.small.month);
    const periodEnd = subscription.items.data[0]?.current_period_end;
    if (periodEnd === undefined) throw new Error("The subscription has no period");
    // As the dashboard cancels a plan in flexible billing mode.
    await stage.stripe.subscriptions.update(subscription.id, { cancel_at: periodEnd });
    const kept = await stage.target.provider.changeCancellation(subscription.id, false);
    const cancelled = await stage.target.provider.changeCancellation(subscription.id, true);
    const keptAgain = await stage.target.provider.changeCancellation(subscription.id, false);
    await stage.advance(32);
    const { status, cancel_at } = await stage.stripe.subscriptions.retrieve(subscription.id);
    return { kept, cancelled, keptAgain, status, cancel_at };
  },
};

const newCard: Step = {
  name: "smaller-plan-then-new-card",
  run: async (stage) => {
    const customer = await stage.customer();
    const card = customer.invoice_settings.default_payment_method;
    // Attached to its card, as Checkout leaves it.
    const subscription = await stage.subscribe(customer, stage.prices.large.month, {
      default_payment_method: String(card),
    });
    const { id: subscriptionId } = subscription;
    const planned = await stage.target.provider.planChange({ subscriptionId, priceKey: stage.key("small", "month") });
    await stage.useCard(customer, "pm_card_mastercard");
    const { schedule } = await stage.stripe.subscriptions.retrieve(subscriptionId);
    const before = await stage.stripe.subscriptionSchedules.retrieve(String(schedule));
    await stage.stripe.subscriptions.update(subscriptionId, { default_payment_method: "" });
    await stage.advance(32);
    const renewal = await stage.latestInvoice(subscription);
    return {
      planned,
      cardOfSchedule: before.default_settings.default_payment_method,
      renewal: factsOf(renewal),
      paidWith: await paidWith(stage, customer),
    };
  },
};

const couponThenSmaller: Step = {
  name: "dashboard-coupon-then-smaller-plan",
  run: async (stage) => {
    const id = `${stage.nonce}-half`;
    await stage.stripe.coupons.create({ id, percent_off: 50, duration: "forever" });
    const subscription = await stage.subscribe(await stage.customer(), stage.prices.large.month);
    const { id: subscriptionId } = subscription;
    await stage.stripe.subscriptions.update(subscriptionId, { discounts: [{ coupon: id }] });
    const planned = await stage.target.provider.planChange({ subscriptionId, priceKey: stage.key("small", "month") });
    const { discounts } = await stage.stripe.subscriptions.retrieve(subscriptionId);
    await stage.advance(32);
    return { planned, discounts: discounts.length, renewal: factsOf(await stage.latestInvoice(subscription)) };
  },
};

const previewUnderSchedule: Step = {
  name: "quote-under-a-schedule",
  run: async (stage) => {
    const subscription = await stage.subscribe(await stage.customer(), stage.prices.large.month);
    const { id: subscriptionId } = subscription;
    await stage.target.provider.planChange({ subscriptionId, priceKey: stage.key("small", "month") });
    await stage.advance(10);
    return quoteAndCharge(stage, subscription, stage.key("large", "year"));
  },
};

const yearToMonth: Step = {
  name: "from-a-year-to-a-month",
  run: async (stage) => {
    const subscription = await stage.subscribe(await stage.customer(), stage.prices.small.year);
    const input = { subscriptionId: subscription.id, priceKey: stage.key("small", "month") };
    const planned = await stage.target.provider.planChange(input);
    await stage.advance(366);
    return { planned, renewal: factsOf(await stage.latestInvoice(subscription)) };
  },
};

const deleted: Step = {
  name: "lists-of-a-deleted-customer",
  run: async (stage) => {
    const customer = await stage.customer();
    await stage.subscribe(customer, stage.prices.small.month);
    await stage.collectEvents();
    const [charge] = (await stage.stripe.charges.list({ customer: customer.id })).data;
    const gone = await stage.target.provider.deleteCustomer(customer.id);
    const billing = await stage.target.provider.fetchBilling(customer.id);
    const list = await refusalOf(stage.stripe.subscriptions.list({ customer: customer.id, status: "all" }));
    // As for an account that is erased (decision 0100).
    const refund = await refusalOf(stage.stripe.refunds.create({ charge: charge?.id ?? "" }));
    const refunded = await stage.target.provider.fetchBilling(customer.id);
    return { gone, billing, list, refund, refunded };
  },
};

const portal: Step = {
  name: "portal-without-a-default",
  run: async (stage) => {
    const customer = await stage.customer();
    const input = { customer: customer.id, return_url: returnUrl };
    return { refusal: await refusalOf(stage.stripe.billingPortal.sessions.create(input)) };
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
