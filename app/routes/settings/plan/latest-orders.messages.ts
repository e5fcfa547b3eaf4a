import type { Messages } from "#app/core/messages.ts";
import type { OrderKind } from "#app/modules/billing/orders/rules.ts";

const kinds = {
  "new-plan": "new plan",
  renewal: "renewal",
  change: "plan change",
} satisfies Record<OrderKind, string>;

const en = {
  title: "Latest payments",
  columns: { what: "Description", date: "Date", state: "Status", amount: "Amount" },
  what: (kind: OrderKind, plan: string) => `${plan} – ${kinds[kind]}`,
  numbered: (number: string) => `, ${number}`,
  all: "All orders and invoices",
};

export const latestOrdersMessages: Messages<typeof en> = { en };
