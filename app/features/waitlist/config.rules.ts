/** The settings of the waitlist in the config, and what can be wrong with them. */
import { type ConfigProblem, problemIf } from "#app/modules/catalogue/config-problems.rules.ts";
import { checkEmailCount, checkEmailLimits, checkEmailsLeft } from "#app/modules/catalogue/email-limits.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

declare module "#app/modules/catalogue/rules.ts" {
  interface ProductConfig {
    /** `full`: no new entries. Left out: `open`. */
    waitlist?: "open" | "full";
    /** How many of the next in line the cron job invites. With 0, or left out, only operators invite. */
    invitationsPerDay?: number;
  }
}

declare module "#app/modules/catalogue/email-limits.rules.ts" {
  interface EmailLimits {
    /** Emails of the waitlist that nobody asked for in a minute: invitations, reminders, news of its opening. */
    waitlistPerMinute?: number;
  }
}

type Limited = Pick<ProductConfig, "emailLimits">;

export const waitlistPerMinuteOf = ({ emailLimits }: Limited): number => emailLimits?.waitlistPerMinute ?? 25;

/**
 * Each takes up to five statements in a run of the cron job, and D1 allows a thousand
 * (https://developers.cloudflare.com/d1/platform/limits/).
 */
export const waitlistPerMinuteMax = 150;

export function checkWaitlist(config: Limited): ConfigProblem[] {
  const perMinute = waitlistPerMinuteOf(config);
  const malformed = checkEmailCount("waitlistPerMinute", perMinute);
  // What is wrong with the core's limits is said once.
  if (malformed.length > 0 || checkEmailLimits(config).length > 0) return malformed;
  return [
    ...problemIf(
      perMinute > waitlistPerMinuteMax,
      "email-limit-too-high",
      "emailLimits.waitlistPerMinute",
      `One run of the cron job can't send more than ${waitlistPerMinuteMax} of them.`,
    ),
    ...checkEmailsLeft(config, perMinute * 60, "Strangers and the waitlist"),
  ];
}
