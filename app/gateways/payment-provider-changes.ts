import type Stripe from "stripe";
import { type Connection, findPrice } from "./payment-provider-checkout.ts";
import { endingBalance, type InvoiceLine, readInvoice } from "./payment-provider-invoices.ts";
import { idOf, maybeMs } from "./payment-provider-objects.ts";
import { setAside } from "./payment-provider-planned.ts";

export type ChangeWish = {
  subscriptionId: string;
  priceKey: string;
  /** The moment by which unused and remaining time are reckoned; null: the provider's now. */
  prorationAt: number | null;
};

/** What a change of plan costs now, as the provider reckons it: nothing is charged by asking. */
export type ChangeQuote = {
  amountMinor: number;
  /** Credit that is used; below zero, what is added to it. */
  creditMinor: number;
  /** What comes over from an earlier charge; below zero, what is too little to be asked for alone and goes over to the next. */
  carriedMinor: number;
  /** What the charge after this one has less; below zero where it has more. */
  creditAfterMinor: number;
  taxMinor: number;
  currency: string;
  prorationAt: number;
  /** When the period ends that begins or goes on with the change. */
  nextChargeAt: number;
  lines: InvoiceLine[];
};

export async function previewChange({ stripe, within }: Connection, wish: ChangeWish): Promise<ChangeQuote> {
  const [price, item] = await Promise.all([
    findPrice(stripe, wish.priceKey, within()),
    findItem({ stripe, within }, wish.subscriptionId),
  ]);
  const preview = await stripe.invoices.createPreview(
    {
      subscription: wish.subscriptionId,
      subscription_details: {
        items: [{ id: item.id, price }],
        proration_behavior: "always_invoice",
        ...(wish.prorationAt !== null && { proration_date: wish.prorationAt / 1000 }),
      },
    },
    within(),
  );
  const invoice = readInvoice(preview);
  const reckonedAt = maybeMs(preview.parent?.subscription_details?.subscription_proration_date);
  return {
    amountMinor: invoice.amountMinor,
    creditMinor: invoice.creditMinor,
    carriedMinor: invoice.carriedMinor,
    creditAfterMinor: -endingBalance(preview),
    taxMinor: invoice.taxMinor,
    currency: invoice.currency,
    prorationAt: wish.prorationAt ?? reckonedAt ?? Math.max(...invoice.lines.map((line) => line.periodStartsAt)),
    nextChargeAt: Math.max(...invoice.lines.map((line) => line.periodEndsAt)),
    lines: invoice.lines,
  };
}

/**
 * Charges the difference and changes the plan once it is paid: until then (a decline, a confirmation that the bank asks for) the old
 * one goes on, and after a day the provider forgets the wish. What was to begin later is set aside for it.
 */
export async function changePlan(
  { stripe, within }: Connection,
  wish: ChangeWish & { orderId: string },
): Promise<{ invoiceId: string | null }> {
  const [price, item] = await Promise.all([
    findPrice(stripe, wish.priceKey, within()),
    findItem({ stripe, within }, wish.subscriptionId),
    setAside({ stripe, within }, wish),
  ]);
  const changed = await stripe.subscriptions.update(
    wish.subscriptionId,
    {
      items: [{ id: item.id, price }],
      proration_behavior: "always_invoice",
      payment_behavior: "pending_if_incomplete",
      ...(wish.prorationAt !== null && { proration_date: wish.prorationAt / 1000 }),
    },
    within({ idempotencyKey: `change:${wish.orderId}` }),
  );
  return { invoiceId: idOf(changed.latest_invoice) };
}

async function findItem({ stripe, within }: Connection, subscriptionId: string): Promise<Stripe.SubscriptionItem> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, {}, within());
  const [item] = subscription.items.data;
  if (!item) throw new Error(`Subscription ${subscriptionId} has no item`);
  return item;
}
