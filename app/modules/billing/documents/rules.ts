/**
 * What an issued document says: the invoice of a paid order, and a credit note for each amount that went back. Invariants: it is stored once
 * and never changes, except that an erasure removes who the buyer was; its lines add up to its total, and net and tax do too. Called from
 * wherever an order's receipt is shown, printed, emailed or exported.
 */
import type { OrderId } from "#app/core/id.ts";
import type { AmountAdjustment, SumRow } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import { type BilledTo, type Seller, spellNumber } from "#app/modules/billing/orders/rules.ts";

export const documentKinds = ["invoice", "credit-note"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * What a credit note is for: a refund, a friend's discount, a lost dispute, or credit of the order that goes back to the balance. The last two take
 * an earlier one back, so their amounts are negative: the customer's bank returned the refund, or decided again and for the seller.
 */
export const creditNoteReasons = [
  "refund",
  "friend-discount",
  "dispute-lost",
  "credit",
  "refund-returned",
  "dispute-won",
] as const;
export type CreditNoteReason = (typeof creditNoteReasons)[number];

/** `totalMinor` includes the tax; a line that takes something off is negative. */
export type DocumentLine = {
  label: string;
  quantity: number;
  netMinor: number;
  taxMinor: number;
  totalMinor: number;
  periodStartsAt: number | null;
  periodEndsAt: number | null;
};

/** `percent` is null if Stripe doesn't report the rate. */
export type DocumentTax = {
  name: string | null;
  percent: number | null;
  amountMinor: number;
  isReverseCharge: boolean;
};

export type DocumentAmounts = {
  lines: DocumentLine[];
  /** Each tax that is part of the total, or that the buyer owes. Empty if there is none. */
  taxes: DocumentTax[];
  netMinor: number;
  taxMinor: number;
  /** The lines, tax included. */
  totalMinor: number;
  /** What lies between the total and `moneyMinor`: credit, amounts carried from or to another invoice, and what went back without being left. */
  steps: (AmountAdjustment | { what: "excess"; amountMinor: number })[];
  /** The money that was paid, or that went back. */
  moneyMinor: number;
};

/** A document that is about to be issued. The statement that stores it gives it its number. */
export type NewDocument = DocumentAmounts & {
  currency: string;
  /** The wording for a seller who charges no tax. */
  exemption: string | null;
  periodStartsAt: number | null;
  periodEndsAt: number | null;
  /** When it was paid, or the money went back. The number's year follows it. */
  issuedAt: number;
  /** The seller's, in which its dates are written. */
  timeZone: string;
  seller: Seller;
};

/** An invoice that is about to be issued. */
export type NewInvoice = NewDocument & Pick<IssuedDocument, "buyer" | "providerNumber">;

export type IssuedDocument = NewDocument & {
  orderId: OrderId;
  kind: DocumentKind;
  /** What it was issued for: the id of a refund or dispute. Empty for an invoice. */
  cause: string;
  reason: CreditNoteReason | null;
  numberYear: number;
  numberInYear: number;
  /** The number of the document that it corrects. */
  corrects: string | null;
  /** Stripe's number of the payment record of an invoice. Null for a credit note. */
  providerNumber: string | null;
  /** Who paid. After an erasure only the country is left, and the VAT ids of a reverse charge. */
  buyer: BilledTo;
};

/** `2026-000042` for an invoice, as its order; `CN-2026-000042` for a credit note. Both are gapless within a year of the seller's calendar. */
export function documentNumber({
  kind,
  numberYear,
  numberInYear,
}: Pick<IssuedDocument, "kind" | "numberYear" | "numberInYear">): string {
  const number = spellNumber(numberYear, numberInYear);
  return kind === "invoice" ? number : `${creditNotePrefix}${number}`;
}

const creditNotePrefix = "CN-";

/** The rows between a document's lines and its money. Prices include tax, so net and tax come before any credit. */
export function documentRows({ taxes, netMinor, totalMinor, steps }: DocumentAmounts): SumRow[] {
  const net: SumRow[] = taxes.length === 0 ? [] : [{ what: "net", amountMinor: netMinor }];
  const total: SumRow[] = steps.length === 0 ? [] : [{ what: "total", amountMinor: totalMinor }];
  return [
    ...net,
    ...taxes.map(({ name, percent, amountMinor, isReverseCharge }): SumRow =>
      isReverseCharge ? { what: "reverse-charge", amountMinor } : { what: "tax", name, percent, amountMinor },
    ),
    ...total,
    ...steps,
  ];
}

/** An order's documents: one invoice, and its credit notes. */
export function splitDocuments(documents: readonly IssuedDocument[]) {
  return {
    invoice: documents.find(({ kind }) => kind === "invoice") ?? null,
    creditNotes: documents.filter(({ kind }) => kind === "credit-note"),
  };
}

/** Credit notes of money that went back, or came back from it, and those of credit, which change nothing of what was paid. */
export function splitCreditNotes(notes: readonly IssuedDocument[]) {
  return {
    ofMoney: notes.filter(({ reason }) => reason !== "credit"),
    ofCredit: notes.filter(({ reason }) => reason === "credit"),
  };
}

/** What is left of an invoice's money after its credit notes. */
export function moneyLeft(
  invoice: Pick<IssuedDocument, "moneyMinor">,
  notes: readonly Pick<IssuedDocument, "moneyMinor">[],
): number {
  return notes.reduce((left, { moneyMinor }) => left - moneyMinor, invoice.moneyMinor);
}

/**
 * How many years after the one of a document a seller keeps evidence of where the buyer is: ten under the EU's One Stop Shop, counted from
 * the end of the year of the supply (Council Implementing Regulation (EU) 282/2011, Article 63c(3)). Shorter national terms, such as the
 * eight years of § 14b UStG, are covered by it.
 */
export const buyerKeptYears = 10;

/** The second of January, when the year has begun in every time zone. */
export function buyerKeptUntil(numberYear: number): number {
  return Date.UTC(numberYear + buyerKeptYears + 1, 0, 2);
}

/** What is left of a buyer when that time is over. Its fields are in the order in which the trigger writes them. */
export const nobody: BilledTo = { name: null, address: [], country: null, vatIds: [], paidBy: null };
