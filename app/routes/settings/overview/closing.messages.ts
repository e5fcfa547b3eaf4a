import { never } from "#app/core/result.ts";
import type { LeaveRefusal, RestoreRefusal } from "#app/modules/account-deletion/rules.ts";
import type { EndBillingRefusal } from "#app/modules/billing-sync/commands/end-billing.server.ts";
import type { Words } from "#app/core/messages.ts";

const en = {
  data: {
    title: "All my data",
    brief: "In one file",
    text: "Everything that we keep about you, in one file: account, orders, preferences, places on the waitlist, invitations, and which mails you got. Codes, keys and other people are not in it.",
    button: "Download my data",
  },
  leave: {
    title: "Close your account",
    brief: "With time to restore it",
    text: (days: number) =>
      `You can close your account here. For ${days} days you can restore it by signing in; then it is erased.`,
    open: "Close my account",
    ends: "What ends at once",
    plan: (plan: string) =>
      `Your ${plan} plan. What is paid for the running period is not paid back, unless you withdraw from the contract; and the plan doesn't come back with the account.`,
    sessions: "Every other signed-in browser.",
    settings: "These pages, except your receipts and your data.",
    erased: (days: number) => `What is erased after ${days} days`,
    profile: "Your address, name, preferences, passkeys, browsers and what happened to your account.",
    invitations:
      "Your link for friends, your places on the waitlist, and any discount or credit that you haven't used.",
    stays: "What stays",
    orders:
      "Your orders and receipts, since the law requires us to keep them: numbers, dates and amounts, without your name or address.",
    button: "Close it now",
    pending: "Closing",
  },
  page: {
    title: "Your account is closed",
    lead: (email: string) => `Signed in as ${email}.`,
    restore: "Restore your account",
    until: "You can restore it until ",
    untilText: "Everything is then as it was, except your plan. After that moment your account is erased.",
    button: "Restore my account",
    pending: "Restoring",
    overTitle: "It is being erased",
    over: "The time to restore this account is over. You can still download your data until it is gone.",
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
      "A payment of yours is on its way, and can't be called back. Your account is as it was. Close it once the payment has arrived or failed; we write to you then.",
    "not-on-sale":
      "The payment service can't be reached to end your billing, so your account is as it was. Try again later, or write to us.",
    "provider-unreachable":
      "The payment service doesn't answer, or has trouble of its own, and your billing has to end first. Your account is as it was. Try again in a minute.",
    "provider-refused":
      "The payment service did not end your billing, so your account is as it was. Try again; if it happens again, write to us.",
  },
};

export type LeavingTexts = typeof en;
export const leavingWords: Words<LeavingTexts> = { en };

export type LeavingRefusal = Exclude<LeaveRefusal | RestoreRefusal | EndBillingRefusal, { reason: "proof-stale" }>;

export function isAboutLeaving(refusal: { reason: string }): refusal is LeavingRefusal {
  return refusal.reason in en.refusals;
}

/** Which status an answer carries: the state of things, or a neighbour without whom billing can't end. */
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
