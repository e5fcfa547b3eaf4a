import type Stripe from "stripe";
import { factsOf, paidWith, refusalOf } from "./facts.ts";
import type { Stage, Step } from "./stage.ts";

/** Opens a checkout as the site does, and has it paid. */
async function buy(
  stage: Stage,
  customer: Stripe.Customer,
  outcome: "paid" | "processing",
): Promise<Stripe.Subscription> {
  const session = await stage.stripe.checkout.sessions.create(sessionFor(stage, customer));
  await stage.payCheckout(session, outcome);
  const [subscription] = (await stage.stripe.subscriptions.list({ customer: customer.id })).data;
  if (subscription === undefined) throw new Error("The checkout made no subscription");
  return subscription;
}

const sessionFor = (stage: Stage, customer: Stripe.Customer): Stripe.Checkout.SessionCreateParams => ({
  mode: "subscription",
  customer: customer.id,
  line_items: [{ price: stage.prices.small.month.id, quantity: 1 }],
  success_url: "https://foyer.example/payment/success",
  cancel_url: "https://foyer.example/payment/cancelled",
  client_reference_id: `ord_${stage.nonce}`,
  adaptive_pricing: { enabled: false },
});

const credit: Step = {
  name: "credit-at-checkout",
  run: async (stage) => {
    const customer = await stage.customer(null);
    const { provider } = stage.target;
    const key = `${stage.nonce}-credit`;
    const given = { customerId: customer.id, currency: "EUR", key, lineId: null, amountMinor: 200 };
    const moved = await provider.moveCredit(given);
    const subscription = await buy(stage, customer, "paid");
    const invoice = await stage.latestInvoice(subscription);
    return { moved, invoice: factsOf(invoice), moves: await provider.listCreditMoves(customer.id, "EUR") };
  },
};

const sepaUpgrade: Step = {
  name: "upgrade-by-sepa-debit",
  run: async (stage) => {
    const customer = await stage.customer(null);
    const subscription = await buy(stage, customer, "processing");
    await stage.advance(7);
    const items = [{ id: subscription.items.data[0]?.id ?? "", price: stage.prices.large.month.id }];
    const behaviour = { payment_behavior: "pending_if_incomplete", proration_behavior: "always_invoice" } as const;
    const refusal = await refusalOf(stage.stripe.subscriptions.update(subscription.id, { items, ...behaviour }));
    return { refusal, blocker: await stage.target.provider.findChangeBlocker(subscription.id) };
  },
};

const voidProcessing: Step = {
  name: "void-while-a-debit-is-processing",
  run: async (stage) => {
    const customer = await stage.customer(null);
    const subscription = await buy(stage, customer, "processing");
    await stage.advance(7);
    // The renewal's debit has begun and takes days.
    await stage.advance(24.5);
    const invoice = await stage.latestInvoice(subscription);
    const voided = await refusalOf(stage.stripe.invoices.voidInvoice(invoice.id));
    return { before: factsOf(invoice), voided, after: factsOf(await stage.latestInvoice(subscription)) };
  },
};

const upgradeProcessing: Step = {
  name: "upgrade-while-a-debit-is-processing",
  run: async (stage) => {
    const customer = await stage.customer(null);
    const subscription = await buy(stage, customer, "processing");
    await stage.advance(7);
    await stage.advance(24.5);
    const { status } = await stage.stripe.subscriptions.retrieve(subscription.id);
    const input = { subscriptionId: subscription.id, priceKey: stage.key("large", "month"), prorationAt: null };
    const quote = await stage.target.provider.previewChange(input);
    if (!quote.ok) return { status, quote };
    const { blocker, lines } = quote.value;
    return { status, blocker, isUnpaidCredited: lines.some(({ amountMinor }) => amountMinor < 0) };
  },
};

const email: Step = {
  name: "email-with-an-umlaut",
  run: async (stage) => {
    const test_clock = stage.clockId;
    const refusal = await refusalOf(stage.stripe.customers.create({ email: "jürgen@example.com", test_clock }));
    const noDomain = await refusalOf(stage.stripe.customers.create({ email: "juergen@example", test_clock }));
    return { refusal, noDomain };
  },
};

const smallTotal: Step = {
  name: "checkout-of-0.30",
  run: async (stage) => {
    const id = `${stage.nonce}-nearly-all`;
    await stage.stripe.coupons.create({ id, amount_off: 570, currency: "eur", duration: "once" });
    const customer = await stage.customer(null);
    const input = { ...sessionFor(stage, customer), discounts: [{ coupon: id }] };
    return { refusal: await refusalOf(stage.stripe.checkout.sessions.create(input)) };
  },
};

const parallelReads = 40;

/** How many of the reads are refused is random, so the refusal alone is compared. */
const rateLimit: Step = {
  name: "rate-limit",
  run: async (stage) => {
    const customer = await stage.customer(null);
    await stage.target.control?.("disorder", { apiFault: { kind: "429", next: 1 } });
    const { quiet } = stage.target;
    const read = () => refusalOf(quiet.customers.retrieve(customer.id, {}, { maxNetworkRetries: 0 }));
    const refusals = await Promise.all(Array.from({ length: parallelReads }, read));
    await stage.target.control?.("disorder", {});
    return { refusal: refusals.find((refusal) => refusal !== null) ?? null };
  },
};

const refund: Step = {
  name: "refunds-with-a-reason",
  run: async (stage) => {
    const customer = await stage.customer();
    await stage.subscribe(customer, stage.prices.small.month);
    const [charge] = (await stage.stripe.charges.list({ customer: customer.id, limit: 1 })).data;
    if (charge === undefined) throw new Error("Nothing was charged");
    const part = { charge: charge.id, amount: 100, reason: "requested_by_customer" as const };
    await stage.stripe.refunds.create(part);
    await stage.stripe.refunds.create({ charge: charge.id, reason: "duplicate" });
    const tooMuch = await refusalOf(stage.stripe.refunds.create({ charge: charge.id }));
    const { refunded, amount_refunded } = await stage.stripe.charges.retrieve(charge.id);
    return { tooMuch, refunded, amount_refunded };
  },
};

const confirmation: Step = {
  name: "upgrade-that-the-bank-asks-about",
  run: async (stage) => {
    const customer = await stage.customer();
    const subscription = await stage.subscribe(customer, stage.prices.small.month);
    await stage.useCard(customer, "pm_card_authenticationRequired");
    const input = { subscriptionId: subscription.id, priceKey: stage.key("large", "month"), prorationAt: null };
    const change = await stage.target.provider.changePlan({ ...input, orderId: `${stage.nonce}-asked` });
    const pending = await stage.stripe.subscriptions.retrieve(subscription.id);
    const invoice = await stage.latestInvoice(subscription);
    const voided = await stage.target.provider.voidInvoice(invoice.id);
    const after = await stage.stripe.subscriptions.retrieve(subscription.id);
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
  run: async (stage) => {
    const customer = await stage.customer();
    const subscription = await stage.subscribe(customer, stage.prices.small.month);
    await stage.useCard(customer, "pm_card_chargeCustomerFail");
    await stage.advance(32);
    const failed = await stage.stripe.subscriptions.retrieve(subscription.id);
    const invoice = await stage.latestInvoice(subscription);
    const again = await refusalOf(stage.stripe.invoices.pay(invoice.id));
    await stage.useCard(customer, "pm_card_visa");
    const paid = await stage.target.provider.payInvoice(invoice.id, stage.nonce);
    const { status } = await stage.stripe.subscriptions.retrieve(subscription.id);
    return { afterRenewal: failed.status, again, paid, status, paidWith: await paidWith(stage, customer) };
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
