/** Writes orders as CSV for spreadsheets, a row each. */
import { dayOf, spellDay } from "#app/core/time/calendar.ts";
import { type MoneyAmount, sumMinor, toDecimal } from "#app/core/money/money.ts";
import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import { type DocumentTax, documentNumber, type IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import type { AmountAdjustment } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { byteOrderMark, type Cell, type CsvFormat, writeCsvLine } from "#app/core/text/csv.ts";
import type { ListedOrder } from "./browse.rules.ts";

/** An order with the documents that were issued for it. */
export type CsvOrder = { order: ListedOrder; invoice: IssuedDocument | null; creditNotes: readonly IssuedDocument[] };
/** What a row contains in addition to the order. */
type CsvFacts = { planName: string; timeZone: string };

type Column = { name: string; write: (row: CsvOrder, facts: CsvFacts) => Cell };

const text = (value: string | null): Cell => ({ text: value ?? "" });
const instant = (at: number | null): Cell => ({ figures: at === null ? "" : new Date(at).toISOString() });
/** A list in one cell. */
const several = (values: readonly string[]): Cell => ({ text: values.join(" ") });
const isLost = ({ reason }: IssuedDocument) => reason === "dispute-lost";
const isRefund = ({ reason }: IssuedDocument) => reason === "refund" || reason === "friend-discount";

const columns: Column[] = [
  { name: "number", write: ({ order }) => text(orderNumber(order)) },
  {
    name: "date",
    write: ({ order, invoice }, { timeZone }) => ({
      figures: spellDay(dayOf(order.paidAt ?? order.createdAt, invoice?.timeZone ?? timeZone)),
    }),
  },
  { name: "kind", write: ({ order }) => text(order.kind) },
  { name: "plan", write: (_row, { planName }) => text(planName) },
  { name: "interval", write: ({ order }) => text(order.interval) },
  { name: "state", write: ({ order }) => text(order.state) },
  { name: "dispute", write: ({ order }) => text(order.dispute) },
  { name: "currency", write: ({ order }) => text(order.currency) },
  ...amounts("amount", ({ order }) => order.amountMinor),
  // Empty where no tax is itemised: 0.00 would say that the price includes none.
  ...amounts("tax", ({ order, invoice }) =>
    invoice ? (statesTax(invoice) ? invoice.taxMinor : null) : order.taxMinor || null,
  ),
  ...amounts("discount", ({ order }) => order.discountMinor),
  ...amounts("credit_used", ({ order }) => order.creditMinor),
  ...amounts("refunded", ({ order }) => order.refundedMinor),
  // Files of before begin with the columns above.
  ...amounts("returned_by_bank", ({ order }) => order.lostMinor),
  ...amounts("left", ({ order }) => order.amountMinor - order.refundedMinor - order.lostMinor),
  ...amounts("net", ({ invoice }) => invoice && (statesTax(invoice) ? invoice.netMinor : null)),
  { name: "tax_rate", write: ({ invoice }) => rateCell(invoice?.taxes ?? []) },
  { name: "country", write: ({ invoice }) => text(invoice?.buyer.country ?? null) },
  { name: "vat_id", write: ({ invoice }) => several(invoice?.buyer.vatIds ?? []) },
  { name: "credit_notes", write: ({ creditNotes }) => several(creditNotes.map(documentNumber)) },
  { name: "refund_dates", write: ({ creditNotes }) => several(creditNotes.filter(isRefund).map(dayIn)) },
  { name: "return_dates", write: ({ creditNotes }) => several(creditNotes.filter(isLost).map(dayIn)) },
  { name: "withdrawal", write: ({ order }) => text(order.isWithdrawn ? "declared" : null) },
  { name: "created_at", write: ({ order }) => instant(order.createdAt) },
  { name: "paid_at", write: ({ order }) => instant(order.paidAt) },
  { name: "order", write: ({ order }) => text(order.id) },
  // Of the credit notes together, so that net and tax less these are what is left of them.
  ...amounts("credited", ({ creditNotes }) => sumOf(creditNotes, "totalMinor")),
  ...amounts("credited_net", ({ creditNotes }) => sumOf(creditNotes.filter(statesTax), "netMinor")),
  ...amounts("credited_tax", ({ creditNotes }) => sumOf(creditNotes.filter(statesTax), "taxMinor")),
  // Of each, in the order of `credit_notes`.
  { name: "credit_note_dates", write: ({ creditNotes }) => several(creditNotes.map(dayIn)) },
  { name: "credit_note_reasons", write: ({ creditNotes }) => several(creditNotes.map(({ reason }) => reason ?? "")) },
  { name: "credit_note_amounts", write: ({ creditNotes }) => figuresOf(creditNotes, "totalMinor") },
  { name: "credit_note_nets", write: ({ creditNotes }) => figuresOf(creditNotes, "netMinor") },
  { name: "credit_note_taxes", write: ({ creditNotes }) => figuresOf(creditNotes, "taxMinor") },
  { name: "credit_note_money", write: ({ creditNotes }) => figuresOf(creditNotes, "moneyMinor") },
  ...amounts("invoiced", ({ invoice }) => invoice && invoice.totalMinor),
  // Signed, as on the invoice: what an earlier one left to be paid, and what is left for the next one.
  ...amounts("carried_from", ({ invoice }) => invoice && sumMinor(stepsOf(invoice, "carried-from"))),
  ...amounts("carried_to", ({ invoice }) => invoice && sumMinor(stepsOf(invoice, "carried-to"))),
  { name: "exemption", write: ({ invoice }) => text(invoice && invoice.exemption) },
  { name: "period_start", write: ({ invoice }) => dayCell(invoice, "periodStartsAt") },
  { name: "period_end", write: ({ invoice }) => dayCell(invoice, "periodEndsAt") },
  { name: "billed_to", write: ({ invoice }) => text(invoice && invoice.buyer.name) },
  { name: "billing_address", write: ({ invoice }) => text(invoice && invoice.buyer.address.join(", ")) },
  {
    name: "payment_method",
    write: ({ invoice }) => text(paidBy(invoice)),
  },
];

/** As the order's page names it. */
function paidBy(invoice: IssuedDocument | null): string | null {
  const method = invoice?.buyer.paidBy ?? null;
  return method && namePaymentMethod(method.method, method.last4);
}

function stepsOf({ steps }: IssuedDocument, wanted: AmountAdjustment["what"]): IssuedDocument["steps"] {
  return steps.filter(({ what }) => what === wanted);
}

type AmountField = "totalMinor" | "netMinor" | "taxMinor" | "moneyMinor";

function sumOf(documents: readonly IssuedDocument[], field: AmountField): number | null {
  return documents.length === 0 ? null : documents.reduce((sum, document) => sum + document[field], 0);
}

function figuresOf(documents: readonly IssuedDocument[], field: AmountField): Cell {
  return {
    figures: documents
      .map((document) => toDecimal({ amountMinor: document[field], currency: document.currency }))
      .join(" "),
  };
}

function dayCell(invoice: IssuedDocument | null, field: "periodStartsAt" | "periodEndsAt"): Cell {
  const at = invoice?.[field] ?? null;
  return { figures: invoice === null || at === null ? "" : spellDay(dayOf(at, invoice.timeZone)) };
}

function statesTax({ taxes, exemption }: IssuedDocument): boolean {
  return taxes.length > 0 || exemption !== null;
}

function dayIn({ issuedAt, timeZone }: IssuedDocument): string {
  return spellDay(dayOf(issuedAt, timeZone));
}

/** In percent. A tax that the buyer owes, and one whose rate Stripe doesn't report, are words. */
function rateCell(taxes: readonly DocumentTax[]): Cell {
  const rates = taxes.map(({ percent, isReverseCharge }) =>
    isReverseCharge ? "reverse-charge" : percent === null ? "unknown" : String(percent),
  );
  const [only = ""] = rates;
  return rates.length < 2 && !/[a-z]/.test(only) ? { figures: only } : several(rates);
}

/** Two columns: the amount in the currency's unit with its usual digits, and in the minor unit. */
function amounts(name: string, of: (row: CsvOrder) => number | null): Column[] {
  const column = (name: string, write: (amount: MoneyAmount) => string): Column => ({
    name,
    write: (row) => {
      const amountMinor = of(row);
      return { figures: amountMinor === null ? "" : write({ amountMinor, currency: row.order.currency }) };
    },
  });
  return [column(name, toDecimal), column(`${name}_minor`, ({ amountMinor }) => String(amountMinor))];
}

/** The byte order mark and the header row. */
export function csvHead(format: CsvFormat): string {
  return `${byteOrderMark}${writeCsvLine(
    columns.map(({ name }) => ({ text: name })),
    format,
  )}`;
}

export function csvLine(row: CsvOrder, facts: CsvFacts, format: CsvFormat): string {
  return writeCsvLine(
    columns.map(({ write }) => write(row, facts)),
    format,
  );
}
