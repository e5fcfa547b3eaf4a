import type { CsvFormat } from "#app/core/text/csv.ts";
import type { OrderKind } from "#app/modules/billing/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { Dispute, OrderState } from "#app/modules/billing/orders/states.rules.ts";

const en = {
  title: "Orders",
  lead: "Your payments, newest first.",
  empty: {
    title: "No orders yet",
    text: "When you start a paid plan, each payment appears here with its invoice.",
    link: "See plans",
  },
  filter: {
    year: "Year",
    everyYear: "All years",
    state: "Status",
    everyState: (hasAttempts: boolean) => (hasAttempts ? "All finished" : "All statuses"),
    submit: "Filter",
  },
  attempts: {
    title: (count: number) => `Unfinished attempts (${count})`,
    text: "You weren't charged.",
    caption: "Unfinished attempts",
    /** Links to the attempt that can still be paid. */
    link: "Continue to payment",
    confirm: "Confirm payment",
    again: "Try again",
  },
  nothing: {
    title: "No matching orders",
    text: (year: number | null, state: string | null) => {
      const from = year === null ? "" : ` from ${year}`;
      const having = state === null ? "" : ` with the status “${state}”`;
      return `You have no orders${from}${having}.`;
    },
    older: "You've reached your oldest order.",
    all: "Show all orders",
    newest: "Show the newest orders",
  },
  spending: {
    title: "Spending by month",
    text: (amount: string, months: number) => `${amount} in the last ${months} months, including this month.`,
    label: "What you paid, month by month",
    month: (month: string, amount: string) => `${month}: ${amount}`,
  },
  csv: "Download as CSV",
  /** The other format than the account's own. */
  otherCsv: {
    comma: "CSV with commas and decimal points",
    semicolon: "CSV with semicolons and decimal commas",
  } satisfies Record<CsvFormat, string>,
  columns: { date: "Date", what: "Description", number: "Number", amount: "Amount", state: "Status" },
  what: (kind: OrderKind, plan: string) =>
    kind === "new-plan" ? `${plan} – new plan` : kind === "renewal" ? `${plan} – renewal` : `${plan} – plan change`,
  numbered: (number: string) => `, ${number}`,
  noNumber: "–",
  older: "Older orders",
  newest: "Newest orders",
};

export type OrdersTexts = typeof en;
export const ordersMessages: Messages<OrdersTexts> = { en };

const orderStateTexts = {
  states: {
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
  } satisfies Record<OrderState, string>,
  /** A lost dispute took only a part. */
  partlyLost: "Partly returned by bank",
  /** The owner's withdrawal is open. */
  withdrawn: "Withdrawn",
  unconfirmed: "Being confirmed",
  noCharge: "No charge",
  disputes: {
    none: null,
    "needs-response": "Disputed",
    "under-review": "Disputed",
    won: null,
    lost: "Returned by bank",
  } satisfies Record<Dispute, string | null>,
};

export const orderStateMessages: Messages<typeof orderStateTexts> = { en: orderStateTexts };
