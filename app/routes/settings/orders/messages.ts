import type { Dispute, OrderKind, OrderState } from "#app/modules/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";

const states = {
  draft: "Draft",
  pending: "Not paid",
  processing: "Processing",
  "needs-action": "Action needed",
  paid: "Paid",
  "partially-refunded": "Partly refunded",
  refunded: "Refunded",
  failed: "Failed",
  cancelled: "Cancelled",
  expired: "Expired",
} satisfies Record<OrderState, string>;

const en = {
  title: "Orders",
  lead: "Your payments, newest first.",
  empty: {
    title: "No orders yet",
    text: "When you start a paid plan, each payment appears here with its receipt.",
    abandoned: "Checkouts you didn't finish:",
    link: "See plans",
  },
  filter: {
    year: "Year",
    everyYear: "All years",
    state: "Status",
    everyState: (hasAbandoned: boolean) => (hasAbandoned ? "All except unfinished checkouts" : "All statuses"),
    submit: "Show",
    stateOption: (state: OrderState) => states[state],
  },
  nothing: {
    title: "No matching orders",
    text: (year: number | null, state: OrderState | null) => {
      const from = year === null ? "" : ` from ${year}`;
      const having = state === null ? "" : ` with the status “${states[state]}”`;
      return `You have no orders${from}${having}.`;
    },
    older: "You've reached your oldest order.",
    all: "Show all orders",
    newest: "Show the newest orders",
  },
  spending: {
    title: "By month",
    text: (amount: string, months: number) => `${amount} in the last ${months} months, including this one.`,
    label: "What you paid, month by month",
    month: (month: string, amount: string) => `${month}: ${amount}`,
  },
  csv: "Download as CSV",
  columns: { date: "Date", what: "Description", number: "Number", amount: "Amount", state: "Status", open: "" },
  what: (kind: OrderKind, plan: string) =>
    kind === "new-plan"
      ? `${plan} – first payment`
      : kind === "renewal"
        ? `${plan} – renewal`
        : `${plan} – plan change`,
  open: "Details",
  ofOrder: (name: string) => ` of ${name}`,
  noNumber: "–",
  older: "Older orders",
  newest: "Newest orders",
  states,
  unconfirmed: "Being confirmed",
  disputes: {
    none: null,
    "needs-response": "Disputed",
    "under-review": "Disputed",
    won: null,
    lost: "Returned by your bank",
  } satisfies Record<Dispute, string | null>,
};

export const ordersMessages: Messages<typeof en> = { en };
