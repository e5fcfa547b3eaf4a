import type Stripe from "stripe";
import { secondMs } from "#app/core/time/time.ts";
import type { World } from "../world.ts";

/** What was paid for: a plan in a period of a subscription. `isGiven` means that the team asks nothing for it. */
export type PaidLine = {
  customer: string;
  subscription: string;
  plan: string;
  fromMs: number;
  untilMs: number;
  isReturned: boolean;
  isGiven: boolean;
};

/**
 * Reads Stripe's invoices alone: the lines in which a plan continues, of invoices that are paid, whose bank debit is under way, or for
 * which the team asks nothing. `isReturned` means that what was paid was refunded in full, or that its bank took it back.
 */
export function paidLines({ records, dashboard }: World): PaidLine[] {
  const lost = new Set(
    records
      .objects<Stripe.Dispute>("dispute")
      .filter(({ status }) => status === "lost")
      .map(({ charge }) => String(charge)),
  );
  const refunded = new Set(
    records
      .objects<Stripe.Charge>("charge")
      .filter(({ id, refunded: isRefunded }) => isRefunded || lost.has(id))
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
    const isPaid = invoice.status === "paid" || processing.has(invoice.id ?? "");
    if (!subscription || (!isPaid && !dashboard.isGiven(invoice))) return [];
    return invoice.lines.data.map(({ period, pricing }) => ({
      customer: String(invoice.customer),
      subscription: String(subscription),
      plan: plans.get(String(pricing?.price_details?.price)) ?? "",
      fromMs: period.start * secondMs,
      untilMs: period.end * secondMs,
      isGiven: !isPaid,
      isReturned: returned.has(invoice.id ?? ""),
    }));
  });
}
