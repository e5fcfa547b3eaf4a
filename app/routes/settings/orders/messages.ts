import type { Dispute, OrderKind, OrderState } from "#app/modules/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";

const states = {
  draft: "begun",
  pending: "not paid",
  processing: "on its way",
  "needs-action": "waiting for you",
  paid: "paid",
  "partially-refunded": "partly refunded",
  refunded: "refunded",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
} satisfies Record<OrderState, string>;

const en = {
  title: "Orders",
  lead: "Everything you were charged for, newest first.",
  empty: {
    title: "No orders yet",
    text: "When you start a paid plan, each charge appears here with its receipt.",
    abandoned: "Checkouts that you didn't finish:",
    link: "See the plans",
  },
  filter: {
    year: "Year",
    everyYear: "All years",
    state: "State",
    everyState: (hasAbandoned: boolean) => (hasAbandoned ? "All except unfinished checkouts" : "All states"),
    submit: "Show",
    stateOption: (state: OrderState) => states[state].charAt(0).toUpperCase() + states[state].slice(1),
  },
  nothing: {
    title: "No order matches",
    text: (year: number | null, state: OrderState | null) => {
      const from = year === null ? "" : ` from ${year}`;
      const having = state === null ? "" : ` with the state “${states[state]}”`;
      return `You have no order${from}${having}.`;
    },
    older: "There are none older than those you saw.",
    all: "Show all orders",
    newest: "Show the newest orders",
  },
  spending: {
    title: "By month",
    text: (amount: string, months: number) => `${amount} in the last ${months} months, this one included.`,
    label: "What you paid, month by month",
    month: (month: string, amount: string) => `${month}: ${amount}`,
  },
  csv: "Download as CSV",
  columns: { date: "Date", what: "What", number: "Number", amount: "Amount", state: "State", open: "" },
  what: (kind: OrderKind, plan: string) =>
    kind === "new-plan" ? `${plan}, start` : kind === "renewal" ? `${plan}, renewal` : `${plan}, change`,
  open: "Details",
  ofOrder: (name: string) => ` of ${name}`,
  noNumber: "–",
  older: "Older orders",
  newest: "Newest orders",
  states,
  unconfirmed: "being confirmed",
  disputes: {
    none: null,
    "needs-response": "disputed",
    "under-review": "disputed",
    won: null,
    lost: "returned by your bank",
  } satisfies Record<Dispute, string | null>,
};

export const ordersMessages: Messages<typeof en> = { en };
