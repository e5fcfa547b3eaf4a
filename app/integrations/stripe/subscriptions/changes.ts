import type { OrderId } from "#app/core/id.ts";
import type { InvoiceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { invariant } from "#app/core/invariant.ts";
import type Stripe from "stripe";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";
import { findPrice, type ShownPrice } from "#app/integrations/stripe/prices.ts";
import { endingBalance, type InvoiceLine, readInvoice } from "#app/integrations/stripe/payments/invoices.ts";
import { type ChangeBlocker, findBlocker, retrieveForChange } from "./pending-updates.ts";
import { deferChange } from "./schedules.ts";
import { idOf, maybeMs } from "#app/integrations/stripe/fields.ts";

export type ChangeInput = {
  subscriptionId: SubscriptionId;
  price: ShownPrice;
  /** The moment from which unused and remaining time are prorated. Stripe takes its current time if this is null. */
  prorationAt: number | null;
};

/** What a change of plan costs now, as calculated by Stripe: a preview charges nothing. */
export type ChangeQuote = {
  amountMinor: number;
  /** Credit that is used. Negative if credit is added. */
  creditMinor: number;
  /** Amount carried over from an earlier charge. Negative if this one is too small to charge alone and is carried to the next. */
  carriedMinor: number;
  /** What is deducted from the following charge. Negative if it is added. */
  creditAfterMinor: number;
  taxMinor: number;
  /** Deducted from the lines by discounts that the team gave. */
  discountMinor: number;
  currency: string;
  prorationAt: number;
  /** When the period ends that begins or continues with the change. */
  periodEndsAt: number;
  /** When the period is charged that follows the one that begins or continues with the change. */
  nextChargeAt: number;
  /** Why the change can't be charged now. Null if it can. */
  blocker: ChangeBlocker | null;
  lines: InvoiceLine[];
};

export async function previewChange({ stripe, within }: Connection, input: ChangeInput): Promise<ChangeQuote> {
  const [price, subscription] = await Promise.all([
    findPrice(stripe, input.price, within()),
    retrieveForChange({ stripe, within }, input.subscriptionId),
  ]);
  const preview = await stripe.invoices.createPreview(
    {
      subscription: input.subscriptionId,
      subscription_details: {
        items: [{ id: itemOf(subscription).id, price }],
        proration_behavior: "always_invoice",
        ...(input.prorationAt !== null && { proration_date: input.prorationAt / 1000 }),
      },
    },
    within(),
  );
  const invoice = readInvoice(preview);
  const periodEndsAt = Math.max(...invoice.lines.map((line) => line.periodEndsAt));
  const proratedAt = maybeMs(preview.parent?.subscription_details?.subscription_proration_date);
  return {
    amountMinor: invoice.amountMinor,
    creditMinor: invoice.creditMinor,
    carriedMinor: invoice.carriedMinor,
    creditAfterMinor: -endingBalance(preview),
    taxMinor: invoice.taxMinor,
    discountMinor: invoice.discountMinor,
    currency: invoice.currency,
    prorationAt: input.prorationAt ?? proratedAt ?? Math.max(...invoice.lines.map((line) => line.periodStartsAt)),
    periodEndsAt,
    nextChargeAt: chargedAt(periodEndsAt),
    blocker: findBlocker(subscription),
    lines: invoice.lines,
  };
}

/**
 * Charges the difference and changes the plan once it is paid: until then (a decline, a confirmation required by the bank) the old plan
 * continues, and after a day Stripe discards the pending change. A scheduled change is deferred for it. Returns null if a blocker applies
 * (`findBlocker`); then nothing has happened.
 */
export async function changePlan(
  { stripe, within }: Connection,
  input: ChangeInput & { orderId: OrderId },
): Promise<{ invoiceId: InvoiceId | null } | null> {
  const [price, subscription] = await Promise.all([
    findPrice(stripe, input.price, within()),
    retrieveForChange({ stripe, within }, input.subscriptionId),
  ]);
  if (findBlocker(subscription)) return null;
  await deferChange({ stripe, within }, input);
  const changed = await stripe.subscriptions.update(
    input.subscriptionId,
    {
      items: [{ id: itemOf(subscription).id, price }],
      proration_behavior: "always_invoice",
      payment_behavior: "pending_if_incomplete",
      ...(input.prorationAt !== null && { proration_date: input.prorationAt / 1000 }),
    },
    within({ idempotencyKey: `change:${input.orderId}` }),
  );
  return { invoiceId: idOf(changed.latest_invoice) };
}

function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data;
  invariant(item, `Subscription ${id} has no item`);
  return item;
}
