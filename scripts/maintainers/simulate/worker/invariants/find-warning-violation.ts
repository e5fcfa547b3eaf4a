import type Stripe from "stripe";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { World } from "../world.ts";

/** Days until the site knows of a warning, also if its webhook is lost and Stripe or the database fails meanwhile. */
const whenHeardDays = 20;
/** For how long operators see it, less a day. */
const listedDays = 59;

/** A bank's warning of fraud is stored for operators, with the order that it is about. */
export async function findWarningViolation({ records, now: clock }: World): Promise<Broken | null> {
  const now = clock();
  const payments = records.objects<Stripe.InvoicePayment>("invoice_payment");
  const rows = await records.query<{ paymentId: string; invoiceId: string | null; fraudType: string | null }>(
    `select w.payment_id as paymentId, w.fraud_type as fraudType, o.invoice_id as invoiceId
     from fraud_warnings w left join orders o on o.invoice_id = w.invoice_id`,
  );
  for (const warning of records.objects<Stripe.Radar.EarlyFraudWarning>("early_fraud_warning")) {
    const ageDays = (now - warning.created * secondMs) / dayMs;
    if (ageDays < whenHeardDays || ageDays > listedDays) continue;
    const paymentId = String(warning.payment_intent);
    const invoiceId = payments.find(({ payment }) => payment.payment_intent === paymentId)?.invoice;
    const isStored = rows.some(
      (row) =>
        row.paymentId === paymentId && row.fraudType === warning.fraud_type && row.invoiceId === String(invoiceId),
    );
    if (!isStored)
      return {
        invariant: "a bank's warning of fraud is stored with its order",
        details: { warning: warning.id, rows },
      };
  }
  return null;
}
