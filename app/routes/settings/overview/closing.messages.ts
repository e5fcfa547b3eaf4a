import { never } from "#app/core/result.ts";
import type { CloseAccountRefusal, RestoreRefusal } from "#app/modules/account-deletion/rules.ts";
import type { EndBillingRefusal } from "#app/modules/billing-sync/commands/end-billing.server.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  data: {
    title: "Your data",
    brief: "Download in one file",
    text: "Everything we store about you: account, orders, preferences, waitlist, invitations and a list of the emails we sent you. It doesn't include codes, keys or other people's data.",
    button: "Download my data",
  },
  close: {
    title: "Close your account",
    brief: (days: number) => `Can be undone for ${days} days`,
    text: (days: number) =>
      `After closing your account, you can restore it for ${days} days by signing in. Then it's erased. If you've withdrawn from a contract, it's erased once we've settled that.`,
    open: "Close my account",
    ends: "What ends immediately",
    plan: (plan: string) =>
      `Your ${plan} plan. The current period isn't refunded, unless you withdraw from the contract. If you restore your account, the plan doesn't come back.`,
    sessions: "Your sessions in all other browsers.",
    settings: "Access to these pages, except your receipts and your data.",
    erased: (days: number) => `What we erase after ${days} days`,
    profile: "Your email address, name, preferences, passkeys, sign-in history and account activity.",
    invitations: "Your link for friends, your places on the waitlist, and any discount or credit you haven't used.",
    stays: "What we keep",
    orders:
      "Your orders and receipts, as the law requires: numbers, dates, amounts and Stripe's IDs, without your name or address.",
    button: "Close it now",
    pending: "Closing",
  },
  page: {
    title: "Your account is closed",
    lead: (email: string) => `Signed in as ${email}.`,
    restore: "Restore your account",
    until: "You can restore it until ",
    untilText: "Everything will be as it was, except your plan. After that date, your account is erased.",
    button: "Restore my account",
    pending: "Restoring",
    overTitle: "Your account is being erased",
    over: "You can no longer restore it. You can still download your data until it's erased. If you've withdrawn from a contract, we'll settle that first.",
    receipts: {
      title: "Receipts",
      text: "You can see your orders until your account is erased.",
      link: "See your orders",
    },
  },
  trouble: "That didn't work",
  refusals: {
    "account-leaving": "Your account is closed. Restore it first, then try again.",
    "not-leaving": "Your account isn't closed, so there's nothing to restore.",
    "restore-too-late": "You can no longer restore this account.",
    "payment-in-process":
      "A payment is being processed and can't be stopped, so your account wasn't closed. Try again once the payment has arrived or failed; we'll email you then.",
    "not-on-sale":
      "We can't end your plan with Stripe at the moment, so your account wasn't closed. Try again later, or contact us.",
    "provider-unreachable": "Stripe isn't responding, so your account wasn't closed. Try again in a minute.",
    "provider-refused": "Stripe didn't end your plan, so your account wasn't closed. Try again, or contact us.",
  },
};

export type AccountClosingTexts = typeof en;
export const accountClosingMessages: Messages<AccountClosingTexts> = { en };

export type AccountClosingRefusal = Exclude<
  CloseAccountRefusal | RestoreRefusal | EndBillingRefusal,
  { reason: "proof-stale" }
>;

export function isAboutAccountClosing(refusal: { reason: string }): refusal is AccountClosingRefusal {
  return refusal.reason in en.refusals;
}

/** The response's status: a conflict with the current state, or an unavailable third-party service without which billing can't be ended. */
export function accountClosingRefusalStatus(refusal: AccountClosingRefusal): number {
  switch (refusal.reason) {
    case "account-leaving":
    case "not-leaving":
    case "restore-too-late":
    case "payment-in-process":
      return 409;
    case "not-on-sale":
    case "provider-unreachable":
    case "provider-refused":
      return 503;
    default:
      return never(refusal);
  }
}
