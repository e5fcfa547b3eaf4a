import type Stripe from "stripe";
import type { WorldRecords } from "../world-records.ts";

export type Row = Record<string, unknown>;
export type Rows = Record<string, Row[]>;
export type Books = ReturnType<typeof readStripeBooks>;
export type Charged = { amountMinor: number; backMinor: number; charges: string[] };

export const minor = (value: unknown): number => Number(value ?? 0);

/** Stripe's objects, with what was charged and what was refunded by invoice. */
export function readStripeBooks(records: WorldRecords) {
  const charges = records.objects<Stripe.Charge>("charge").filter(({ status }) => status === "succeeded");
  const refunds = records
    .objects<Stripe.Refund>("refund")
    .filter(({ status }) => status !== "failed" && status !== "canceled");
  const invoices = records.objects<Stripe.Invoice>("invoice");
  const payments = records.objects<Stripe.InvoicePayment>("invoice_payment");
  const invoiceOf = new Map(payments.map(({ payment, invoice }) => [String(payment.payment_intent), String(invoice)]));
  const backOf = new Map<string, number>();
  for (const { charge, amount } of refunds) backOf.set(String(charge), (backOf.get(String(charge)) ?? 0) + amount);
  const chargedTo = new Map<string, Charged>();
  const strayCharges: string[] = [];
  for (const charge of charges) {
    const invoice = invoiceOf.get(String(charge.payment_intent));
    if (invoice === undefined) {
      strayCharges.push(charge.id);
      continue;
    }
    const sum = chargedTo.get(invoice) ?? { amountMinor: 0, backMinor: 0, charges: [] };
    sum.amountMinor += charge.amount;
    sum.backMinor += backOf.get(charge.id) ?? 0;
    sum.charges.push(charge.id);
    chargedTo.set(invoice, sum);
  }
  return {
    charges,
    refunds,
    /** Charges that a bank disputed, or of which a bank returned a refund. */
    contested: new Set([
      ...records.objects<Stripe.Dispute>("dispute").map(({ charge }) => String(charge)),
      ...records
        .objects<Stripe.Refund>("refund")
        .filter(({ status }) => status === "failed")
        .map(({ charge }) => String(charge)),
    ]),
    invoices: new Map(invoices.map((invoice) => [invoice.id ?? "", invoice])),
    chargedTo,
    strayCharges,
    customers: records.objects<Stripe.Customer>("customer"),
    subscriptions: records.objects<Stripe.Subscription>("subscription"),
    plans: new Map(records.objects<Stripe.Price>("price").map(({ id, metadata }) => [id, metadata.plan ?? ""])),
  };
}
