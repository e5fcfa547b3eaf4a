import { graceMs } from "#app/modules/billing/subscriptions/rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { SetUp } from "./changes.ts";

/** Days between an attempt to collect a renewal and the next one. Retries end on day 21, after the plan was locked on day 14. */
export const retryAfterDays = [2, 5, 7, 7];

/**
 * Stripe's API neither reads nor writes these settings, so they can't be checked: each run lists them, with values. Where a team
 * doesn't set them, Stripe's own retries, its outcome after the last one and its emails apply.
 */
export const settingsByHand: { where: string; url: string; values: string[] }[] = [
  {
    where: "Billing > Revenue recovery > Retries",
    url: "https://dashboard.stripe.com/revenue_recovery/retries",
    values: [
      `Retry policy for subscriptions: custom, not Smart Retries; ${retryAfterDays.length} retries, ${retryAfterDays.join(", ")} days after the attempt before`,
      `(access ends ${graceMs / dayMs} days after the first failed attempt; fewer retries are fine)`,
      `Pause the subscription after the first failed payment: off (on, a plan is locked at once, without the ${graceMs / dayMs} days)`,
      "If all retries for a payment fail: mark the subscription as unpaid (if it is paused or cancelled instead, the site copes)",
      "Invoice status after that: leave the invoice past due",
      "Retries of bank debits: off",
    ],
  },
  {
    where: "Billing > Revenue recovery > Emails",
    url: "https://dashboard.stripe.com/revenue_recovery/emails",
    values: ["Failed payments, expiring cards, bank confirmations: off (the site sends its own)"],
  },
  {
    where: "Settings > Billing > Subscriptions and emails",
    url: "https://dashboard.stripe.com/settings/billing/automatic",
    values: ["Upcoming renewals, trials that end, links to manage a subscription: off"],
  },
  {
    where: "Settings > Billing > Invoices",
    url: "https://dashboard.stripe.com/settings/billing/invoice",
    values: ["Email finalised invoices and credit notes to customers: off (the site's own documents are the invoices)"],
  },
  {
    where: "Settings > Business > Public details",
    url: "https://dashboard.stripe.com/settings/public",
    values: [
      "Statement descriptor: the config's `statementDescriptor`, or another name that customers recognise",
      "(the plans have the config's already, and Stripe shows the account's for everything else)",
    ],
  },
  {
    where: "Settings > Business > Customer emails",
    url: "https://dashboard.stripe.com/settings/emails",
    values: ["Successful payments, refunds: off"],
  },
];

export function listSettingsByHand({ log }: Pick<SetUp, "log">): void {
  log("by hand    Stripe's API neither shows nor changes what follows, so no run can check it:");
  for (const { where, url, values } of settingsByHand) {
    log(`${"by hand".padEnd(11)}${where} (${url})`);
    for (const value of values) log(`${" ".repeat(11)}${value}`);
  }
}
