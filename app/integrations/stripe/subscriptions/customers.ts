import type { CustomerId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { Stripe } from "stripe";
import type { EndCause } from "#app/core/stripe/states.ts";
import { readId } from "#app/core/id.ts";
import { done } from "#app/core/result.ts";
import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import { callStripe } from "#app/integrations/stripe/call-stripe.ts";
import { fetchBilling, nothingLeft } from "#app/integrations/stripe/billing.ts";
import { writeCancellation } from "./cancellation.ts";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { refundMismatch, refundRest } from "#app/integrations/stripe/payments/charges.ts";
import { openBillingPortal } from "#app/integrations/stripe/payments/portal.ts";
import { endComments } from "#app/integrations/stripe/read-subscription.ts";
import { idOf, ms, soldBy } from "#app/integrations/stripe/fields.ts";
import type { PaymentProvider } from "#app/integrations/stripe/payment-provider.ts";

/** A customer's billing state at Stripe, and the calls that change it. */
export function customerCalls(connection: Connection) {
  const { stripe, within } = connection;
  return {
    async fetchBilling(customer, wanted) {
      const fetched = await callStripe(() => fetchBilling(connection, customer, wanted));
      if (fetched.ok || fetched.refusal.reason !== "provider-refused") return fetched;
      // Stripe refuses these lists for a deleted customer; retrieving the id shows whether that is why.
      const looked = await callStripe(() => stripe.customers.retrieve(customer, {}, within()));
      return looked.ok && looked.value.deleted ? done(nothingLeft) : fetched;
    },

    findOwner: (customer) => findOwner(connection, customer),

    describeCustomer: (customer) =>
      callStripe(async () => {
        const found = await stripe.customers.retrieve(customer, {}, within());
        if (found.deleted) return null;
        const subscriptions = await stripe.subscriptions.list({ customer, limit: 100 }, within());
        const running = subscriptions.data.filter(({ ended_at }) => ended_at === null);
        const plans = running.flatMap(({ items }) => items.data.map(({ price }) => soldBy(price)?.planId ?? null));
        return { email: found.email, isNamed: found.metadata["account"] !== undefined, plans };
      }),

    nameAccount: (customer, account) =>
      callStripe(async () => {
        await stripe.customers.update(customer, { metadata: { account } }, within());
        return null;
      }),

    changeDetails: (customer, { email, invoiceFooter: footer }) =>
      callStripe(async () => {
        await stripe.customers.update(customer, { email, invoice_settings: { footer } }, within());
        return null;
      }),

    changeCancellation: (subscriptionId, cancels) =>
      callStripe(() => writeCancellation(connection, subscriptionId, cancels)),

    changeScheduleCard: (scheduleId, default_payment_method) =>
      callStripe(async () => {
        await stripe.subscriptionSchedules.update(
          scheduleId,
          { default_settings: { default_payment_method } },
          within(),
        );
        return null;
      }),

    endSubscription: (subscriptionId, cause) => callStripe(() => endSubscription(connection, subscriptionId, cause)),

    endWithNotice: (subscriptionId, noticeUntil) =>
      callStripe(async () => {
        await giveNotice(connection, subscriptionId, noticeUntil);
        return endSubscription(connection, subscriptionId);
      }),

    changeDisputeHold: (subscriptionId, isHeld) =>
      callStripe(() => changeDisputeHold(connection, subscriptionId, isHeld)),

    resumeSubscription: (subscriptionId) => callStripe(() => resumeSubscription(connection, subscriptionId)),

    endUnpaid: (subscription, cause) =>
      callStripe(async () => {
        const endedAt = await endSubscription(connection, subscription, cause);
        const open = await fetchOpenInvoices(connection, subscription);
        const givenUp = open.filter(({ isProcessing }) => !isProcessing);
        await Promise.all(givenUp.map(({ id }) => stripe.invoices.voidInvoice(id, {}, within())));
        return endedAt;
      }),

    isPaymentInProcess: (subscription) =>
      callStripe(async () =>
        (await fetchOpenInvoices(connection, subscription)).some(({ isProcessing }) => isProcessing),
      ),

    refundRest: (input) => callStripe(() => refundRest(connection, input)),

    refundMismatch: (input) => callStripe(() => refundMismatch(connection, input)),

    async deleteCustomer(customerId) {
      const deleted = await callStripe(() => stripe.customers.del(customerId, {}, within()));
      return deleted.ok || isMissing(deleted.refusal) ? done(null) : deleted;
    },

    openPortal: (customer, returnUrl) => callStripe(() => openBillingPortal(connection, customer, returnUrl)),
  } satisfies Partial<PaymentProvider>;
}

/** While it is held, Stripe voids what it would charge. */
async function changeDisputeHold(
  { stripe, within }: Connection,
  subscriptionId: SubscriptionId,
  isHeld: boolean,
): Promise<null> {
  const input = isHeld
    ? ({ pause_collection: { behavior: "void" }, metadata: { hold: "dispute" } } as const)
    : ({ pause_collection: "", metadata: { hold: "" } } as const);
  await stripe.subscriptions.update(subscriptionId, input, within());
  return null;
}

/** With the dates it had, and no charge for the time in between. */
async function resumeSubscription({ stripe, within }: Connection, subscriptionId: SubscriptionId): Promise<null> {
  const input = { billing_cycle_anchor: { type: "unchanged" }, proration_behavior: "none" } as const;
  await stripe.subscriptions.resume(subscriptionId, input, within());
  return null;
}

/** Reads the account from the metadata that the customer was created with. */
async function findOwner({ stripe, within }: Connection, customer: CustomerId) {
  const found = await callStripe(() => stripe.customers.retrieve(customer, {}, within()));
  if (!found.ok) return isMissing(found.refusal) ? done(null) : found;
  return done(found.value.deleted ? null : readId("acc", found.value.metadata["account"]));
}

/** What a subscription owes. A list expands no deeper than four levels, so payments are asked for one by one. */
async function fetchOpenInvoices({ stripe, within }: Connection, subscription: SubscriptionId) {
  const open = await stripe.invoices.list(
    { subscription, status: "open", limit: 20, expand: ["data.payments"] },
    within(),
  );
  return Promise.all(
    open.data.map(async ({ id, payments }) => {
      const ids = (payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
      const intents = await Promise.all(ids.map((intent) => stripe.paymentIntents.retrieve(intent, {}, within())));
      return { id, isProcessing: intents.some(({ status }) => status === "processing") };
    }),
  );
}

/** Notes until when a subscription would run. It isn't an error if it ends meanwhile: another request has noted it then. */
async function giveNotice(connection: Connection, id: SubscriptionId, endsAt: number): Promise<void> {
  try {
    await writeCancellation(connection, id, { endsAt });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const found = await connection.stripe.subscriptions.retrieve(id, {}, connection.within());
    if (found.ended_at === null) throw error;
  }
}

/** Returns when the subscription ended. It isn't an error if it ends meanwhile: Stripe reports ended subscriptions as missing. */
async function endSubscription({ stripe, within }: Connection, id: SubscriptionId, cause?: EndCause): Promise<number> {
  const found = await stripe.subscriptions.retrieve(id, {}, within());
  const details = cause === undefined ? {} : { cancellation_details: { comment: endComments[cause] } };
  const hasEnded = found.status === "canceled" || found.status === "incomplete_expired";
  const ended = hasEnded ? found : await stripe.subscriptions.cancel(id, details, within()).catch(again);
  return ms(ended.ended_at ?? ended.start_date);

  function again(error: unknown): Promise<Stripe.Subscription> {
    if (!(error instanceof Stripe.errors.StripeError) || error.code !== "resource_missing") throw error;
    return stripe.subscriptions.retrieve(id, {}, within());
  }
}
