import { idOf } from "#app/integrations/stripe/fields.ts";
import type Stripe from "stripe";
import { factsOf, paidWith, refusalOf } from "./facts.ts";
import type { StepContext, Step } from "./step-context.ts";

/** Opens a checkout as the site does, and has it paid. */
async function buy(
  step: StepContext,
  customer: Stripe.Customer,
  outcome: "paid" | "processing",
): Promise<Stripe.Subscription> {
  const session = await step.stripe.checkout.sessions.create(sessionFor(step, customer));
  await step.payCheckout(session, outcome);
  const [subscription] = (await step.stripe.subscriptions.list({ customer: customer.id })).data;
  if (subscription === undefined) throw new Error("The checkout made no subscription");
  return subscription;
}

const sessionFor = (step: StepContext, customer: Stripe.Customer): Stripe.Checkout.SessionCreateParams => ({
  mode: "subscription",
  customer: customer.id,
  line_items: [{ price: step.prices.small.month.id, quantity: 1 }],
  success_url: "https://foyer.example/payment/success",
  cancel_url: "https://foyer.example/payment/cancelled",
  client_reference_id: `ord_${step.nonce}`,
  adaptive_pricing: { enabled: false },
});

const credit: Step = {
  name: "credit-at-checkout",
  run: async (step) => {
    const customer = await step.customer(null);
    const { provider } = step.target;
    const key = `${step.nonce}-credit`;
    const customerId = idOf(customer);
    const given = { customerId, currency: "EUR", key, lineId: null, amountMinor: 200 };
    const moved = await provider.addBalanceTransaction(given);
    const subscription = await buy(step, customer, "paid");
    const invoice = await step.latestInvoice(subscription);
    return {
      moved,
      invoice: factsOf(invoice),
      transactions: await provider.listBalanceTransactions(customerId, "EUR"),
    };
  },
};

const sepaUpgrade: Step = {
  name: "upgrade-by-sepa-debit",
  run: async (step) => {
    const customer = await step.customer(null);
    const subscription = await buy(step, customer, "processing");
    await step.advance(7);
    const items = [{ id: subscription.items.data[0]?.id ?? "", price: step.prices.large.month.id }];
    const behaviour = { payment_behavior: "pending_if_incomplete", proration_behavior: "always_invoice" } as const;
    const refusal = await refusalOf(step.stripe.subscriptions.update(subscription.id, { items, ...behaviour }));
    return { refusal, blocker: await step.target.provider.findChangeBlocker(idOf(subscription)) };
  },
};

const voidProcessing: Step = {
  name: "void-while-a-debit-is-processing",
  run: async (step) => {
    const customer = await step.customer(null);
    const subscription = await buy(step, customer, "processing");
    await step.advance(7);
    // The renewal's debit has begun and takes days.
    await step.advance(24.5);
    const invoice = await step.latestInvoice(subscription);
    const voided = await refusalOf(step.stripe.invoices.voidInvoice(invoice.id));
    return { before: factsOf(invoice), voided, after: factsOf(await step.latestInvoice(subscription)) };
  },
};

const upgradeProcessing: Step = {
  name: "upgrade-while-a-debit-is-processing",
  run: async (step) => {
    const customer = await step.customer(null);
    const subscription = await buy(step, customer, "processing");
    await step.advance(7);
    await step.advance(24.5);
    const { status } = await step.stripe.subscriptions.retrieve(subscription.id);
    const input = { subscriptionId: idOf(subscription), price: step.shown("large", "month"), prorationAt: null };
    const quote = await step.target.provider.previewChange(input);
    if (!quote.ok) return { status, quote };
    const { blocker, lines } = quote.value;
    return { status, blocker, isUnpaidCredited: lines.some(({ amountMinor }) => amountMinor < 0) };
  },
};

const email: Step = {
  name: "email-with-an-umlaut",
  run: async (step) => {
    const test_clock = step.clockId;
    const refusal = await refusalOf(step.stripe.customers.create({ email: "jürgen@example.com", test_clock }));
    const noDomain = await refusalOf(step.stripe.customers.create({ email: "juergen@example", test_clock }));
    return { refusal, noDomain };
  },
};

const smallTotal: Step = {
  name: "checkout-of-0.30",
  run: async (step) => {
    const id = `${step.nonce}-nearly-all`;
    await step.stripe.coupons.create({ id, amount_off: 570, currency: "eur", duration: "once" });
    const customer = await step.customer(null);
    const input = { ...sessionFor(step, customer), discounts: [{ coupon: id }] };
    return { refusal: await refusalOf(step.stripe.checkout.sessions.create(input)) };
  },
};

const parallelReads = 40;

/** How many of the reads are refused is random, so the refusal alone is compared. */
const rateLimit: Step = {
  name: "rate-limit",
  run: async (step) => {
    const customer = await step.customer(null);
    await step.target.control?.("disorder", { apiFault: { kind: "429", next: 1 } });
    const { quiet } = step.target;
    const read = () => refusalOf(quiet.customers.retrieve(customer.id, {}, { maxNetworkRetries: 0 }));
    const refusals = await Promise.all(Array.from({ length: parallelReads }, read));
    await step.target.control?.("disorder", {});
    return { refusal: refusals.find((refusal) => refusal !== null) ?? null };
  },
};

const refund: Step = {
  name: "refunds-with-a-reason",
  run: async (step) => {
    const customer = await step.customer();
    await step.subscribe(customer, step.prices.small.month);
    const [charge] = (await step.stripe.charges.list({ customer: customer.id, limit: 1 })).data;
    if (charge === undefined) throw new Error("Nothing was charged");
    const part = { charge: charge.id, amount: 100, reason: "requested_by_customer" as const };
    await step.stripe.refunds.create(part);
    await step.stripe.refunds.create({ charge: charge.id, reason: "duplicate" });
    const tooMuch = await refusalOf(step.stripe.refunds.create({ charge: charge.id }));
    const { refunded, amount_refunded } = await step.stripe.charges.retrieve(charge.id);
    return { tooMuch, refunded, amount_refunded };
  },
};

const confirmation: Step = {
  name: "upgrade-that-the-bank-asks-about",
  run: async (step) => {
    const customer = await step.customer();
    const subscription = await step.subscribe(customer, step.prices.small.month);
    await step.useCard(customer, "pm_card_authenticationRequired");
    const input = { subscriptionId: idOf(subscription), price: step.shown("large", "month"), prorationAt: null };
    const change = await step.target.provider.changePlan({ ...input, orderId: `ord_${step.nonce}-asked` });
    const pending = await step.stripe.subscriptions.retrieve(subscription.id);
    const invoice = await step.latestInvoice(subscription);
    const voided = await step.target.provider.voidInvoice(idOf(invoice));
    const after = await step.stripe.subscriptions.retrieve(subscription.id);
    return {
      change,
      voided,
      wasPending: pending.pending_update !== null,
      isPending: after.pending_update !== null,
      status: after.status,
    };
  },
};

const failedRenewal: Step = {
  name: "renewal-that-fails-then-another-card",
  run: async (step) => {
    const customer = await step.customer();
    const subscription = await step.subscribe(customer, step.prices.small.month);
    await step.useCard(customer, "pm_card_chargeCustomerFail");
    await step.advance(32);
    const failed = await step.stripe.subscriptions.retrieve(subscription.id);
    const invoice = await step.latestInvoice(subscription);
    const again = await refusalOf(step.stripe.invoices.pay(invoice.id));
    await step.useCard(customer, "pm_card_visa");
    const paid = await step.target.provider.payInvoice(idOf(invoice), step.nonce);
    const { status } = await step.stripe.subscriptions.retrieve(subscription.id);
    return { afterRenewal: failed.status, again, paid, status, paidWith: await paidWith(step, customer) };
  },
};

export const moneySteps: Step[] = [
  credit,
  sepaUpgrade,
  voidProcessing,
  upgradeProcessing,
  email,
  smallTotal,
  rateLimit,
  refund,
  confirmation,
  failedRenewal,
];
