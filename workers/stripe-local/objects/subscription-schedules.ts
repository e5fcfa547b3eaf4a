import type Stripe from "stripe";
import { paginate, readPage } from "../lists.ts";
import { route } from "../routing.ts";

export const subscriptionScheduleRoutes = [
  route(
    "GET",
    "/v1/subscription_schedules",
    (form) => ({ page: readPage(form), customer: form.text("customer") }),
    (_books, { page }) => paginate<Stripe.SubscriptionSchedule>("/v1/subscription_schedules", page, []),
  ),
];
