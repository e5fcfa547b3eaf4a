import { never } from "#app/core/result.ts";
import type { LeaveRefusal, RestoreRefusal } from "#app/modules/account-deletion/rules.ts";
import type { EndBillingRefusal } from "#app/modules/billing-sync/commands/end-billing.server.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  data: {
    title: "All my data",
    brief: "In one file",
    text: "Everything we keep about you: account, orders, preferences, waitlist, invitations and which mails you got. Codes, keys and other people are not in it.",
    button: "Download my data",
  },
  leave: {
    title: "Close your account",
    brief: "With time to restore it",
    text: (days: number) =>
      `You can close your account here. For ${days} days you can restore it by signing in; then it is erased. If you've withdrawn from a contract, it's erased once we've settled that.`,
    open: "Close my account",
    ends: "What ends at once",
    plan: (plan: string) =>
      `Your ${plan} plan. What is paid for the running period is not paid back, unless you withdraw from the contract; and the plan doesn't come back with the account.`,
    sessions: "Every other signed-in browser.",
    settings: "These pages, except your receipts and your data.",
    erased: (days: number) => `What is erased after ${days} days`,
    profile: "Your address, name, preferences, passkeys, browsers and activity.",
    invitations:
      "Your link for friends, your places on the waitlist, and any discount or credit that you haven't used.",
    stays: "What stays",
    orders:
      "Your orders and receipts, as the law requires: numbers, dates, amounts and Stripe's ids, without your name or address.",
    button: "Close it now",
    pending: "Closing",
  },
  page: {
    title: "Your account is closed",
    lead: (email: string) => `Signed in as ${email}.`,
    restore: "Restore your account",
    until: "You can restore it until ",
    untilText: "Everything is then as it was, except your plan. After that your account is erased.",
    button: "Restore my account",
    pending: "Restoring",
    overTitle: "It is being erased",
    over: "The time to restore this account is over. You can still download your data until it is gone. If you've withdrawn from a contract, we settle that first.",
    receipts: {
      title: "Receipts",
      text: "Your orders stay open to you until the account is erased.",
      link: "See the orders",
    },
  },
  trouble: "That did not go through",
  refusals: {
    "account-leaving": "Your account is closed. Restore it first; then this works again.",
    "not-leaving": "Your account is not being closed: there is nothing to restore.",
    "restore-too-late": "The time to restore this account is over.",
    "payment-in-process":
      "A payment is on its way and can't be called back, so your account is as it was. Close it once the payment has arrived or failed; we write to you then.",
    "not-on-sale":
      "Our payment provider can't be reached, so your account is as it was. Try again later, or write to us.",
    "provider-unreachable":
      "Our payment provider isn't answering, so your account is as it was. Try again in a minute.",
    "provider-refused":
      "Our payment provider did not end your billing, so your account is as it was. Try again, or write to us.",
  },
};

export type LeavingTexts = typeof en;
export const leavingMessages: Messages<LeavingTexts> = { en };

export type LeavingRefusal = Exclude<LeaveRefusal | RestoreRefusal | EndBillingRefusal, { reason: "proof-stale" }>;

export function isAboutLeaving(refusal: { reason: string }): refusal is LeavingRefusal {
  return refusal.reason in en.refusals;
}

/** The response's status: a conflict with the current state, or an unavailable third-party service without which billing can't be ended. */
export function leavingRefusalStatus(refusal: LeavingRefusal): number {
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
