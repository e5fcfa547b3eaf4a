import type { Messages } from "#app/core/messages.ts";

/** How an overdue payment is made, on every page that shows one. */
const en = {
  another: { card: "Use another card", method: "Use another payment method" },
  toStripe: "One moment",
  pay: (amount: string, card: string | null) => (card ? `Pay ${amount} with ${card}` : `Pay ${amount} now`),
  paying: "Paying",
  note: "We'll charge the new card immediately.",
};

export const payDueMessages: Messages<typeof en> = { en };
