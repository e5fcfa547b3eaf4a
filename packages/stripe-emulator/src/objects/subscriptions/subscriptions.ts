import type Stripe from "stripe";
import { cancelNow, ENDED } from "../../actions/subscriptions/cancel-now.ts";
import { changeSubscription } from "../../actions/subscriptions/change-subscription.ts";
import { createSubscription } from "../../actions/subscriptions/create-subscription.ts";
import { resumeSubscription } from "../../actions/subscriptions/resume-subscription.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { missingObject } from "../../http/stripe-errors.ts";
import { demand } from "../demand.ts";
import { readCancellation, readNewSubscription, readSubscriptionChange, STATUSES } from "./subscription-forms.ts";

export const subscriptionRoutes = [
  route("GET", "/v1/subscriptions", readQuery, listSubscriptions),
  route("POST", "/v1/subscriptions", readNewSubscription, createSubscription),
  route("GET", "/v1/subscriptions/:id", nothing, (tx, _, id = "") => demand(tx, "subscription", id)),
  route("POST", "/v1/subscriptions/:id", readSubscriptionChange, changeSubscription),
  route(
    "POST",
    "/v1/subscriptions/:id/resume",
    (form) => {
      const anchor: ResumeAnchor = form.group("billing_cycle_anchor", readAnchor) ?? "now";
      // Stripe would credit the time of the pause.
      form.oneOf("proration_behavior", anchor === "now" ? ["create_prorations", "none"] : ["none"]);
      return anchor;
    },
    (tx, anchor, id = "") => resumeSubscription(tx, anchor, id),
  ),
  route(
    "DELETE",
    "/v1/subscriptions/:id",
    (form) => {
      // Both concern proration; accepted when they request the emulator's own behaviour.
      form.oneOf("invoice_now", ["false"]);
      form.oneOf("prorate", ["false"]);
      return form.group("cancellation_details", readCancellation);
    },
    (tx, details, id = "") => cancelNow(tx, liveSubscription(tx, id), details ?? {}),
  ),
];

type ResumeAnchor = Parameters<typeof resumeSubscription>[1];

const readAnchor = (form: Form): ResumeAnchor | undefined => form.oneOf("type", ["now", "unchanged"]);

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    status: form.oneOf("status", STATUSES),
    price: form.text("price"),
    created: form.range("created"),
  };
}

function listSubscriptions(
  tx: Transaction,
  { page, customer, status, price, created }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (subscription: Stripe.Subscription): boolean =>
    hasStatus(subscription, status) &&
    (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
    created(subscription.created);
  return paginate("/v1/subscriptions", page, only(tx.store.newestFirst("subscription", customer), isWanted));
}

/** Without a status Stripe leaves out canceled ones. */
function hasStatus(subscription: Stripe.Subscription, status: (typeof STATUSES)[number] | undefined): boolean {
  if (status === undefined) return subscription.status !== "canceled";
  if (status === "all") return true;
  return status === "ended" ? ENDED.includes(subscription.status) : subscription.status === status;
}

/** Stripe answers as if an ended subscription didn't exist. */
function liveSubscription(tx: Transaction, id: string): Stripe.Subscription {
  const subscription = demand(tx, "subscription", id);
  if (ENDED.includes(subscription.status)) throw missingObject("subscription", id);
  return subscription;
}
