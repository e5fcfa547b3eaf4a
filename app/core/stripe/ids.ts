import type { Id } from "#app/core/id.ts";

/** The prefixes of Stripe's ids, by what Stripe calls the object. Objects of one kind can have several. */
type Prefixes = {
  charge: "ch" | "py";
  "checkout.session": "cs";
  customer: "cus";
  customer_balance_transaction: "cbtxn";
  event: "evt";
  invoice: "in";
  payment_intent: "pi";
  payment_method: "pm" | "card" | "src" | "ba";
  price: "price" | "plan";
  refund: "re" | "pyr";
  subscription: "sub";
  subscription_schedule: "sub_sched";
};
type StripeObject = keyof Prefixes;
type StripeId<Name extends StripeObject> = Id<Prefixes[Name]>;

export type BalanceTransactionId = StripeId<"customer_balance_transaction">;
export type ChargeId = StripeId<"charge">;
export type CheckoutId = StripeId<"checkout.session">;
export type CustomerId = StripeId<"customer">;
export type EventId = StripeId<"event">;
export type InvoiceId = StripeId<"invoice">;
export type PaymentIntentId = StripeId<"payment_intent">;
export type PaymentMethodId = StripeId<"payment_method">;
export type PriceId = StripeId<"price">;
export type RefundId = StripeId<"refund">;
export type ScheduleId = StripeId<"subscription_schedule">;
export type SubscriptionId = StripeId<"subscription">;

/** The type of an id, by Stripe's name for its kind of object. Plain text for kinds that the site doesn't read. */
export type IdOf<Name extends string> = Name extends StripeObject ? StripeId<Name> : string;

/** An id as Stripe sent it. Its prefix isn't checked: Stripe's ids are opaque, and it may change them. */
export function stripeId<Name extends string>(id: string): IdOf<Name> {
  return id as IdOf<Name>;
}
