import type { Messages } from "#app/core/messages.ts";

/** For an unpaid renewal. As in this whole folder, the server chooses, so that browsers don't load what most plans don't need. */
const en = {
  title: (amount: string) => `We couldn't charge ${amount}`,
  titleProcessing: (amount: string) => `Your payment of ${amount} is being processed`,
  processing: "You don't have to do anything; please don't pay again.",
  titleConfirm: (amount: string) => `Confirm your payment of ${amount}`,
  grace: (day: string, lockedMeans: string) =>
    `Everything works as usual until ${day}. If you haven't paid by then, your plan will be locked. ${lockedMeans}`,
  locked: (lockedMeans: string) => `Your plan is locked. ${lockedMeans} Pay to unlock it.`,
  ends: (day: string) => `If you haven't paid by ${day}, your plan ends and you owe nothing for it.`,
  noGrace: (days: number) =>
    `It was locked immediately because an earlier renewal, less than ${days} days ago, was never paid.`,
  confirm: "Your bank needs you to confirm this payment.",
  next: (day: string) => `We'll try again automatically on ${day}.`,
  noNext: "We won't try again automatically.",
  toConfirm: "Confirm payment",
  see: "See this payment",
};

export const dueMessages: Messages<typeof en> = { en };
