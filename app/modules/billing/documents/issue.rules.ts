/**
 * Computes what is on an invoice and on the credit notes of it. Invariants: lines, net and tax add up to the total, to the minor unit; all
 * credit notes of an invoice never exceed it, neither in total nor by rate. Called from the reconciler, which stores the result.
 */
import { fixedTax, isExempt } from "#app/modules/catalogue/tax.rules.ts";
import { sumMinor } from "#app/core/money/money.ts";
import { roundTax } from "#app/core/money/round-amount.ts";
import { isDisputeOpen } from "#app/core/stripe/states.ts";
import type { ProductConfig, TaxSetting } from "#app/modules/catalogue/rules.ts";
import { stepsToCharge } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { ChargeFacts } from "#app/modules/billing/orders/money-back.rules.ts";
import { nameLine } from "#app/modules/billing/orders/line-name.rules.ts";
import type { BilledTo, Seller, Taxes } from "#app/modules/billing/orders/rules.ts";
import {
  type CreditNoteReason,
  type DocumentAmounts,
  type DocumentLine,
  type DocumentTax,
  documentNumber,
  type IssuedDocument,
  type NewDocument,
} from "./rules.ts";

/** What the documents of one product have in common. */
type Issuer = { seller: Seller; timeZone: string; tax: TaxSetting };

/** Without the rest of the config, which documents don't depend on. */
export function issuerOf({ seller, timeZone, tax }: ProductConfig): Issuer {
  return { seller, timeZone, tax };
}

export type PaidFacts = {
  currency: string;
  amountMinor: number;
  discountMinor: number;
  creditMinor: number;
  /** As Stripe charged them. Null if it charged none. */
  taxes: Taxes | null;
  paidAt: number;
  lines: {
    description: string;
    quantity: number;
    amountMinor: number;
    periodStartsAt: number | null;
    periodEndsAt: number | null;
  }[];
};

/** The line of what a coupon took off. */
const discountLabel = "Discount";

export function writeInvoice({ seller, timeZone, tax }: Issuer, paid: PaidFacts): NewDocument {
  const { currency, amountMinor, discountMinor, paidAt: issuedAt } = paid;
  const items = paid.lines.map(({ description, quantity, amountMinor: totalMinor, periodStartsAt, periodEndsAt }) => ({
    label: nameLine({ description, periodStartsAt }),
    quantity,
    totalMinor,
    periodStartsAt,
    periodEndsAt,
  }));
  const discount = { label: discountLabel, quantity: 1, totalMinor: -discountMinor, ...noPeriod };
  const charged = discountMinor === 0 ? items : [...items, discount];
  const totalMinor = charged.reduce((sum, line) => sum + line.totalMinor, 0);
  const taxes = taxesOf(tax, { totalMinor, currency }, paid.taxes);
  const taxMinor = sumMinor(taxes);
  const lines = shareTax(charged, { taxMinor, currency }, taxes);
  // The last line is for the period that was paid.
  const { periodStartsAt, periodEndsAt } = items.at(-1) ?? noPeriod;
  return {
    currency,
    lines,
    taxes,
    netMinor: totalMinor - taxMinor,
    taxMinor,
    totalMinor,
    steps: stepsToCharge(paid, paid.lines).filter(({ what }) => what !== "discount"),
    moneyMinor: amountMinor,
    // Tax that was charged is owed, whatever the config says by now (§ 14c UStG).
    exemption: taxes.length > 0 ? null : exemptionOf(tax),
    periodStartsAt,
    periodEndsAt,
    issuedAt,
    timeZone,
    seller,
  };
}

const noPeriod = { periodStartsAt: null, periodEndsAt: null };

function exemptionOf(tax: TaxSetting): string | null {
  return isExempt(tax) ? tax.exempt : null;
}

/** Prices include tax. What Stripe charged counts; else the config's rate, rounded once per document. */
function taxesOf(
  setting: TaxSetting,
  total: { totalMinor: number; currency: string },
  charged: Taxes | null,
): DocumentTax[] {
  if (charged) return charged.parts;
  const fixed = fixedTax(setting, total);
  return fixed ? [{ ...fixed, isReverseCharge: false }] : [];
}

type UntaxedLine = Omit<DocumentLine, "netMinor" | "taxMinor">;

/** Gives each line its share of the tax: rounded at the running sum, so that the shares add up to the document's tax. */
function shareTax(
  lines: UntaxedLine[],
  { taxMinor, currency }: { taxMinor: number; currency: string },
  taxes: readonly DocumentTax[],
): DocumentLine[] {
  const totalMinor = lines.reduce((sum, line) => sum + line.totalMinor, 0);
  const percent = taxes.reduce((sum, tax) => sum + (tax.isReverseCharge ? 0 : (tax.percent ?? 0)), 0);
  // Lines that cancel each other have the rate's tax, which cancels as well.
  const share = totalMinor === 0 ? percent / (100 + percent) : taxMinor / totalMinor;
  let [runningMinor, sharedMinor] = [0, 0];
  return lines.map((line, index) => {
    runningMinor += line.totalMinor;
    const isLast = index === lines.length - 1;
    const own = (isLast ? taxMinor : roundTax(runningMinor * share, currency)) - sharedMinor;
    sharedMinor += own;
    return { ...line, taxMinor: own, netMinor: line.totalMinor - own };
  });
}

type Return = "refund-returned" | "dispute-won";

/** An amount that went back of an order: one refund or lost dispute, or the credit that the order had used. */
export type Correction = {
  /** Unique among those of an order. */
  cause: string;
  reason: Exclude<CreditNoteReason, Return>;
  amountMinor: number;
  /** It came back since, for this reason. Null if it hasn't. */
  returned: Return | null;
  /** Null if this sync has just found it. */
  at: number | null;
};

/** What went back of an order, whose credit may go back in several steps: what its credit notes don't say yet is the next one. */
export function correctionsOf(
  charges: readonly ChargeFacts[],
  { notes, creditReturnedMinor }: { notes: readonly DocumentAmounts[]; creditReturnedMinor: number },
): Correction[] {
  const notedMinor = 0 - stepOf(notes, "credited");
  const creditMinor = creditReturnedMinor - notedMinor;

  const refunds = charges.flatMap((charge) => charge.refunds);
  const decided = charges.flatMap(({ disputes }) => disputes).filter(({ state }) => !isDisputeOpen(state));
  return [
    ...refunds.map(({ id: cause, amountMinor, state, isFriendDiscount, createdAt: at }): Correction => {
      const reason = isFriendDiscount ? "friend-discount" : "refund";
      return { cause, reason, amountMinor, returned: state === "failed" ? "refund-returned" : null, at };
    }),
    // Stripe says when a dispute was opened, and not when it was decided. One that was lost can be appealed, and won then.
    ...decided.map(({ id: cause, amountMinor, state }): Correction => {
      return { cause, reason: "dispute-lost", amountMinor, returned: state === "won" ? "dispute-won" : null, at: null };
    }),
    ...(creditMinor > 0
      ? [
          {
            cause: notedMinor === 0 ? "credit" : `credit.${notedMinor}`,
            reason: "credit" as const,
            amountMinor: creditMinor,
            returned: null,
            at: null,
          },
        ]
      : []),
  ];
}

/** An order's invoice, stored or about to be. */
type InvoiceFacts = DocumentAmounts &
  Pick<IssuedDocument, "currency" | "periodStartsAt" | "periodEndsAt" | "exemption" | "buyer">;
export type IssuedNote = DocumentAmounts & Pick<IssuedDocument, "cause" | "kind" | "numberYear" | "numberInYear">;

export type NewCreditNote = NewDocument & {
  cause: string;
  reason: CreditNoteReason;
  /** The number of the credit note that it takes back. Null if it corrects the invoice. */
  takesBack: string | null;
  /** The sum of the credit notes before it: its amounts count on that, so the statement that stores it asks for the same. */
  beforeMinor: number;
  buyer: BilledTo;
};

/** What a credit note's line is for; the invoice's last line is what was sold. */
const reasonLabels: Record<CreditNoteReason, string> = {
  refund: "Refund",
  "friend-discount": "Friend discount",
  "dispute-lost": "Payment returned by your bank",
  credit: "Credit given back",
  "refund-returned": "Refund that your bank returned",
  "dispute-won": "Payment that your bank confirmed after all",
};

/** The credit notes that an order's invoice lacks, oldest first. */
export function writeCreditNotes(
  { seller, timeZone }: Issuer,
  invoice: InvoiceFacts,
  { notes, corrections, now }: { notes: readonly IssuedNote[]; corrections: readonly Correction[]; now: number },
): NewCreditNote[] {
  const { currency, periodStartsAt, periodEndsAt, exemption, buyer } = invoice;
  const written: NewCreditNote[] = [];
  for (const { cause, reason, amountMinor, returned, at } of oldestFirst(corrections, now)) {
    const own = notes.find((note) => note.cause === cause);
    // What had come back before it was known changes nothing.
    const isKnown = returned ? !own || notes.some((note) => note.cause === returnOf(cause)) : own;
    if (isKnown) continue;
    const before: DocumentAmounts[] = [...notes, ...written];
    const isMoney = reason !== "credit";
    written.push({
      ...(own && returned
        ? takeBack(invoice, before, { own, returned })
        : correct(invoice, before, { reason, amountMinor, isMoney })),
      ...{ currency, periodStartsAt, periodEndsAt, exemption, seller, timeZone, buyer },
      cause: own ? returnOf(cause) : cause,
      reason: returned ?? reason,
      issuedAt: own ? now : (at ?? now),
      takesBack: own ? documentNumber(own) : null,
      beforeMinor: totalOf(before),
    });
  }
  return written;
}

function oldestFirst(corrections: readonly Correction[], now: number): Correction[] {
  return corrections.toSorted(
    (left, right) => (left.at ?? now) - (right.at ?? now) || (left.cause < right.cause ? -1 : 1),
  );
}

/** The cause of the document that takes back the one of this cause. */
export function returnOf(cause: string): string {
  return `${cause}.returned`;
}

function totalOf(documents: readonly DocumentAmounts[]): number {
  return documents.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
}

/**
 * The invoice's taxes in proportion, rounded at the running sum of its credit notes. More than is left of its total goes back if something was
 * carried to it from an earlier one, or if a bank returns what was refunded before.
 */
function correct(
  invoice: InvoiceFacts,
  before: readonly DocumentAmounts[],
  { reason, amountMinor, isMoney }: { reason: CreditNoteReason; amountMinor: number; isMoney: boolean },
): DocumentAmounts {
  const beforeMinor = totalOf(before);
  const leftMinor = Math.max(0, invoice.totalMinor - beforeMinor);
  const totalMinor = Math.min(amountMinor, leftMinor);
  const isAll = totalMinor === leftMinor;
  let untaxedMinor = totalMinor;
  const taxes = invoice.taxes.map((tax, index): DocumentTax => {
    const noted = before.reduce((sum, note) => sum + (note.taxes[index]?.amountMinor ?? 0), 0);
    const left = tax.amountMinor - noted;
    const due = (tax.amountMinor * (beforeMinor + totalMinor)) / invoice.totalMinor;
    const share = isAll ? left : roundTax(due, invoice.currency) - noted;
    const amount = Math.max(0, Math.min(share, left, untaxedMinor));
    untaxedMinor -= amount;
    return { ...tax, amountMinor: amount };
  });
  const amounts = { netMinor: untaxedMinor, taxMinor: totalMinor - untaxedMinor, totalMinor };
  const { periodStartsAt, periodEndsAt } = invoice;
  const label = [reasonLabels[reason], ...(invoice.lines.length > 0 ? [soldLabel(invoice.lines)] : [])].join(": ");
  const beyondMinor = amountMinor - totalMinor;
  const carriedMinor = isMoney
    ? Math.min(beyondMinor, stepOf([invoice], "carried-from") - stepOf(before, "carried-from"))
    : 0;
  return {
    ...amounts,
    lines: [{ label, quantity: 1, ...amounts, periodStartsAt, periodEndsAt }],
    taxes,
    steps: [
      { what: "carried-from" as const, amountMinor: carriedMinor },
      { what: "excess" as const, amountMinor: beyondMinor - carriedMinor },
      { what: "credited" as const, amountMinor: isMoney ? 0 : -amountMinor },
    ].filter((step) => step.amountMinor !== 0),
    moneyMinor: isMoney ? amountMinor : 0,
  };
}

function stepOf(documents: readonly DocumentAmounts[], wanted: DocumentAmounts["steps"][number]["what"]): number {
  return sumMinor(documents.flatMap(({ steps }) => steps.filter(({ what }) => what === wanted)));
}

/** The dearest line is the plan; the others take something off. */
function soldLabel(lines: readonly DocumentLine[]): string {
  return lines.reduce((dearest, line) => (line.totalMinor > dearest.totalMinor ? line : dearest)).label;
}

/**
 * The opposite of a credit note whose amount came back. As long as more has gone back than the invoice's total, it leaves that much of it: what
 * was in excess then corrects the invoice now.
 */
function takeBack(
  invoice: InvoiceFacts,
  before: readonly DocumentAmounts[],
  { own, returned }: { own: DocumentAmounts; returned: Return },
): DocumentAmounts {
  const opposite = negate(own, returned);
  const excessMinor = stepOf([...before, opposite], "excess");
  const reason = "refund";
  const kept = correct(invoice, [...before, opposite], { reason, amountMinor: excessMinor, isMoney: true });
  const amounts = {
    netMinor: opposite.netMinor + kept.netMinor,
    taxMinor: opposite.taxMinor + kept.taxMinor,
    totalMinor: opposite.totalMinor + kept.totalMinor,
  };
  const steps = (["carried-from", "excess", "credited"] as const).map((what) => ({
    what,
    amountMinor: stepOf([opposite, kept], what) - (what === "excess" ? excessMinor : 0),
  }));
  return {
    ...amounts,
    lines: opposite.lines.map((line) => ({ ...line, ...amounts })),
    taxes: opposite.taxes.map((tax, index) => ({
      ...tax,
      amountMinor: tax.amountMinor + (kept.taxes[index]?.amountMinor ?? 0),
    })),
    steps: steps.filter(({ amountMinor }) => amountMinor !== 0),
    moneyMinor: opposite.moneyMinor,
  };
}

/** Subtracted from 0, since the negative of 0 is another 0. */
function negate({ lines, taxes, steps, ...amounts }: DocumentAmounts, returned: Return): DocumentAmounts {
  return {
    netMinor: 0 - amounts.netMinor,
    taxMinor: 0 - amounts.taxMinor,
    totalMinor: 0 - amounts.totalMinor,
    moneyMinor: 0 - amounts.moneyMinor,
    lines: lines.map((line) => ({
      ...line,
      label: reasonLabels[returned],
      netMinor: 0 - line.netMinor,
      taxMinor: 0 - line.taxMinor,
      totalMinor: 0 - line.totalMinor,
    })),
    taxes: taxes.map((tax) => ({ ...tax, amountMinor: 0 - tax.amountMinor })),
    steps: steps.map((step) => ({ ...step, amountMinor: 0 - step.amountMinor })),
  };
}
