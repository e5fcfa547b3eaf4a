/**
 * How many emails may go out, as the config says beside what the team's email service takes. Called from the quotas of emails, the waitlist
 * and the cron job.
 */
import { type ConfigProblem, problemIf } from "./config-problems.rules.ts";

export type EmailLimits = {
  /** What the email service takes in an hour, if it says so. Only the check of the config uses it. */
  servicePerHour?: number;
  /**
   * Emails in an hour that strangers cause together: for signing up, the waitlist, declarations, and signing in without an account. Codes of
   * accounts, and everything about a plan, don't count.
   */
  strangersPerHour?: number;
  /** Emails of the waitlist that nobody asked for in a minute: invitations, reminders, news of its opening. */
  waitlistPerMinute?: number;
};

/** The config, as far as it is read here. */
type Limited = { emailLimits?: Readonly<EmailLimits> };

const defaults = { strangersPerHour: 5000, waitlistPerMinute: 25 };

/**
 * Each takes up to five statements in a run of the cron job, and D1 allows a thousand
 * (https://developers.cloudflare.com/d1/platform/limits/).
 */
export const waitlistPerMinuteMax = 150;

export function emailLimitsOf({ emailLimits }: Limited) {
  return { ...defaults, ...emailLimits };
}

export function checkEmailLimits(config: Limited): ConfigProblem[] {
  const { servicePerHour, strangersPerHour, waitlistPerMinute } = emailLimitsOf(config);
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
  const counts = { strangersPerHour, waitlistPerMinute, ...(servicePerHour !== undefined && { servicePerHour }) };
  const malformed = Object.entries(counts).flatMap(([name, value]) =>
    problemIf(
      !isCount(value),
      "email-limit-malformed",
      `emailLimits.${name}`,
      `${value} isn't a whole number, 1 or more.`,
    ),
  );
  if (malformed.length > 0) return malformed;
  const others = strangersPerHour + waitlistPerMinute * 60;
  return [
    ...problemIf(
      waitlistPerMinute > waitlistPerMinuteMax,
      "email-limit-too-high",
      "emailLimits.waitlistPerMinute",
      `One run of the cron job can't send more than ${waitlistPerMinuteMax} of them.`,
    ),
    ...problemIf(
      servicePerHour !== undefined && others >= servicePerHour,
      "email-limits-leave-nothing",
      "emailLimits",
      `Strangers and the waitlist may use ${others} emails an hour, and the service takes ${servicePerHour}: nothing is left for customers.`,
    ),
  ];
}
