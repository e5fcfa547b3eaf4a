import type { Messages } from "#app/core/messages.ts";

/** What the overview says about the plan. Chosen on the server, so that the browser doesn't load every message for the one that applies. */
const en = {
  title: "Plan",
  free: (plan: string) => `You're on ${plan}. Nothing to pay.`,
  renews: (plan: string, amount: string, day: string) => `You're on ${plan}. Your next payment is ${amount} on ${day}.`,
  changes: (plan: string, next: string, amount: string, day: string) =>
    `You're on ${plan}. On ${day} you'll move to ${next} and pay ${amount}.`,
  ends: (plan: string, day: string) => `You're on ${plan} until ${day}.`,
  paused: (plan: string) => `You're on ${plan}, which is paused. You aren't being charged.`,
  onHold: (plan: string) => `You're on ${plan}. You aren't being charged for it at the moment.`,
  due: (plan: string) => `You're on ${plan}. A payment is due.`,
  manage: "See your plan",
  pay: "Pay or change card",
  cardExpires: "Your card expires before then.",
  updateCard: "Update card",
  upgrade: "See plans",
  none: "No plan",
  noneText: (product: string) => `You need a plan to use ${product}.`,
  choose: "Choose a plan",
};

export const overviewPlanMessages: Messages<typeof en> = { en };
