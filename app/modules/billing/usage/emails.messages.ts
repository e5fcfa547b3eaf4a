import type { Messages } from "#app/core/messages.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

export type UsageEmail =
  /** `highShare` of a limit is used; once per month, meter and limit. `what` is the meter's name. */
  | { template: "usage-high"; what: string; used: string; limit: string; url: string; offUrl: string }
  /** A limit is used up; once per month, meter and limit. `what` is the meter's name. */
  | { template: "usage-full"; what: string; used: string; limit: string; url: string; offUrl: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    usage: UsageEmail;
  }
}

const seeUsage = (url: string) => ({ label: "See my usage", url });

const en: EmailTextFor<UsageEmail> = {
  "usage-high": (content, { product }) => ({
    subject: `${content.what}: you're close to your ${product} limit`,
    heading: `${content.what}: you're close to your limit`,
    before: [`You're at ${content.used} of ${content.limit}. Everything still works as usual.`],
    button: seeUsage(content.url),
    after: ["We'll email you once more this month if you reach the limit."],
    reason: "You're receiving this email because your account is close to a limit of its plan.",
    off: { label: "Turn off limit emails", url: content.offUrl },
  }),
  "usage-full": (content, { product }) => ({
    subject: `${content.what}: you've reached your ${product} limit`,
    heading: `${content.what}: you've reached your limit`,
    before: [`You're at ${content.used}, and your plan includes ${content.limit}. Use less, or choose a larger plan.`],
    button: seeUsage(content.url),
    after: ["What you've already stored isn't affected. We won't email you about this limit again this month."],
    reason: "You're receiving this email because your account has reached a limit of its plan.",
    off: { label: "Turn off limit emails", url: content.offUrl },
  }),
};

const names: EmailNames<UsageEmail> = {
  "usage-high": "Close to a limit",
  "usage-full": "Limit reached",
};

export const usageEmails: EmailsOf<UsageEmail> = { en };
export const usageEmailNames: Messages<EmailNames<UsageEmail>> = { en: names };
