import type Stripe from "stripe";
import { secondMs } from "#app/core/time/time.ts";
import type { WorldRecords } from "../world-records.ts";

/** What was paid for: a plan in a period, of a subscription. */
export type PaidLine = { customer: string; subscription: string; plan: string; untilMs: number; isReturned: boolean };

/**
 * By Stripe's invoices alone: lines of those that are paid, or whose bank debit is under way, in which a plan continues. `isReturned`: what was
 * paid went back in full.
 */
export function paidLines(records: WorldRecords): PaidLine[] {
  const refunded = new Set(
    records
      .objects<Stripe.Charge>("charge")
      .filter(({ refunded: isRefunded }) => isRefunded)
      .map(({ payment_intent: intent }) => String(intent)),
  );
  const pending = new Set(
    records
      .objects<Stripe.PaymentIntent>("payment_intent")
      .filter(({ status }) => status === "processing")
      .map(({ id }) => id),
  );
  const payments = records.objects<Stripe.InvoicePayment>("invoice_payment");
  const invoicesOf = (intents: Set<string>) =>
    new Set(
      payments
        .filter(({ payment }) => intents.has(String(payment.payment_intent)))
        .map(({ invoice }) => String(invoice)),
    );
  const returned = invoicesOf(refunded);
  const processing = invoicesOf(pending);
  const plans = new Map(records.objects<Stripe.Price>("price").map(({ id, metadata }) => [id, metadata.plan ?? ""]));
  return records.objects<Stripe.Invoice>("invoice").flatMap((invoice) => {
    const subscription = invoice.parent?.subscription_details?.subscription;
    if (!subscription || (invoice.status !== "paid" && !processing.has(invoice.id ?? ""))) return [];
    return invoice.lines.data.map(({ period, pricing }) => ({
      customer: String(invoice.customer),
      subscription: String(subscription),
      plan: plans.get(String(pricing?.price_details?.price)) ?? "",
      untilMs: period.end * secondMs,
      isReturned: returned.has(invoice.id ?? ""),
    }));
  });
}
