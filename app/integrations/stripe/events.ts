import { type CustomerId, type EventId, type PaymentIntentId, stripeId } from "#app/core/stripe/ids.ts";
import { Stripe } from "stripe";
import type { Connection } from "./payments/checkout.ts";
import { dayMs } from "#app/core/time/time.ts";
import { idOf, ms } from "./fields.ts";

/** A Stripe event is only a hint: it names what changed, and its content is never trusted. */
export type ProviderEvent = {
  id: EventId;
  type: string;
  customerId: CustomerId | null;
  paymentId: PaymentIntentId | null;
  /** The customer whose creation, by us, this event ends. */
  newCustomerId: CustomerId | null;
  /** A subscription whose price names a plan of a site like this one: its customer may have been created in the dashboard. */
  namesPlan: boolean;
};
export type ListedEvent = ProviderEvent & { createdAt: number };

/**
 * The event types that the webhook endpoint subscribes to and the cron job looks for among Stripe's events: every way in which a
 * customer's billing state can change.
 */
export const handledEventTypes = [
  "charge.dispute.closed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.refunded",
  "checkout.session.async_payment_failed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.completed",
  "checkout.session.expired",
  "customer.deleted",
  "customer.discount.created",
  "customer.discount.deleted",
  "customer.discount.updated",
  "customer.subscription.created",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.pending_update_applied",
  "customer.subscription.pending_update_expired",
  "customer.subscription.resumed",
  "customer.subscription.updated",
  "customer.updated",
  "invoice.finalized",
  "invoice.marked_uncollectible",
  "invoice.paid",
  "invoice.payment_action_required",
  "invoice.payment_failed",
  "invoice.voided",
  "payment_intent.payment_failed",
  "payment_intent.processing",
  "payment_intent.requires_action",
  "payment_method.automatically_updated",
  "payment_method.updated",
  "radar.early_fraud_warning.created",
  "refund.created",
  "refund.failed",
  "refund.updated",
  "subscription_schedule.aborted",
  "subscription_schedule.canceled",
  "subscription_schedule.completed",
  "subscription_schedule.created",
  "subscription_schedule.released",
  "subscription_schedule.updated",
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** Maximum age of a signature, in the past and in the future; the SDK alone accepts any from the future. */
const toleranceSeconds = 300;

/** Returns the event if one of our secrets signed it within the tolerance, and null for anything else. */
export async function readEvent(
  stripe: Stripe,
  secrets: string,
  body: string,
  signature: string,
  nowMs: number,
): Promise<ProviderEvent | null> {
  // Of several timestamps the SDK uses the last.
  const signedAt = Number([...signature.matchAll(/(?:^|,)t=(\d+)/g)].at(-1)?.[1] ?? Number.NaN);
  if (!(signedAt <= nowMs / 1000 + toleranceSeconds)) return null;
  for (const secret of secrets.split(",")) {
    try {
      const event = await stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret.trim(),
        toleranceSeconds,
        Stripe.createSubtleCryptoProvider(),
      );
      return hintOf(event);
    } catch {
      // Tries the next secret: during a rotation there are two.
    }
  }
  return null;
}

/** Pages of Stripe's event list per cron run. */
const listPages = 3;

/** Lists events, oldest first. `hasMore` is true if there are newer ones than these. */
export async function listEvents(
  { stripe, within }: Connection,
  after: EventId | null,
): Promise<{ events: ListedEvent[]; hasMore: boolean }> {
  const events: ListedEvent[] = [];
  let cursor = after;
  for (let page = 0; page < listPages; page += 1) {
    // Without a starting event, one page of the newest: older changes can't be recovered from events.
    const from = cursor === null ? {} : { ending_before: cursor };
    const { data, has_more: hasMore } = await stripe.events.list({ limit: 100, ...from }, within());
    events.push(...data.toReversed().map((event) => ({ ...hintOf(event), createdAt: ms(event.created) })));
    if (after === null || !hasMore) return { events, hasMore: false };
    cursor = events.at(-1)?.id ?? null;
  }
  return { events, hasMore: true };
}

/** An event that doesn't concern any customer's billing state has no customer. */
function hintOf(event: Stripe.Event): ProviderEvent {
  const { id, type } = event;
  const { object, previous_attributes: before } = event.data;
  // A valid signature doesn't prove that the body is an event, and an event without an id can't be stored.
  if (typeof id !== "string" || typeof type !== "string") throw new TypeError("Not an event");
  const isNewCustomer = isFirstAddress(type, before) && isCreatedByUs(object, event.created);
  const isHandledType = handledEventTypes.some((handledType) => handledType === type) && !isNewCustomer;
  return {
    id: idOf(event),
    type,
    customerId: isHandledType ? customerOf(object) : null,
    paymentId: isHandledType ? namedIn(object, "payment_intent") : null,
    newCustomerId: isNewCustomer ? customerOf(object) : null,
    namesPlan: isHandledType && "object" in object && object.object === "subscription" && isOfPlan(object),
  };
}

/** What `createCustomer` sets in its second call. */
const setAtCreation = ["email", "invoice_settings"];

/**
 * A customer got an address and had none, perhaps with the footer of its invoices, and nothing else changed: the end of its creation by us,
 * unless it is another shop's, or an older one whose address was removed in the dashboard.
 */
function isFirstAddress(type: string, before: Stripe.Event.Data["previous_attributes"]): boolean {
  const changed = Object.entries(before ?? {});
  const isFirst = changed.some(([name, value]) => name === "email" && value === null);
  return type === "customer.updated" && isFirst && changed.every(([name]) => setAtCreation.includes(name));
}

function isOfPlan({ items }: Stripe.Subscription): boolean {
  // A valid signature doesn't prove the shape.
  return Array.isArray(items?.data) && items.data.some((item) => item?.price?.metadata?.plan !== undefined);
}

/** Its metadata names the account, and Stripe still stores the idempotency key under which an interrupted creation is completed. */
function isCreatedByUs(object: Stripe.Event.Data.Object, eventCreated: number): boolean {
  const metadata: unknown = Reflect.get(object, "metadata");
  const namesAccount = typeof metadata === "object" && metadata !== null && "account" in metadata;
  return namesAccount && ms(eventCreated - Number(Reflect.get(object, "created"))) <= keyKeptMs;
}

/** https://docs.stripe.com/api/idempotent_requests: keys can be removed after 24 hours. */
const keyKeptMs = dayMs;

function customerOf(object: Stripe.Event.Data.Object): CustomerId | null {
  const isCustomer = "object" in object && object.object === "customer" && "id" in object;
  return isCustomer ? stripeId<"customer">(String(object.id)) : namedIn(object, "customer");
}

/** The object that a field refers to, by id or expanded. */
function namedIn<Name extends "customer" | "payment_intent">(object: Stripe.Event.Data.Object, field: Name) {
  const named: unknown = Reflect.get(object, field);
  if (typeof named === "string") return stripeId<Name>(named);
  return typeof named === "object" && named !== null && "id" in named ? stripeId<Name>(String(named.id)) : null;
}
