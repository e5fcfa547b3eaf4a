import type { ReferralId } from "#app/core/id.ts";
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import { invariant } from "#app/core/invariant.ts";
import type Stripe from "stripe";
import { callStripe } from "../call-stripe.ts";
import { type Connection, underKey } from "./checkout.ts";
import { idOf } from "#app/integrations/stripe/fields.ts";
import { friendDiscountPurpose, readFingerprint, requireRefundable } from "./charges.ts";
import { requestRefund } from "./request-refund.ts";
import type { PaymentProvider } from "#app/integrations/stripe/payment-provider.ts";

/** For a friend's discount: the method that paid an order, and a partial refund of that payment. */
export function refunds(connection: Connection) {
  const { stripe, within } = connection;
  const paidCharge = async (invoiceId: InvoiceId): Promise<Stripe.Charge | null> => {
    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] }, within());
    const payments = (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
    for (const payment_intent of payments) {
      const charges = await stripe.charges.list({ payment_intent, limit: 100 }, within());
      const paid = charges.data.find((charge) => charge.paid);
      if (paid) return paid;
    }
    return null;
  };
  return {
    findPaidMethod: (invoiceId) =>
      callStripe(async () => readFingerprint((await paidCharge(invoiceId))?.payment_method_details ?? null)),

    payFriendDiscount: ({ invoiceId, referralId, attempt, amountMinor }) =>
      callStripe(async () => {
        requireRefundable(amountMinor);
        const charge = await paidCharge(invoiceId);
        invariant(charge, `Invoice ${invoiceId} is paid and has no charge`);
        // Stripe eventually discards an idempotency key: a refund that was made but not recorded is found by its metadata.
        const made = await stripe.refunds.list({ charge: charge.id, limit: 100 }, within());
        const known = made.data.find((refund) => isDiscountOf(refund, referralId));
        if (known) return idOf(known);
        const metadata = { purpose: friendDiscountPurpose, referral: referralId };
        const refund = await underKey(`friend-discount:${referralId}:${attempt}`, (idempotencyKey) =>
          requestRefund(connection, { charge: idOf(charge), amount: amountMinor, metadata }, idempotencyKey),
        );
        return idOf(refund);
      }),
  } satisfies Partial<PaymentProvider>;
}

function isDiscountOf({ metadata, status }: Stripe.Refund, referralId: ReferralId): boolean {
  const isMade = status !== "failed" && status !== "canceled";
  return isMade && metadata?.purpose === friendDiscountPurpose && metadata.referral === referralId;
}
