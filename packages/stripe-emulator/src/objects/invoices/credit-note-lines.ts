import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { decimalOnTheWire } from "../../money/decimal.ts";
import { newId } from "../../ids.ts";
import { spread } from "../../money/proration.ts";
import { inclusiveTax, type Taxability } from "../../money/tax.ts";
import { roundAmount } from "../../money/currencies.ts";
import { invalid, missingParameter, missingReference } from "../../http/stripe-errors.ts";
import type { CreditLineInput } from "./credit-note-form.ts";

type CreditLine = Stripe.CreditNoteLineItem;

/** An amount alone is shared by the invoice's lines, in proportion to what was charged for each. */
export function sharedLines(invoice: Stripe.Invoice, amount: number): CreditLine[] {
  const lines = invoice.lines.data;
  const parts = spread(amount, lines.map(chargedFor), invoice.currency);
  return lines.flatMap((line, index) => {
    const net = parts[index] ?? 0;
    const charged = chargedFor(line);
    const gross = charged === 0 ? net : roundAmount((net * line.amount) / charged, invoice.currency);
    return net === 0 ? [] : [creditLine(line, { gross, net, quantity: null })];
  });
}

export function namedLines(tx: Transaction, invoice: Stripe.Invoice, inputs: CreditLineInput[]): CreditLine[] {
  return inputs.map((input) => {
    if (input.type === undefined) throw missingParameter(`${input.path}[type]`);
    return input.type === "custom_line_item" ? customLine(invoice, input) : invoiceLine(tx, invoice, input);
  });
}

function invoiceLine(tx: Transaction, invoice: Stripe.Invoice, input: CreditLineInput): CreditLine {
  const { path, amount, quantity, invoiceLine: id } = input;
  if (id === undefined) throw missingParameter(`${path}[invoice_line_item]`);
  const line = invoice.lines.data.find((each) => each.id === id);
  if (line === undefined) throw missingReference("invoice line item", id, `${path}[invoice_line_item]`);
  if ((amount === undefined) === (quantity === undefined))
    throw invalid("You must pass either `amount` or `quantity` for an invoice line item.", {
      param: `${path}[amount]`,
    });
  const gross = amount ?? roundAmount((line.amount * (quantity ?? 0)) / (line.quantity ?? 1), invoice.currency);
  const before = creditedBefore(tx, invoice, id);
  if (Math.abs(gross) > Math.abs(line.amount) - before)
    throw invalid(
      `The credit note line's amount (${gross}) is greater than what is left of the invoice's line (${Math.abs(line.amount) - before}).`,
      { param: `${path}[${amount === undefined ? "quantity" : "amount"}]` },
    );
  const off = line.amount === 0 ? 0 : roundAmount((gross * discountOn(line)) / line.amount, invoice.currency);
  return creditLine(line, { gross, net: gross - off, quantity: quantity ?? null });
}

/** What isn't on the invoice is credited with its first line's tax. */
function customLine(invoice: Stripe.Invoice, input: CreditLineInput): CreditLine {
  const { path, unitAmount, description, quantity = 1 } = input;
  if (description === undefined) throw missingParameter(`${path}[description]`);
  if (unitAmount === undefined) throw missingParameter(`${path}[unit_amount]`);
  const gross = unitAmount * quantity;
  return {
    ...emptyLine,
    id: newId("cnli"),
    amount: gross,
    description,
    quantity,
    taxes: taxesOf(invoice.lines.data[0], gross),
    type: "custom_line_item",
    unit_amount: unitAmount,
    unit_amount_decimal: decimalOnTheWire(unitAmount),
  };
}

function creditLine(
  line: Stripe.InvoiceLineItem,
  { gross, net, quantity }: { gross: number; net: number; quantity: number | null },
): CreditLine {
  const discount = gross - net;
  const [own] = line.discounts;
  return {
    ...emptyLine,
    id: newId("cnli"),
    amount: gross,
    description: line.description,
    discount_amount: discount,
    discount_amounts: own === undefined || discount === 0 ? [] : [{ amount: discount, discount: idOfDiscount(own) }],
    invoice_line_item: line.id,
    quantity,
    taxes: taxesOf(line, net),
    type: "invoice_line_item",
  };
}

const emptyLine = {
  object: "credit_note_line_item" as const,
  discount_amount: 0,
  discount_amounts: [],
  livemode: false,
  metadata: {},
  pretax_credit_amounts: [],
  tax_rates: [],
  unit_amount: null,
  unit_amount_decimal: null,
};

const idOfDiscount = (discount: Stripe.InvoiceLineItem["discounts"][number]): string =>
  typeof discount === "string" ? discount : discount.id;

const discountOn = ({ discount_amounts }: Stripe.InvoiceLineItem): number =>
  (discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);

const chargedFor = (line: Stripe.InvoiceLineItem): number => line.amount - discountOn(line);

/** By the rate of the line that is credited. */
function taxesOf(line: Stripe.InvoiceLineItem | undefined, net: number): Stripe.CreditNoteLineItem.Tax[] {
  const reason = TAXABILITIES.find((known) => known === line?.taxes?.[0]?.taxability_reason);
  return reason === undefined ? [] : [inclusiveTax(net, reason)];
}

const TAXABILITIES: readonly Taxability[] = ["customer_exempt", "reverse_charge", "standard_rated"];

/** What issued credit notes have taken off a line of the invoice. */
function creditedBefore(tx: Transaction, invoice: Stripe.Invoice, line: string): number {
  return issuedFor(tx, invoice)
    .flatMap(({ lines }) => lines.data)
    .filter(({ invoice_line_item }) => invoice_line_item === line)
    .reduce((sum, { amount }) => sum + Math.abs(amount), 0);
}

export const issuedFor = (tx: Transaction, invoice: Stripe.Invoice): Stripe.CreditNote[] =>
  allFor(tx, invoice).filter(({ status }) => status === "issued");

export const allFor = (tx: Transaction, invoice: Stripe.Invoice): Stripe.CreditNote[] =>
  [...tx.store.newestFirst("credit_note")].filter((note) => note.invoice === invoice.id);
