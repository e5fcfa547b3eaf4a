import type { OrderKind } from "#app/modules/billing/orders/rules.ts";
import type { OrderState } from "#app/modules/billing/orders/states.rules.ts";
import type { HistoryEmail, HistoryEvent } from "#app/modules/billing/history/history.rules.ts";
import type { Messages } from "#app/core/messages.ts";

type MoneyChange = Extract<HistoryEvent, { kind: "money" }>["event"];

/** The server chooses these, so that browsers don't load every message for the few that apply. */
const en = {
  /** Null isn't shown: customers know which plan they chose. */
  states: {
    draft: { "new-plan": null, change: "You confirmed the change", renewal: "The renewal started" },
    pending: { "new-plan": null, change: "The payment for the change started", renewal: "Payment due" },
    processing: "Your bank started processing the payment",
    "needs-action": "Your bank asked you to confirm the payment",
    paid: {
      "new-plan": "The payment arrived and your plan started",
      change: "The payment arrived and your plan changed",
      renewal: "The payment arrived",
    },
    "partially-refunded": "It was partly refunded",
    refunded: "It was refunded in full",
    cancelled: {
      "new-plan": "The payment was cancelled",
      change: "The payment was cancelled",
      renewal: "The payment was cancelled, and isn't owed any more",
    },
    expired: "The checkout expired; nothing was charged",
  } satisfies Record<Exclude<OrderState, "failed">, string | Record<OrderKind, string | null>>,
  declined: (attempt: number) => {
    const ordinal = ["First", "Second", "Third", "Fourth", "Fifth"][attempt - 1];
    return ordinal ? `${ordinal} attempt declined` : `Attempt ${attempt} declined`;
  },
  paidByCredit: "Paid with your credit",
  paidNothing: {
    "new-plan": "Your plan started",
    change: "Your plan changed",
    renewal: "Your plan was renewed",
  } satisfies Record<OrderKind, string>,
  again: (what: string, tryNumber: number) => (tryNumber > 1 ? `${what} (attempt ${tryNumber})` : what),
  money: {
    refund: (amount: string) => `${amount} was refunded`,
    "friend-discount": (amount: string) => `We refunded ${amount} as your friend discount`,
    "refund-failed": (amount: string) => `A refund of ${amount} failed: your bank returned it to us`,
    dispute: (amount: string) => `You disputed ${amount} with your bank`,
    "dispute-won": (amount: string) => `Your bank decided that the payment of ${amount} was valid`,
    "dispute-lost": (amount: string) => `Your bank returned ${amount} to you`,
  } satisfies Record<MoneyChange, (amount: string) => string>,
  mismatch: (asked: string) => `It wasn't what we'd shown you for ${asked}`,
  emailed: {
    receipt: "We emailed you the invoice",
    processing: "We emailed you that the payment was being processed",
    failed: "We emailed you about it",
    action: "We emailed you that your bank needed your confirmation",
    refund: "We emailed you about the refund",
    "friend-discount": "We emailed you about the friend discount",
    dispute: "We emailed you about the dispute",
    "dispute-won": "We emailed you your bank's decision",
    "dispute-lost": "We emailed you your bank's decision",
    "credit-note": "We emailed you a credit note",
    withdrawal: "We emailed you that we'd received the withdrawal",
    "withdrawal-contested": "We emailed you to explain why we couldn't accept the withdrawal",
    other: "We emailed you about this order",
  } satisfies Record<HistoryEmail, string>,
  withdrawal: {
    owner: "We received a withdrawal from this contract",
    anyone: "Someone with your order number and email address sent a withdrawal",
  },
};

export type OrderHistoryTexts = typeof en;
export const orderHistoryMessages: Messages<OrderHistoryTexts> = { en };
