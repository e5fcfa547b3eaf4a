import { ask } from "./payment-provider-ask.ts";
import { changePlan, previewChange } from "./payment-provider-changes.ts";
import type { Connection } from "./payment-provider-checkout.ts";
import { idOf, soldBy } from "./payment-provider-objects.ts";
import { bringBack, dropAside, planChange, releaseChange } from "./payment-provider-planned.ts";
import type { PaymentProvider } from "./payment-provider.server.ts";

/** What changes a running plan, and what is asked for it. */
export function moves(connection: Connection) {
  const { stripe, within } = connection;
  return {
    previewChange: (wish) => ask(() => previewChange(connection, wish)),
    changePlan: (wish) => ask(() => changePlan(connection, wish)),

    planChange: (wish) =>
      ask(async () => {
        await planChange(connection, wish);
        return null;
      }),

    releaseChange: (subscriptionId) =>
      ask(async () => {
        await releaseChange(connection, subscriptionId);
        return null;
      }),

    bringBack: (aside) => ask(() => bringBack(connection, aside)),

    dropAside: (aside) =>
      ask(async () => {
        await dropAside(connection, aside);
        return null;
      }),

    payInvoice: (invoiceId, cause) =>
      ask(async () => {
        await stripe.invoices.pay(invoiceId, {}, within({ idempotencyKey: `pay:${invoiceId}:${cause}` }));
        return null;
      }),

    voidInvoice: (invoiceId) =>
      ask(async () => {
        const invoice = await stripe.invoices.retrieve(invoiceId, {}, within());
        if (invoice.status === "open") await stripe.invoices.voidInvoice(invoiceId, {}, within());
        return invoice.status === "paid" ? ("paid" as const) : ("void" as const);
      }),

    labelInvoice: (invoiceId, { orderId, orderNumber }) =>
      ask(async () => {
        const metadata = { ...(orderId && { order: orderId }), ...(orderNumber && { number: orderNumber }) };
        await stripe.invoices.update(invoiceId, { metadata }, within());
        return null;
      }),

    findSold: (priceId) => ask(async () => soldBy(await stripe.prices.retrieve(priceId, {}, within()))),

    findPayer: (paymentId) =>
      ask(async () => idOf((await stripe.paymentIntents.retrieve(paymentId, {}, within())).customer)),
  } satisfies Partial<PaymentProvider>;
}
