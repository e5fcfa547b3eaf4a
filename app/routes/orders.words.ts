import type { OrderKind, OrderState } from "#app/domain/orders/rules.ts";
import type { Words } from "#app/ui/language.ts";

const en = {
  title: "Orders",
  lead: "Everything you were charged for, newest first.",
  empty: {
    title: "No orders yet",
    text: "When you start a paid plan, each charge stands here with its receipt.",
    link: "See the plans",
  },
  columns: { date: "Date", what: "What", number: "Number", amount: "Amount", state: "State", open: "" },
  what: (kind: OrderKind, plan: string) =>
    kind === "new-plan" ? `${plan}, start` : kind === "renewal" ? `${plan}, renewal` : `${plan}, change`,
  open: "Details",
  close: "Back to the list",
  noNumber: "none yet",
  older: "Older orders",
  newest: "Newest orders",
  states: {
    draft: "begun",
    pending: "not paid",
    processing: "on its way",
    "needs-action": "waits for you",
    paid: "paid",
    "partially-refunded": "partly refunded",
    refunded: "refunded",
    failed: "failed",
    cancelled: "cancelled",
    expired: "expired",
  } satisfies Record<OrderState, string>,
  detail: {
    title: (number: string | null) => (number ? `Order ${number}` : "Order"),
    line: "Line",
    period: (from: string, to: string) => `${from} to ${to}`,
    discount: "Discount",
    credit: "Credit used",
    tax: "Tax included",
    total: "Charged",
    billedTo: "Billed to",
    seller: "From",
    vatId: (id: string) => `VAT id ${id}`,
    timeline: "What happened",
    receipt: "Invoice from Stripe",
    retry: "See this payment",
    moments: {
      draft: "You chose the plan",
      pending: "The payment page opened",
      processing: "Your bank took it up",
      "needs-action": "Your bank asked for a confirmation",
      paid: "The payment arrived",
      "partially-refunded": "A part went back to you",
      refunded: "All of it went back to you",
      failed: "A payment was declined",
      cancelled: "Given up; nothing was charged",
      expired: "The payment page ran out; nothing was charged",
    } satisfies Record<OrderState, string>,
  },
};

export const ordersWords: Words<typeof en> = { en };
