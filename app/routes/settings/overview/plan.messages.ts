import type { Messages } from "#app/core/messages.ts";

/** What the overview says about the plan. Chosen on the server, so that the browser doesn't load every message for the one that applies. */
const en = {
  title: "Plan",
  free: (plan: string) => `You are on ${plan}. Nothing to pay.`,
  renews: (plan: string, amount: string, day: string) => `You are on ${plan}. The next charge is ${amount} on ${day}.`,
  changes: (plan: string, next: string, amount: string, day: string) =>
    `You are on ${plan}, and on ${next} from ${day}, when ${amount} is charged.`,
  ends: (plan: string, day: string) => `You are on ${plan} until ${day}.`,
  paused: (plan: string) => `You are on ${plan}, which is paused. Nothing is charged.`,
  onHold: (plan: string) => `You are on ${plan}. Nothing is charged for it at the moment.`,
  due: (plan: string) => `You are on ${plan}. A payment for it is due.`,
  manage: "See your plan",
  pay: "Pay or change the card",
  cardExpires: "Your card expires before that.",
  updateCard: "Update card",
  upgrade: "See the plans",
  none: "No plan",
  noneText: (product: string) => `You need a plan to use ${product}.`,
  choose: "Choose a plan",
};

export const overviewPlanMessages: Messages<typeof en> = { en };
