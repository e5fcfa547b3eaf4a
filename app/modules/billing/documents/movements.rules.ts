/**
 * Lists what moved in the seller's books, a row for each issued document: a sale, or what went back of one. Invariant: the rows of a time add
 * up to the documents issued in it, so each amount counts on the day on which it moved. Called from the operators' export.
 */
import type { OrderId } from "#app/core/id.ts";
import { dayOf, spellDay } from "#app/core/time/calendar.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { type CreditNoteReason, documentNumber, type IssuedDocument } from "./rules.ts";

/** The order of a document, and Stripe's invoice of it. */
type Sold = {
  planId: string;
  interval: Interval;
  invoiceId: string | null;
  numberYear: number | null;
  numberInYear: number | null;
};

/** Amounts are signed: what went back is negative. Names as they are in the API's answer and in the file. */
export type Movement = {
  /** The day in the seller's time zone. */
  date: string;
  what: "sale" | CreditNoteReason;
  number: string;
  /** The number of the document that it corrects. */
  corrects: string | null;
  orderId: OrderId;
  orderNumber: string | null;
  /** Stripe's number of the payment record. */
  providerNumber: string | null;
  /** Stripe's id: of the invoice for a sale, and else of the refund or dispute. Null for credit that was given back. */
  providerId: string | null;
  planId: string;
  interval: Interval;
  country: string | null;
  vatIds: string[];
  currency: string;
  netMinor: number;
  taxes: { name: string | null; percent: number | null; amountMinor: number; isReverseCharge: boolean }[];
  taxMinor: number;
  totalMinor: number;
  /** The money that was paid or went back: the total, less credit, and with what was carried from or to another invoice. */
  moneyMinor: number;
  exemption: string | null;
};

export function movementOf({ document, order }: { document: IssuedDocument; order: Sold }): Movement {
  const { kind, reason, cause, corrects, providerNumber, buyer, currency, exemption, issuedAt, timeZone } = document;
  const sign = kind === "invoice" ? 1 : -1;
  // Not the negative zero of a zero amount.
  const signed = (amountMinor: number) => (amountMinor === 0 ? 0 : sign * amountMinor);
  return {
    date: spellDay(dayOf(issuedAt, timeZone)),
    what: reason ?? "sale",
    number: documentNumber(document),
    corrects,
    orderId: document.orderId,
    orderNumber: orderNumber(order),
    providerNumber,
    providerId: kind === "invoice" ? order.invoiceId : providerIdOf(cause),
    planId: order.planId,
    interval: order.interval,
    country: buyer.country ?? null,
    vatIds: buyer.vatIds ?? [],
    currency,
    netMinor: signed(document.netMinor),
    taxes: document.taxes.map(({ amountMinor, ...tax }) => ({ ...tax, amountMinor: signed(amountMinor) })),
    taxMinor: signed(document.taxMinor),
    totalMinor: signed(document.totalMinor),
    moneyMinor: signed(document.moneyMinor),
    exemption,
  };
}

/** The cause of what takes a credit note back is the other's, with a point and a word after it. */
function providerIdOf(cause: string): string | null {
  const [id = ""] = cause.split(".");
  return id.includes("_") ? id : null;
}
