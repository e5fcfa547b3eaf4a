/**
 * Writes orders as CSV for spreadsheets: RFC 4180 in UTF-8. It begins with a byte order mark, without which Excel assumes another encoding.
 * Spreadsheets can't interpret its text as a formula.
 */
import { dayOf, spellDay } from "#app/core/time/calendar.ts";
import { type MoneyAmount, toDecimal } from "#app/core/money/money.ts";
import { orderNumber } from "#app/modules/orders/rules.ts";
import type { ListedOrder } from "./browse.rules.ts";

/** What a row contains in addition to the order. */
type CsvFacts = { planName: string; timeZone: string };

/** Figures are formatted by us and stay numbers; other text may come from users or Stripe. */
type Cell = { text: string } | { figures: string };
type Column = { name: string; write: (order: ListedOrder, facts: CsvFacts) => Cell };

const text = (value: string | null): Cell => ({ text: value ?? "" });
const instant = (at: number | null): Cell => ({ figures: at === null ? "" : new Date(at).toISOString() });

const columns: Column[] = [
  { name: "number", write: (order) => text(orderNumber(order)) },
  {
    name: "date",
    write: (order, { timeZone }) => ({ figures: spellDay(dayOf(order.paidAt ?? order.createdAt, timeZone)) }),
  },
  { name: "kind", write: (order) => text(order.kind) },
  { name: "plan", write: (_order, { planName }) => text(planName) },
  { name: "interval", write: (order) => text(order.interval) },
  { name: "state", write: (order) => text(order.state) },
  { name: "dispute", write: (order) => text(order.dispute) },
  { name: "currency", write: (order) => text(order.currency) },
  ...amounts("amount", (order) => order.amountMinor),
  // Empty where no tax is itemised: 0.00 would say that the price includes none.
  ...amounts("tax", ({ taxMinor }) => taxMinor || null),
  ...amounts("discount", (order) => order.discountMinor),
  ...amounts("credit_used", (order) => order.creditMinor),
  ...amounts("refunded", (order) => order.refundedMinor),
  { name: "created_at", write: (order) => instant(order.createdAt) },
  { name: "paid_at", write: (order) => instant(order.paidAt) },
  { name: "order", write: (order) => text(order.id) },
];

/** Two columns: the amount in the currency's unit with its usual digits, and in the minor unit. */
function amounts(name: string, of: (order: ListedOrder) => number | null): Column[] {
  const column = (name: string, write: (amount: MoneyAmount) => string): Column => ({
    name,
    write: (order) => {
      const amountMinor = of(order);
      return { figures: amountMinor === null ? "" : write({ amountMinor, currency: order.currency }) };
    },
  });
  return [column(name, toDecimal), column(`${name}_minor`, ({ amountMinor }) => String(amountMinor))];
}

/** The byte order mark and the header row. */
export function csvHead(): string {
  return `\uFEFF${writeLine(columns.map(({ name }) => ({ text: name })))}`;
}

export function csvLine(order: ListedOrder, facts: CsvFacts): string {
  return writeLine(columns.map(({ write }) => write(order, facts)));
}

function writeLine(cells: Cell[]): string {
  return `${cells.map((cell) => ("text" in cell ? quote(defuse(cell.text)) : cell.figures)).join(",")}\r\n`;
}

/** Spreadsheets interpret text with these first characters as a formula, full-width ones too; an apostrophe before them prevents that. */
function defuse(value: string): string {
  return /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
}

function quote(value: string): string {
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
