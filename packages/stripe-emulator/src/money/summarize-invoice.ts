import type Stripe from "stripe";
import type { Transaction } from "../transaction.ts";
import { formatAmount } from "./money.ts";
import { idOf } from "../objects/demand.ts";
import { paymentsOf } from "../objects/invoices/invoice-payments.ts";
import { refundsOf } from "../objects/payments/refund-shape.ts";

/** An invoice's content on page and PDF, in the same words and order. */
export interface Summary {
  seller: string;
  billedTo: string[];
  lines: { what: string; amount: string }[];
  sums: { what: string; amount: string }[];
}

export function summarizeInvoice(tx: Transaction, invoice: Stripe.Invoice): Summary {
  const money = (amountMinor: number): string => formatAmount(amountMinor, invoice.currency);
  const total = (parts: { amount: number }[] | null | undefined): number =>
    (parts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const discount = total(invoice.total_discount_amounts);
  const tax = total(invoice.total_taxes);
  const isReverseCharge = (invoice.total_taxes ?? []).some(({ taxability_reason: why }) => why === "reverse_charge");
  const fromBalance = (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance;
  const refunded = total(refundsFor(tx, invoice));
  const sums: [string, number, boolean][] = [
    ["Discount", -discount, discount !== 0],
    ["Total", invoice.total, true],
    ["of which tax", tax, tax !== 0],
    ["Reverse charge: tax to be paid by the customer", 0, isReverseCharge],
    ["From your credit", -fromBalance, fromBalance !== 0],
    ["Paid", invoice.amount_paid, invoice.status === "paid"],
    ["Refunded", -refunded, refunded !== 0],
    ["To pay", invoice.amount_remaining, invoice.status !== "paid"],
  ];
  return {
    seller: invoice.account_name ?? "",
    billedTo: billedTo(invoice),
    lines: invoice.lines.data.map((line) => ({ what: line.description ?? "", amount: money(line.amount) })),
    sums: sums.filter(([, , isShown]) => isShown).map(([what, amount]) => ({ what, amount: money(amount) })),
  };
}

function refundsFor(tx: Transaction, invoice: Stripe.Invoice): Stripe.Refund[] {
  const intents = paymentsOf(tx, invoice).flatMap(({ payment }) =>
    payment.payment_intent === undefined ? [] : [idOf(payment.payment_intent)],
  );
  const charges = [...tx.store.newestFirst("charge", invoice.customer === null ? undefined : idOf(invoice.customer))];
  return charges
    .filter(({ payment_intent }) => payment_intent !== null && intents.includes(idOf(payment_intent)))
    .flatMap((charge) => refundsOf(tx, charge))
    .filter(({ status }) => status !== "failed");
}

function billedTo(invoice: Stripe.Invoice): string[] {
  const { line1, line2, postal_code, city, state, country } = invoice.customer_address ?? {};
  const town = [postal_code, city].filter(Boolean).join(" ");
  const taxIds = (invoice.customer_tax_ids ?? []).map(({ value }) => `VAT id ${value}`);
  const parts = [invoice.customer_name, line1, line2, town, state, country, invoice.customer_email, ...taxIds];
  return parts.filter((part): part is string => typeof part === "string" && part !== "");
}
