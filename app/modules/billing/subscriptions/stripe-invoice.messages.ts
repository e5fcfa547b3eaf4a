import type { Messages } from "#app/core/messages.ts";

const en = {
  /** At the foot of Stripe's own invoice, which has another number: it is a record of the payment, and the invoice is on the site. */
  footer: (product: string, url: string) =>
    `This is Stripe's record of the payment. Your ${product} invoice, with its own number, is at ${url}`,
};

export const stripeInvoiceMessages: Messages<typeof en> = { en };
