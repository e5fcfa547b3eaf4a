import type { Messages } from "#app/core/messages.ts";

/** What needs the owner's attention. Chosen on the server, so that the browser doesn't load every message for the one that applies. */
const en = {
  continuePlan: (plan: string) => `Continue with ${plan}`,
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
