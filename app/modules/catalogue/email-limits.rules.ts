/**
 * How many emails may go out, as the config says beside what the team's email service takes. Called from the quotas of emails and the cron
 * job. Features add limits of their own to `EmailLimits`.
 */
import { type ConfigProblem, problemIf } from "./config-problems.rules.ts";

export interface EmailLimits {
  /** What the email service takes in an hour, if it says so. Only the check of the config uses it. */
  servicePerHour?: number;
  /**
   * Emails in an hour that strangers cause together: for signing up, declarations, signing in without an account, and whatever else emails
   * an address that anyone can type. Codes of accounts, and everything about a plan, don't count.
   */
  strangersPerHour?: number;
}

/** The config, as far as it is read here. */
type Limited = { emailLimits?: Readonly<EmailLimits> };

export function emailLimitsOf({ emailLimits }: Limited) {
  return { strangersPerHour: 5000, ...emailLimits };
}

export function checkEmailLimits(config: Limited): ConfigProblem[] {
  const { servicePerHour, strangersPerHour } = emailLimitsOf(config);
  const malformed = [
    ...checkEmailCount("strangersPerHour", strangersPerHour),
    ...checkEmailCount("servicePerHour", servicePerHour ?? 1),
  ];
  return malformed.length > 0 ? malformed : checkEmailsLeft(config, 0, "Strangers");
}

export function checkEmailCount(name: keyof EmailLimits, value: number): ConfigProblem[] {
  const message = `${value} isn't a whole number, 1 or more.`;
  return problemIf(
    !(Number.isSafeInteger(value) && value >= 1),
    "email-limit-malformed",
    `emailLimits.${name}`,
    message,
  );
}

/** Whether strangers and `others` in an hour leave something for customers of what the service takes. */
export function checkEmailsLeft(config: Limited, others: number, who: string): ConfigProblem[] {
  const { servicePerHour = Infinity, strangersPerHour } = emailLimitsOf(config);
  const used = strangersPerHour + others;
  return problemIf(
    used >= servicePerHour,
    "email-limits-leave-nothing",
    "emailLimits",
    `${who} may use ${used} emails an hour, and the service takes ${servicePerHour}: nothing is left for customers.`,
  );
}
