import type Stripe from "stripe";
import { cancelNow } from "../../actions/subscriptions/cancel-now.ts";
import { changeSchedule } from "../../actions/subscriptions/change-schedule.ts";
import { endSchedule } from "../../actions/subscriptions/end-schedule.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { demand, idOf, refer } from "../demand.ts";
import { newSchedule } from "./schedule-shape.ts";
import { readScheduleForm } from "./schedule-forms.ts";
import { saveSubscription } from "./subscription-shape.ts";

export const subscriptionScheduleRoutes = [
  // As at Stripe, a call that names a subscription can't set anything else.
  route("POST", "/v1/subscription_schedules", (form) => form.requiredText("from_subscription"), createSchedule),
  route("GET", "/v1/subscription_schedules", readQuery, listSchedules),
  route("GET", "/v1/subscription_schedules/:id", nothing, (tx, _, id = "") => demand(tx, "subscription_schedule", id)),
  route("POST", "/v1/subscription_schedules/:id", readScheduleForm, (tx, input, id = "") =>
    changeSchedule(tx, running(tx, id, "updated"), input),
  ),
  route(
    "POST",
    "/v1/subscription_schedules/:id/release",
    (form) => form.flag("preserve_cancel_date"),
    (tx, _, id = "") => releaseSchedule(tx, running(tx, id, "released")),
  ),
  route(
    "POST",
    "/v1/subscription_schedules/:id/cancel",
    (form) => {
      form.oneOf("invoice_now", ["false"]);
      form.oneOf("prorate", ["false"]);
    },
    (tx, _, id = "") => cancelSchedule(tx, running(tx, id, "canceled")),
  ),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    created: form.range("created"),
  };
}

function listSchedules(tx: Transaction, { page, customer, created }: ReturnType<typeof readQuery>): object {
  return paginate(
    "/v1/subscription_schedules",
    page,
    only(tx.store.newestFirst("subscription_schedule", customer), (schedule) => created(schedule.created)),
  );
}

function createSchedule(tx: Transaction, from: string): Stripe.SubscriptionSchedule {
  const subscription = refer(tx, "subscription", from, "from_subscription");
  if (subscription.schedule !== null)
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: \`${idOf(subscription.schedule)}\`.`,
      { param: "from_subscription" },
    );
  if (!["active", "past_due", "trialing", "unpaid"].includes(subscription.status))
    throw invalid(`You cannot migrate a subscription in the \`${subscription.status}\` status to a schedule.`, {
      param: "from_subscription",
    });
  if (subscription.cancel_at_period_end || subscription.cancel_at !== null)
    throw invalid("You cannot migrate a subscription that is set to cancel.", {
      param: "from_subscription",
    });
  const schedule = newSchedule(tx, subscription);
  saveSubscription(tx, subscription, { schedule: schedule.id });
  tx.clock.setTimer("schedule-phase-ends", schedule.id, schedule.current_phase?.end_date ?? 0);
  return schedule;
}

function running(tx: Transaction, id: string, done: string): Stripe.SubscriptionSchedule {
  const schedule = demand(tx, "subscription_schedule", id);
  if (schedule.status === "active" || schedule.status === "not_started") return schedule;
  throw invalid(
    `You cannot ${VERBS[done] ?? done} a subscription schedule that is currently in the \`${schedule.status}\` status. It must be in \`not_started\`, \`active\` status to be ${done}.`,
  );
}

const VERBS: Record<string, string> = { canceled: "cancel", released: "release", updated: "update" };

function releaseSchedule(tx: Transaction, schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule {
  const released = endSchedule(tx, schedule.id, "released");
  const subscription = ownerOf(tx, schedule);
  if (subscription !== null) saveSubscription(tx, subscription, { schedule: null });
  return released;
}

function cancelSchedule(tx: Transaction, schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule {
  const subscription = ownerOf(tx, schedule);
  if (subscription === null) return endSchedule(tx, schedule.id, "canceled");
  cancelNow(tx, subscription, {});
  return demand(tx, "subscription_schedule", schedule.id);
}

const ownerOf = (tx: Transaction, schedule: Stripe.SubscriptionSchedule): Stripe.Subscription | null =>
  schedule.subscription === null ? null : tx.store.find("subscription", idOf(schedule.subscription));
