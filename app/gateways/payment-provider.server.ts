import { Stripe } from "stripe";
import { refused, done, type Result } from "#app/domain/kernel/result.ts";
import {
  type Billing,
  type Checkout,
  readCheckout,
  readInvoice,
  readSubscription,
} from "./payment-provider-objects.ts";
import { readPayment } from "./payment-provider-payments.ts";
import {
  checkoutParameters,
  type CheckoutWish,
  type Connection,
  ensureCoupon,
  findPrice,
} from "./payment-provider-checkout.ts";
import { type ProviderEvent, readEvent } from "./payment-provider-events.ts";

/** The other side did not answer in time or not in its own language; or it answered that it won't. */
export type ProviderRefusal =
  /** `isFinal`: it did answer, with a fault of its own, and would replay that answer under the same idempotency key. */
  { reason: "provider-unreachable"; isFinal: boolean } | { reason: "provider-refused"; code: string };

export type PaymentProvider = {
  createCustomer(wish: { accountId: string; email: string }): Promise<Result<string, ProviderRefusal>>;
  /** Has the provider forget a customer, and ends what still runs. One that is gone already stays so. */
  deleteCustomer(customerId: string): Promise<Result<null, ProviderRefusal>>;
  openCheckout(wish: CheckoutWish): Promise<Result<Checkout, ProviderRefusal>>;
  /** Ends an open checkout. `complete`: somebody was faster and went through with it. */
  expireCheckout(checkoutId: string): Promise<Result<"ended" | "complete", ProviderRefusal>>;
  /** Ends whatever a customer has open beside one order: nobody can pay for two. */
  expireOtherCheckouts(customerId: string, orderId: string): Promise<Result<null, ProviderRefusal>>;
  /** All that a sync needs to know of one customer, in calls side by side. */
  fetchBilling(customerId: string): Promise<Result<Billing, ProviderRefusal>>;
  /** The provider writes there from now on. */
  changeEmail(customerId: string, email: string): Promise<Result<null, ProviderRefusal>>;
  changeCancellation(subscriptionId: string, cancels: boolean): Promise<Result<null, ProviderRefusal>>;
  /** Ends a subscription at once. One that has ended already stays so. */
  endSubscription(subscriptionId: string): Promise<Result<null, ProviderRefusal>>;
  openPortal(customerId: string, returnUrl: string): Promise<Result<string, ProviderRefusal>>;
  hasPrices(priceKeys: string[]): Promise<boolean>;
  readEvent(body: string, signature: string, nowMs: number): Promise<ProviderEvent | null>;
};

/** One deadline for all calls of a request: a page answers within ten seconds whatever the provider does. */
const deadlineMs = 8000;

export function openPaymentProvider(settings: {
  key: string;
  webhookSecrets: string;
  apiBase: string;
  automaticTax: boolean;
}): PaymentProvider {
  const base = settings.apiBase ? new URL(settings.apiBase) : null;
  const stripe = new Stripe(settings.key, {
    httpClient: Stripe.createFetchHttpClient(),
    timeout: deadlineMs,
    // Its own retries would make a hang last 25 s; ours are the next click, the next event and the sweep.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(base && { host: base.hostname, port: Number(base.port), protocol: "http" as const }),
  });
  let startedAt: number | null = null;
  const within = (more: Stripe.RequestOptions = {}): Stripe.RequestOptions => {
    startedAt ??= performance.now();
    return { ...more, timeout: Math.max(1, Math.floor(deadlineMs - (performance.now() - startedAt))) };
  };

  const connection = { stripe, within };
  return {
    ...purchases(connection, settings.automaticTax),
    ...standing(connection),
    readEvent: (body, signature, nowMs) => readEvent(stripe, settings.webhookSecrets, body, signature, nowMs),
  };
}

/** What a purchase asks of the provider, from the catalogue to the checkout's end. */
function purchases({ stripe, within }: Connection, automaticTax: boolean) {
  return {
    createCustomer: ({ accountId, email }) =>
      ask(async () => {
        const wish = { email, metadata: { account: accountId } };
        return (await stripe.customers.create(wish, within({ idempotencyKey: `customer:${accountId}` }))).id;
      }),

    openCheckout: (wish) =>
      ask(async () => {
        const price = await findPrice(stripe, wish.priceKey, within());
        const coupon = wish.discount.amountMinor > 0 ? await ensureCoupon({ stripe, within }, wish.discount) : null;
        const checkout = await stripe.checkout.sessions.create(
          checkoutParameters(wish, price, coupon, automaticTax),
          within({ idempotencyKey: `checkout:${wish.orderId}` }),
        );
        return readCheckout(checkout);
      }),

    expireCheckout: (checkoutId) =>
      ask(async () => {
        const checkout = await stripe.checkout.sessions.retrieve(checkoutId, {}, within());
        if (checkout.status === "open") await stripe.checkout.sessions.expire(checkoutId, {}, within());
        return checkout.status === "complete" ? ("complete" as const) : ("ended" as const);
      }),

    expireOtherCheckouts: (customer, orderId) =>
      ask(async () => {
        const open = await stripe.checkout.sessions.list({ customer, status: "open", limit: 10 }, within());
        const others = open.data.filter((checkout) => checkout.client_reference_id !== orderId);
        await Promise.all(others.map(({ id }) => stripe.checkout.sessions.expire(id, {}, within())));
        return null;
      }),

    async hasPrices(priceKeys) {
      const found = await ask(() => stripe.prices.list({ lookup_keys: priceKeys, active: true, limit: 100 }, within()));
      return found.ok && priceKeys.every((key) => found.value.data.some((price) => price.lookup_key === key));
    },
  } satisfies Partial<PaymentProvider>;
}

/** How a customer stands with the provider, and what changes it. */
function standing({ stripe, within }: Connection) {
  return {
    fetchBilling: (customer) =>
      ask(async () => {
        const expand = ["data.default_payment_method"];
        const [holder, subscriptions, invoices, checkouts, payments] = await Promise.all([
          stripe.customers.retrieve(customer, {}, within()),
          stripe.subscriptions.list({ customer, status: "all", limit: 20, expand }, within()),
          stripe.invoices.list({ customer, limit: 20 }, within()),
          stripe.checkout.sessions.list({ customer, limit: 10 }, within()),
          stripe.paymentIntents.list({ customer, limit: 10 }, within()),
        ]);
        return {
          email: holder.deleted ? null : holder.email,
          subscriptions: subscriptions.data.map(readSubscription),
          invoices: invoices.data.map(readInvoice),
          checkouts: checkouts.data.map(readCheckout),
          payments: payments.data.map(readPayment),
        };
      }),

    changeEmail: (customer, email) =>
      ask(async () => {
        await stripe.customers.update(customer, { email }, within());
        return null;
      }),

    changeCancellation: (subscriptionId, cancels) =>
      ask(async () => {
        await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancels }, within());
        return null;
      }),

    async endSubscription(subscriptionId) {
      const ended = await ask(async () => {
        const subscription = await stripe.subscriptions.retrieve(subscriptionId, {}, within());
        if (subscription.status !== "canceled") await stripe.subscriptions.cancel(subscriptionId, {}, within());
      });
      // Another click ended it in between: the provider calls what has ended missing.
      return ended.ok || isMissing(ended.refusal) ? done(null) : ended;
    },

    async deleteCustomer(customerId) {
      const deleted = await ask(() => stripe.customers.del(customerId, {}, within()));
      return deleted.ok || isMissing(deleted.refusal) ? done(null) : deleted;
    },

    openPortal: (customer, return_url) =>
      ask(async () => (await stripe.billingPortal.sessions.create({ customer, return_url }, within())).url),
  } satisfies Partial<PaymentProvider>;
}

/** What was asked for isn't there (any more). */
function isMissing(refusal: ProviderRefusal): boolean {
  return refusal.reason === "provider-refused" && refusal.code === "resource_missing";
}

/** The SDK throws; past this border there are refusals. What isn't the provider's doing stays a bug and goes on up. */
async function ask<Value>(call: () => Promise<Value>): Promise<Result<Value, ProviderRefusal>> {
  try {
    return done(await call());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const status = typeof error.statusCode === "number" ? error.statusCode : null;
    // 409: the same call is still under way; 429: later. Both say nothing about the wish itself.
    const isRefusal = status !== null && status < 500 && status !== 409 && status !== 429;
    return refused(
      isRefusal
        ? { reason: "provider-refused", code: error.code ?? error.type }
        : { reason: "provider-unreachable", isFinal: status !== null && status >= 500 },
    );
  }
}
