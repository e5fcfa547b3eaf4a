import type { InvoiceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { done, refused } from "#app/core/result.ts";
import { callStripe } from "#app/integrations/stripe/call-stripe.ts";
import { changePlan, previewChange } from "#app/integrations/stripe/subscriptions/changes.ts";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { findBlocker, retrieveForChange } from "#app/integrations/stripe/subscriptions/pending-updates.ts";
import {
  restoreDeferredChange,
  dropDeferredChange,
  scheduleChange,
  releaseChange,
} from "#app/integrations/stripe/subscriptions/schedules.ts";
import { findPayer } from "#app/integrations/stripe/payments/payer.ts";
import { soldBy } from "#app/integrations/stripe/fields.ts";
import type { PaymentProvider } from "#app/integrations/stripe/payment-provider.ts";

/** A code of our own: Stripe documents that it refuses, but not with which code. */
const changeBlocked = { reason: "provider-refused", code: "change-blocked" } as const;

async function changeNow(connection: Connection, input: Parameters<PaymentProvider["changePlan"]>[0]) {
  const changed = await callStripe(() => changePlan(connection, input));
  if (changed.ok) return changed.value ? done(changed.value) : refused(changeBlocked);
  if (changed.refusal.reason !== "provider-refused") return changed;
  // The payment method may have changed, or a renewal become overdue, just before the call.
  const found = await callStripe(() => findChangeBlocker(connection, input.subscriptionId));
  return found.ok && found.value ? refused(changeBlocked) : changed;
}

async function findChangeBlocker(connection: Connection, subscriptionId: SubscriptionId) {
  return findBlocker(await retrieveForChange(connection, subscriptionId));
}

/** The calls that change an active plan, and those that preview a change. */
export function planChanges(connection: Connection) {
  const { stripe, within } = connection;
  return {
    previewChange: (input) => callStripe(() => previewChange(connection, input)),

    changePlan: (input) => changeNow(connection, input),

    findChangeBlocker: (subscriptionId) => callStripe(() => findChangeBlocker(connection, subscriptionId)),

    scheduleChange: (input) =>
      callStripe(async () => {
        await scheduleChange(connection, input);
        return null;
      }),

    releaseChange: (subscriptionId) =>
      callStripe(async () => {
        await releaseChange(connection, subscriptionId);
        return null;
      }),

    restoreDeferredChange: (deferred) => callStripe(() => restoreDeferredChange(connection, deferred)),

    dropDeferredChange: (deferred) =>
      callStripe(async () => {
        await dropDeferredChange(connection, deferred);
        return null;
      }),

    payInvoice: (invoiceId, attemptKey) =>
      callStripe(async () => {
        await stripe.invoices.pay(invoiceId, {}, within({ idempotencyKey: `pay:${invoiceId}:${attemptKey}` }));
        return null;
      }),

    finalizeInvoice: (invoiceId) => callStripe(() => finalizeDraft(connection, invoiceId)),

    voidInvoice: (invoiceId) =>
      callStripe(async () => {
        const invoice = await stripe.invoices.retrieve(invoiceId, {}, within());
        if (invoice.status === "open") await stripe.invoices.voidInvoice(invoiceId, {}, within());
        return invoice.status === "paid" ? ("paid" as const) : ("void" as const);
      }),

    labelInvoice: (invoiceId, { orderId, orderNumber }) =>
      callStripe(async () => {
        const metadata = { ...(orderId && { order: orderId }), ...(orderNumber && { number: orderNumber }) };
        await stripe.invoices.update(invoiceId, { metadata }, within());
        return null;
      }),

    findSold: (priceId) => callStripe(async () => soldBy(await stripe.prices.retrieve(priceId, {}, within()))),

    findPayer: (id) => callStripe(() => findPayer(connection, id)),
  } satisfies Partial<PaymentProvider>;
}

async function finalizeDraft({ stripe, within }: Connection, invoiceId: InvoiceId): Promise<null> {
  const invoice = await stripe.invoices.retrieve(invoiceId, {}, within());
  if (invoice.status !== "draft") return null;
  const idempotencyKey = `finalize:${invoiceId}`;
  await stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: true }, within({ idempotencyKey }));
  return null;
}
