import type Stripe from "stripe";
import type { Books } from "../books.ts";
import type { Form } from "../form.ts";
import { only, paginate, readPage } from "../lists.ts";
import { mergeMetadata } from "../metadata.ts";
import { nothing, route } from "../routing.ts";
import { invalid, missingObject } from "../stripe-errors.ts";
import { demand, refer } from "./find.ts";
import { periodOf, saveSubscription } from "./subscription-shape.ts";

const STATUSES = [
  "active",
  "all",
  "canceled",
  "ended",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "paused",
  "trialing",
  "unpaid",
] as const;
export const ENDED = ["canceled", "incomplete_expired"];
const FEEDBACK = [
  "customer_service",
  "low_quality",
  "missing_features",
  "other",
  "switched_service",
  "too_complex",
  "too_expensive",
  "unused",
] as const;

export const subscriptionRoutes = [
  route("GET", "/v1/subscriptions", readQuery, listSubscriptions),
  route("GET", "/v1/subscriptions/:id", nothing, (books, _, id = "") => demand(books, "subscription", id)),
  route("POST", "/v1/subscriptions/:id", readChange, updateSubscription),
  route(
    "DELETE",
    "/v1/subscriptions/:id",
    (form) => {
      // Both are proration's business; accepted when they ask for what happens here anyway.
      form.oneOf("invoice_now", ["false"]);
      form.oneOf("prorate", ["false"]);
      return form.group("cancellation_details", readCancellation);
    },
    (books, details, id = "") => cancelNow(books, liveSubscription(books, id), details ?? {}),
  ),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    status: form.oneOf("status", STATUSES),
    price: form.text("price"),
    created: form.range("created"),
  };
}

function readChange(form: Form) {
  return {
    cancelAtPeriodEnd: form.flag("cancel_at_period_end"),
    defaultPaymentMethod: form.text("default_payment_method"),
    description: form.text("description"),
    cancellation: form.group("cancellation_details", readCancellation),
    metadata: form.metadata(),
  };
}

const readCancellation = (form: Form) => ({
  comment: form.text("comment"),
  feedback: form.oneOf("feedback", FEEDBACK),
});

function listSubscriptions(
  books: Books,
  { page, customer, status, price, created }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (subscription: Stripe.Subscription): boolean =>
    hasStatus(subscription, status) &&
    (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
    created(subscription.created);
  return paginate("/v1/subscriptions", page, only(books.store.newestFirst("subscription", customer), isWanted));
}

/** Without a status Stripe leaves out what was canceled. */
function hasStatus(subscription: Stripe.Subscription, status: (typeof STATUSES)[number] | undefined): boolean {
  if (status === undefined) return subscription.status !== "canceled";
  if (status === "all") return true;
  return status === "ended" ? ENDED.includes(subscription.status) : subscription.status === status;
}

function updateSubscription(books: Books, input: ReturnType<typeof readChange>, id = ""): Stripe.Subscription {
  const before = demand(books, "subscription", id);
  if (before.status === "canceled" && input.cancelAtPeriodEnd !== undefined) {
    throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
  }
  const method = input.defaultPaymentMethod;
  if (method !== undefined && method !== "") refer(books, "payment_method", method, "default_payment_method");
  return saveSubscription(books, before, {
    ...cancellationOf(books, before, input),
    default_payment_method: method === undefined ? before.default_payment_method : method === "" ? null : method,
    description: input.description ?? before.description,
    metadata: mergeMetadata(before.metadata, input.metadata),
  });
}

function cancellationOf(
  books: Books,
  before: Stripe.Subscription,
  input: ReturnType<typeof readChange>,
): Partial<Stripe.Subscription> {
  const details: Stripe.Subscription.CancellationDetails = {
    comment: input.cancellation?.comment ?? before.cancellation_details?.comment ?? null,
    feedback: input.cancellation?.feedback ?? before.cancellation_details?.feedback ?? null,
    feedback_option: null,
    reason: before.cancellation_details?.reason ?? null,
  };
  switch (input.cancelAtPeriodEnd) {
    case undefined:
      return { cancellation_details: details };
    case true:
      return {
        cancel_at: periodOf(before).end,
        cancel_at_period_end: true,
        canceled_at: books.clock.now(),
        cancellation_details: { ...details, reason: "cancellation_requested" },
      };
    case false:
      return {
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        cancellation_details: { ...details, reason: null },
      };
  }
}

/** Stripe answers as if an ended subscription weren't there. */
function liveSubscription(books: Books, id: string): Stripe.Subscription {
  const subscription = demand(books, "subscription", id);
  if (ENDED.includes(subscription.status)) throw missingObject("subscription", id);
  return subscription;
}

/** Ends it now. Open invoices stay open but are no longer collected by themselves, as at Stripe. */
export function cancelNow(
  books: Books,
  subscription: Stripe.Subscription,
  details: Partial<ReturnType<typeof readCancellation>>,
): Stripe.Subscription {
  const now = books.clock.now();
  books.clock.clearTimer("subscription-period-ends", subscription.id);
  const canceled: Stripe.Subscription = {
    ...subscription,
    canceled_at: subscription.canceled_at ?? now,
    cancel_at: subscription.cancel_at,
    cancellation_details: {
      comment: details.comment ?? subscription.cancellation_details?.comment ?? null,
      feedback: details.feedback ?? subscription.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason: "cancellation_requested",
    },
    ended_at: now,
    status: "canceled",
  };
  books.store.put("subscription", canceled);
  books.record("customer.subscription.deleted", canceled);
  return canceled;
}
