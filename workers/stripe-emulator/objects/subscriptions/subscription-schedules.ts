import type Stripe from "stripe";
import { cancelNow } from "../../actions/subscriptions/cancel-subscription.ts";
import { changeSchedule } from "../../actions/subscriptions/change-schedule.ts";
import { endSchedule } from "../../actions/subscriptions/end-schedule.ts";
import type { Books } from "../../books.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { demand, idOf, refer } from "../find.ts";
import { newSchedule } from "./schedule-shape.ts";
import { readScheduleChange } from "./schedule-forms.ts";
import { saveSubscription } from "./subscription-shape.ts";

export const subscriptionScheduleRoutes = [
  // As at Stripe, a call that names a subscription can't set anything else.
  route("POST", "/v1/subscription_schedules", (form) => form.requiredText("from_subscription"), createSchedule),
  route("GET", "/v1/subscription_schedules", readQuery, listSchedules),
  route("GET", "/v1/subscription_schedules/:id", nothing, (books, _, id = "") =>
    demand(books, "subscription_schedule", id),
  ),
  route("POST", "/v1/subscription_schedules/:id", readScheduleChange, (books, input, id = "") =>
    changeSchedule(books, running(books, id, "updated"), input),
  ),
  route(
    "POST",
    "/v1/subscription_schedules/:id/release",
    (form) => form.flag("preserve_cancel_date"),
    (books, _, id = "") => releaseSchedule(books, running(books, id, "released")),
  ),
  route(
    "POST",
    "/v1/subscription_schedules/:id/cancel",
    (form) => {
      form.oneOf("invoice_now", ["false"]);
      form.oneOf("prorate", ["false"]);
    },
    (books, _, id = "") => cancelSchedule(books, running(books, id, "canceled")),
  ),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    created: form.range("created"),
  };
}

function listSchedules(books: Books, { page, customer, created }: ReturnType<typeof readQuery>): object {
  return paginate(
    "/v1/subscription_schedules",
    page,
    only(books.store.newestFirst("subscription_schedule", customer), (schedule) => created(schedule.created)),
  );
}

function createSchedule(books: Books, from: string): Stripe.SubscriptionSchedule {
  const subscription = refer(books, "subscription", from, "from_subscription");
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
  const schedule = newSchedule(books, subscription);
  saveSubscription(books, subscription, { schedule: schedule.id });
  books.clock.setTimer("schedule-phase-ends", schedule.id, schedule.current_phase?.end_date ?? 0);
  return schedule;
}

function running(books: Books, id: string, done: string): Stripe.SubscriptionSchedule {
  const schedule = demand(books, "subscription_schedule", id);
  if (schedule.status === "active" || schedule.status === "not_started") return schedule;
  throw invalid(
    `You cannot ${VERBS[done] ?? done} a subscription schedule that is currently in the \`${schedule.status}\` status. It must be in \`not_started\`, \`active\` status to be ${done}.`,
  );
}

const VERBS: Record<string, string> = { canceled: "cancel", released: "release", updated: "update" };

function releaseSchedule(books: Books, schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule {
  const released = endSchedule(books, schedule.id, "released");
  const subscription = ownerOf(books, schedule);
  if (subscription !== null) saveSubscription(books, subscription, { schedule: null });
  return released;
}

function cancelSchedule(books: Books, schedule: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule {
  const subscription = ownerOf(books, schedule);
  if (subscription === null) return endSchedule(books, schedule.id, "canceled");
  cancelNow(books, subscription, {});
  return demand(books, "subscription_schedule", schedule.id);
}

const ownerOf = (books: Books, schedule: Stripe.SubscriptionSchedule): Stripe.Subscription | null =>
  schedule.subscription === null ? null : books.store.find("subscription", idOf(schedule.subscription));
