import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { changeBalance } from "../../objects/customers/customer-balance.ts";
import { differences } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/demand.ts";
import type { CreditNoteInput } from "../../objects/invoices/credit-note-form.ts";
import { composeCreditNote } from "../../objects/invoices/credit-note-shape.ts";
import { intentOf, paymentsOf } from "../../objects/invoices/invoice-payments.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { cancelIntent } from "./intents.ts";
import { markInvoicePaid } from "./mark-invoice.ts";
import { refundCharge } from "./refund-charge.ts";

/** Reduces what an open invoice still asks for, and gives back what was paid beyond that. */
export function issueCreditNote(tx: Transaction, input: CreditNoteInput): Stripe.CreditNote {
  const composed = composeCreditNote(tx, input);
  const invoice = demand(tx, "invoice", idOf(composed.invoice));
  const refund = input.refundAmount === 0 ? null : refundPayment(tx, invoice, input.refundAmount);
  const credit =
    input.creditAmount === 0
      ? null
      : changeBalance(tx, demand(tx, "customer", idOf(composed.customer)), {
          amount: -input.creditAmount,
          currency: invoice.currency,
          type: "credit_note",
          creditNote: composed.id,
          invoice: invoice.id,
        });
  const note: Stripe.CreditNote = {
    ...composed,
    customer_balance_transaction: credit?.id ?? null,
    refunds: [
      ...composed.refunds,
      ...(refund === null
        ? []
        : [
            { amount_refunded: refund.amount, payment_record_refund: null, refund: refund.id, type: "refund" as const },
          ]),
    ],
  };
  tx.store.put("credit_note", note, idOf(composed.customer));
  tx.record("credit_note.created", note);
  count(tx, invoice, note, 1);
  return note;
}

/** Only what an open invoice was reduced by can be asked for again. Stripe documents that, and not its words. */
export function voidCreditNote(tx: Transaction, note: Stripe.CreditNote): Stripe.CreditNote {
  const invoice = demand(tx, "invoice", idOf(note.invoice));
  if (note.status === "void") throw invalid("This credit note is already void.");
  if (note.type !== "pre_payment" || invoice.status !== "open")
    throw invalid("Only a credit note of an open invoice, which gave nothing back, can be voided.");
  const voided = tx.store.put("credit_note", { ...note, status: "void", voided_at: tx.clock.now() });
  tx.record("credit_note.voided", voided);
  count(tx, invoice, note, -1);
  return voided;
}

function refundPayment(tx: Transaction, invoice: Stripe.Invoice, amount: number): Stripe.Refund {
  const latest = intentOf(tx, invoice)?.latest_charge ?? null;
  const charge = latest === null ? null : tx.store.find("charge", idOf(latest));
  if (charge === null) throw invalid("There is no payment of this invoice to refund.", { param: "refund_amount" });
  return refundCharge(tx, charge, { amount, reason: null, metadata: {} });
}

/** The invoice's amounts with a credit note, or without one that is void. An open invoice that asks for nothing more is paid. */
function count(tx: Transaction, before: Stripe.Invoice, note: Stripe.CreditNote, sign: 1 | -1): void {
  const reduced = sign * note.pre_payment_amount;
  const after: Stripe.Invoice = {
    ...before,
    amount_due: before.amount_due - reduced,
    amount_remaining: before.amount_remaining - reduced,
    post_payment_credit_notes_amount: before.post_payment_credit_notes_amount + sign * note.post_payment_amount,
    pre_payment_credit_notes_amount: before.pre_payment_credit_notes_amount + reduced,
  };
  const intent = intentOf(tx, before);
  if (reduced !== 0 && intent?.status === "processing")
    throw invalid("This invoice has a payment that is still processing.", { param: "invoice" });
  tx.store.put("invoice", after);
  tx.record("invoice.updated", after, differences(before, after));
  if (reduced === 0) return;
  if (intent !== null && after.amount_remaining > 0) {
    tx.store.put("payment_intent", { ...intent, amount: after.amount_remaining });
    for (const payment of paymentsOf(tx, after))
      if (payment.status === "open")
        tx.store.put("invoice_payment", { ...payment, amount_requested: after.amount_remaining });
  }
  if (after.amount_remaining > 0) return;
  if (intent !== null && intent.status !== "succeeded") cancelIntent(tx, intent, "void_invoice");
  markInvoicePaid(tx, after, "manual");
}
