import { done } from "#app/domain/kernel/result.ts";
import { ask, isMissing } from "./payment-provider-ask.ts";
import { openPortal, readCard } from "./payment-provider-cards.ts";
import { fetchPlannedChanges } from "./payment-provider-changes.ts";
import type { Connection } from "./payment-provider-checkout.ts";
import { fetchCharges } from "./payment-provider-money-back.ts";
import { readCheckout, readInvoice, readSubscription } from "./payment-provider-objects.ts";
import { readPayment } from "./payment-provider-payments.ts";
import type { PaymentProvider } from "./payment-provider.server.ts";

/** How a customer stands with the provider, and what changes it. */
export function standing(connection: Connection) {
  const { stripe, within } = connection;
  return {
    fetchBilling: (customer) =>
      ask(async () => {
        const expand = ["data.default_payment_method"];
        const [holder, subscriptions, invoices, checkouts, payments, charges, plannedChanges] = await Promise.all([
          stripe.customers.retrieve(customer, { expand: ["invoice_settings.default_payment_method"] }, within()),
          stripe.subscriptions.list({ customer, status: "all", limit: 20, expand }, within()),
          stripe.invoices.list({ customer, limit: 100, expand: ["data.payments"] }, within()),
          stripe.checkout.sessions.list({ customer, limit: 20 }, within()),
          stripe.paymentIntents.list({ customer, limit: 100 }, within()),
          fetchCharges(connection, customer),
          fetchPlannedChanges(connection, customer),
        ]);
        const card = holder.deleted ? null : readCard(holder.invoice_settings.default_payment_method);
        return {
          email: holder.deleted ? null : (holder.email ?? ""),
          // The provider counts what a customer owes: credit is below zero.
          creditMinor: holder.deleted ? 0 : Math.max(0, -holder.balance),
          subscriptions: subscriptions.data.map((subscription) => readSubscription(subscription, card)),
          invoices: invoices.data.map(readInvoice),
          checkouts: checkouts.data.map(readCheckout),
          payments: payments.data.map(readPayment),
          charges,
          plannedChanges,
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

    openPortal: (customer, returnUrl) => ask(() => openPortal(connection, customer, returnUrl)),
  } satisfies Partial<PaymentProvider>;
}
