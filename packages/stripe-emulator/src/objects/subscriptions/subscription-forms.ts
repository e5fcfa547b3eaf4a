import type Stripe from "stripe";
import type { ItemInput } from "../../actions/subscriptions/change-items.ts";
import { PAYMENT_BEHAVIORS } from "../../actions/subscriptions/carry-out.ts";
import { PRORATION_BEHAVIORS } from "../../actions/subscriptions/plan-change.ts";
import type { Form } from "../../http/form.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { readDiscountInput } from "../catalogue/redemption.ts";

export const STATUSES = [
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

const CANCEL_AT = ["", "min_period_end", "max_period_end"] as const;
export type CancelAt = (typeof CANCEL_AT)[number] | number;

export type SubscriptionChange = ReturnType<typeof readSubscriptionChange>;

export type NewSubscription = ReturnType<typeof readNewSubscription>;

export function readNewSubscription(form: Form) {
  form.flag("off_session");
  form.oneOf("proration_behavior", PRORATION_BEHAVIORS);
  return {
    customer: form.requiredText("customer"),
    items:
      form.groups("items", (item) => ({
        price: item.requiredText("price"),
        quantity: item.integer("quantity") ?? 1,
      })) ?? [],
    paymentBehavior: form.oneOf("payment_behavior", PAYMENT_BEHAVIORS) ?? "allow_incomplete",
    ...readEnd(form),
    defaultPaymentMethod: form.text("default_payment_method") ?? null,
    description: form.text("description") ?? null,
    metadata: form.metadata() ?? {},
    discounts: form.groups("discounts", readDiscountInput) ?? [],
    isTaxed: form.group("automatic_tax", (tax) => tax.flag("enabled")) ?? false,
    trialEnd: readTrialEnd(form),
    trialDays: form.integer("trial_period_days"),
    trialSettings: form.group("trial_settings", readTrialSettings),
  };
}

/** Changes that can't be part of a pending update. https://docs.stripe.com/billing/subscriptions/pending-updates-reference */
const NOT_PENDING = [
  "cancel_at",
  "cancel_at_period_end",
  "cancellation_details",
  "default_payment_method",
  "description",
  "metadata",
  "pause_collection",
  "trial_settings",
];

export function readSubscriptionChange(form: Form) {
  const given = new Set(form.names());
  form.flag("off_session");
  return {
    ...readTerms(form),
    paymentBehavior: form.oneOf("payment_behavior", PAYMENT_BEHAVIORS),
    ...readEnd(form),
    defaultPaymentMethod: form.text("default_payment_method"),
    description: form.text("description"),
    cancellation: form.group("cancellation_details", readCancellation),
    metadata: form.metadata(),
    discounts: given.has("discounts") ? (form.groups("discounts", readDiscount) ?? []) : undefined,
    pause: given.has("pause_collection") ? (form.group("pause_collection", readPause) ?? null) : undefined,
    trialSettings: form.group("trial_settings", readTrialSettings),
    others: NOT_PENDING.filter((name) => given.has(name)),
  };
}

/** A coupon to redeem, or an existing discount to keep. */
function readDiscount(form: Form) {
  const discount = form.text("discount");
  return discount === undefined ? { redeemed: readDiscountInput(form) } : { kept: discount };
}

/** The parameters of a change, in an update and in its preview. */
export const readTerms = (form: Form) => ({
  items: form.groups("items", readItem),
  prorationBehavior: form.oneOf("proration_behavior", PRORATION_BEHAVIORS),
  prorationDate: form.integer("proration_date"),
  startsCycleNow: readAnchor(form) === "now",
  trialEnd: readTrialEnd(form),
  paths: { items: form.pathTo("items"), prorationDate: form.pathTo("proration_date") },
});

/** When the subscription ends: with its period, or at a timestamp, which `""` removes. */
function readEnd(form: Form): { cancelAtPeriodEnd: boolean | undefined; cancelAt: CancelAt | undefined } {
  const cancelAtPeriodEnd = form.flag("cancel_at_period_end");
  const text = form.text("cancel_at");
  if (text !== undefined && cancelAtPeriodEnd !== undefined)
    throw invalid("Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.");
  const named = CANCEL_AT.find((known) => known === text);
  return { cancelAtPeriodEnd, cancelAt: named ?? form.integer("cancel_at") };
}

const readItem = (form: Form): ItemInput => ({
  id: form.text("id"),
  price: form.text("price"),
  quantity: form.integer("quantity"),
  isDeleted: form.flag("deleted") ?? false,
});

export const readCancellation = (form: Form) => ({
  comment: form.text("comment"),
  feedback: form.oneOf("feedback", FEEDBACK),
});

const readTrialSettings = (form: Form): Stripe.Subscription.TrialSettings => ({
  end_behavior: {
    billing_cycle_anchor: null,
    missing_payment_method:
      form.group("end_behavior", (end) => end.oneOf("missing_payment_method", ["cancel", "create_invoice", "pause"])) ??
      "create_invoice",
  },
});

function readTrialEnd(form: Form): number | "now" | undefined {
  return form.text("trial_end") === "now" ? "now" : form.integer("trial_end");
}

const readAnchor = (form: Form): "now" | "unchanged" | undefined =>
  form.group("billing_cycle_anchor", (anchor) => anchor.oneOf("type", ["now", "unchanged"]));

const readPause = (form: Form): Stripe.Subscription.PauseCollection => ({
  behavior: form.oneOf("behavior", ["keep_as_draft", "mark_uncollectible", "void"]) ?? "keep_as_draft",
  resumes_at: form.integer("resumes_at") ?? null,
});
