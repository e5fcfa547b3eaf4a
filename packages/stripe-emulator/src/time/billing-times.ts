const SECONDS_PER_HOUR = 3_600;
export const SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;

/** Stripe's own times. A renewal's invoice stays a draft this long; Stripe has no setting for it. */
export const DRAFT_SECONDS = SECONDS_PER_HOUR;
/** How long a first payment may take before the subscription expires, and a pending update before it is dropped. */
export const UNPAID_SECONDS_MAX = 23 * SECONDS_PER_HOUR;
export const TRIAL_NOTICE_SECONDS = 3 * SECONDS_PER_DAY;
/** When a bank debit completes. */
export const DEBIT_SECONDS = 5 * SECONDS_PER_DAY;

/** Set by an account in Stripe's dashboard: days from each failed attempt to the next, and before a renewal. */
export const RETRY_AFTER_DAYS: readonly number[] = [2, 5, 7, 7];
export const UPCOMING_NOTICE_SECONDS = 7 * SECONDS_PER_DAY;

/** What a subscription becomes when the last retry failed. Also a setting in the dashboard; here AFTER_LAST_RETRY. */
export const AFTER_LAST_RETRY = ["canceled", "past_due", "unpaid"] as const;
export type AfterLastRetry = (typeof AFTER_LAST_RETRY)[number];

export const readAfterLastRetry = (setting: string | undefined): AfterLastRetry =>
  AFTER_LAST_RETRY.find((known) => known === setting) ?? "unpaid";
