import type { Messages } from "#app/core/messages.ts";

/** What needs the owner's attention. Chosen on the server, so that the browser doesn't load every message for the one that applies. */
const en = {
  continuePlan: (plan: string) => `Continue with ${plan}`,
  overTitle: "You have too many devices",
  /** `until` is null until the owner has been emailed the day. */
  over: (used: number, plan: string, of: number, until: string | null) =>
    `You have ${used} devices, but ${plan} includes ${of}. Choose which ${of === 1 ? "one" : "ones"} to keep${until === null ? "" : ` by ${until}`}, or we'll remove those used least recently.`,
  chooseDevices: "Choose what to keep",
  idleTitle: "Your devices need a plan",
  idle: (used: number, product: string) =>
    `${product} won't work on your ${used === 1 ? "device" : `${used} devices`} until you choose a plan.`,
  choosePlan: "Choose a plan",
  fullTitle: "You've reached a limit",
  overLimitTitle: "You're over the limits of your plan",
  full: (what: string, plan: string, limit: string) =>
    `${what}: you've reached ${limit}, the most that ${plan} includes.`,
  seeUsage: "See usage",
  addressTitle: "Your email address was changed",
  address: (to: string, on: string, until: string) =>
    `You've used ${to} since ${on}. If it wasn't you, open the link we sent to your old address by ${until}.`,
  addressLink: "Check your sign-in settings",
};

export const attentionMessages: Messages<typeof en> = { en };
