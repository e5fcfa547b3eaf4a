import type { Messages } from "#app/core/messages.ts";

/** Of a payment that isn't what was asked for: on its own page, its order's and the plan's. */
const en = {
  refunded:
    "You were charged for something else than we'd shown you, which was our mistake. We've sent your payment back, your plan isn't active, and you won't be charged again.",
  returned:
    "You were charged for something else than we'd shown you, which was our mistake. Your bank has returned your payment, your plan isn't active, and you won't be charged again.",
  owed: "You were charged for something else than we'd shown you, which was our mistake. Your plan isn't active, and you won't be charged again. We couldn't send your payment back automatically, so we'll do it by hand. Please don't pay again until then.",
  owedRunning:
    "You were charged for something else than we'd shown you, which was our mistake. Your plan ends with its period, and you won't be charged again. We couldn't send your payment back automatically, so we'll do it by hand.",
  kept: "You were charged an earlier, lower price than we'd shown you. You keep your plan at that price.",
};

export const mismatchMessages: Messages<typeof en> = { en };
