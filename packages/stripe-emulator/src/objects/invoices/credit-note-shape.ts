import type Stripe from "stripe";
import { invoicePage } from "../../actions/payments/finalize-invoice.ts";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { wholeList } from "../../http/lists.ts";
import { formatAmount } from "../../money/money.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { idOf, refer } from "../demand.ts";
import type { CreditNoteInput } from "./credit-note-form.ts";
import { allFor, issuedFor, namedLines, sharedLines } from "./credit-note-lines.ts";
import { totalTaxes } from "./invoice-lines.ts";
import { paymentsOf } from "./invoice-payments.ts";

/** A credit note, and how much of it goes back by each way. Nothing is stored: the preview and the note itself use the same code. */
export function composeCreditNote(tx: Transaction, input: CreditNoteInput): Stripe.CreditNote {
  const invoice = refer(tx, "invoice", input.invoice, "invoice");
  requireCreditable(invoice);
  if (input.amount === undefined && input.lines === undefined) throw missingParameter("amount");
  if (input.amount !== undefined && input.amount < 1)
    throw invalid("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  const lines =
    input.lines === undefined ? sharedLines(invoice, input.amount ?? 0) : namedLines(tx, invoice, input.lines);
  const subtotal = sum(lines.map((line) => line.amount));
  const discount = sum(lines.map((line) => line.discount_amount));
  const amount = subtotal - discount;
  if (input.amount !== undefined && input.amount !== amount)
    throw invalid("The sum of the lines must equal the credit note amount.", { param: "amount" });
  requireLeft(tx, invoice, amount);
  const taxes = totalTaxes(lines);
  const tax = sum(taxes.map((each) => each.amount));
  const prePayment = invoice.status === "paid" ? 0 : Math.min(amount, invoice.amount_remaining);
  const postPayment = amount - prePayment;
  const linked = refundsOf(tx, invoice, input);
  requireWaysBack(invoice, input, { linked: sum(linked.map((each) => each.amount_refunded)), postPayment });
  const id = newId("cn");
  return {
    id,
    object: "credit_note",
    amount,
    amount_shipping: 0,
    created: tx.clock.now(),
    currency: invoice.currency,
    customer: invoice.customer === null ? "" : idOf(invoice.customer),
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: discount,
    discount_amounts: discountsIn(lines),
    effective_at: input.effectiveAt ?? tx.clock.now(),
    invoice: invoice.id,
    lines: wholeList(`/v1/credit_notes/${id}/lines`, lines),
    livemode: false,
    memo: input.memo,
    metadata: input.metadata,
    number: `${invoice.number ?? ""}-CN-${String(allFor(tx, invoice).length + 1).padStart(2, "0")}`,
    out_of_band_amount: input.outOfBandAmount === 0 ? null : input.outOfBandAmount,
    pdf: `${invoicePage(tx, invoice)}/pdf`,
    post_payment_amount: postPayment,
    pre_payment_amount: prePayment,
    pretax_credit_amounts: [],
    reason: input.reason,
    refunds: linked,
    shipping_cost: null,
    status: "issued",
    subtotal,
    subtotal_excluding_tax: subtotal - tax,
    total: amount,
    total_excluding_tax: amount - tax,
    total_taxes: taxes,
    type: prePayment === 0 ? "post_payment" : postPayment === 0 ? "pre_payment" : "mixed",
    voided_at: null,
  };
}

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function discountsIn(lines: Stripe.CreditNoteLineItem[]): Stripe.CreditNote.DiscountAmount[] {
  const byId = new Map<string, number>();
  for (const { amount, discount } of lines.flatMap((line) => line.discount_amounts))
    byId.set(idOf(discount), (byId.get(idOf(discount)) ?? 0) + amount);
  return [...byId].map(([discount, amount]) => ({ amount, discount }));
}

function requireCreditable({ id, status }: Stripe.Invoice): void {
  if (status === "open" || status === "paid" || status === "uncollectible") return;
  throw invalid(`A credit note is for an invoice that is open, paid or uncollectible, and ${id} is ${status}.`, {
    param: "invoice",
  });
}

/** All of an invoice's credit notes take off at most its total. Stripe documents the limit, and not its words. */
function requireLeft(tx: Transaction, invoice: Stripe.Invoice, amount: number): void {
  const left = invoice.total - sum(issuedFor(tx, invoice).map((note) => note.total));
  if (amount >= 1 && amount <= left) return;
  throw invalid(
    `The credit note amount (${formatAmount(amount, invoice.currency)}) must be positive and at most what is left of the invoice (${formatAmount(left, invoice.currency)}).`,
    { param: "amount" },
  );
}

function requireWaysBack(
  invoice: Stripe.Invoice,
  { creditAmount, refundAmount, outOfBandAmount }: CreditNoteInput,
  { linked, postPayment }: { linked: number; postPayment: number },
): void {
  for (const [param, amount] of Object.entries({
    credit_amount: creditAmount,
    refund_amount: refundAmount,
    out_of_band_amount: outOfBandAmount,
  }))
    if (amount < 0) throw invalid("Invalid non-negative integer", { code: "parameter_invalid_integer", param });
  const back = creditAmount + refundAmount + outOfBandAmount + linked;
  if (back === postPayment) return;
  const say = (amount: number): string => formatAmount(amount, invoice.currency);
  throw invalid(
    `The sum of credit amount, refund amount and out of band amount (${say(back)}) must equal the credit note amount (${say(postPayment)}).`,
  );
}

/** Refunds of this invoice's payments that no credit note has yet. */
function refundsOf(tx: Transaction, invoice: Stripe.Invoice, { refunds }: CreditNoteInput): Stripe.CreditNote.Refund[] {
  return refunds.map(({ refund: id, amount, path }) => {
    const refund = refer(tx, "refund", id, `${path}[refund]`);
    const used = sum(
      [...tx.store.newestFirst("credit_note")]
        .filter(({ status }) => status === "issued")
        .flatMap((note) => note.refunds)
        .filter((each) => idOf(each.refund) === id)
        .map((each) => each.amount_refunded),
    );
    const given = amount ?? refund.amount - used;
    const isOfInvoice = paymentsOf(tx, invoice).some(
      ({ payment }) => payment.payment_intent !== undefined && payment.payment_intent === refund.payment_intent,
    );
    if (!isOfInvoice || given < 1 || given > refund.amount - used)
      throw invalid(`The refund ${id} can't be linked to this credit note with this amount.`, {
        param: `${path}[refund]`,
      });
    return { amount_refunded: given, payment_record_refund: null, refund: id, type: "refund" };
  });
}
