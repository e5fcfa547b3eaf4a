/** The statuses that a subscription has at Stripe: the integration reads them, and `stateOf` in subscriptions maps each. */
export const subscriptionStatuses = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
