import type { Messages } from "#app/core/messages.ts";

/** The pages that show usage beside the plan use these, too. */
const en = {
  countUsed: (used: number, of: number) => `${used} of ${of}`,
  title: "Usage and limits",
  titleNoPlan: "Usage",
  none: (limit: string) => `No data yet (limit ${limit})`,
  last: (used: string, limit: string) => `${used} of ${limit}`,
  maximum: (used: string, limit: string) => `${used} this month (limit ${limit})`,
  over: {
    last: (by: string) => `That's ${by} over the limit. Use less, or choose a larger plan.`,
    maximum: (by: string) => `That's ${by} over the limit. Stay within it, or choose a larger plan.`,
  },
  full: "You've reached the limit.",
  reported: "Reported ",
  change: "Change plan",
};

export const usageMessages: Messages<typeof en> = { en };
