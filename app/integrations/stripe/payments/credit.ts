import type { BalanceTransaction, CreditDeduction } from "#app/core/stripe/balance-transaction.ts";
import { invariant } from "#app/core/invariant.ts";
import { readId } from "#app/core/id.ts";
import type Stripe from "stripe";
import { callStripe } from "../call-stripe.ts";
import { type Connection, underKey } from "./checkout.ts";
import { wholeList } from "#app/integrations/stripe/lists.ts";
import { idOf, ms } from "#app/integrations/stripe/fields.ts";
import { readFingerprint } from "./charges.ts";
import type { PaymentProvider, CreditInput } from "#app/integrations/stripe/payment-provider.ts";

/** Credit is the customer's balance; card fingerprints show whether two accounts belong to one person. */
export function credit({ stripe, within }: Connection) {
  return {
    listBalanceTransactions: (customer, currency) =>
      callStripe(async () => {
        const all = await wholeList((page) =>
          stripe.customers.listBalanceTransactions(customer, { expand: ["data.checkout_session"], ...page }, within()),
        );
        const ours = all.filter((transaction) => transaction.currency === currency.toLowerCase());
        return ours.map(readTransaction).toReversed();
      }),

    addBalanceTransaction: (input) =>
      callStripe(async () => {
        const { customerId, currency, amountMinor } = input;
        invariant(Number.isSafeInteger(amountMinor) && amountMinor !== 0, `Not an amount of credit: ${amountMinor}`);
        // Stripe's balance is what a customer owes.
        const change = { amount: -amountMinor, currency: currency.toLowerCase(), metadata: metadataOf(input) };
        await underKey(`credit:${customerId}:${input.key}`, (idempotencyKey) =>
          stripe.customers.createBalanceTransaction(customerId, change, within({ idempotencyKey })),
        );
        return null;
      }),

    listPaidMethods: (customer) =>
      callStripe(async () => {
        const charges = await wholeList((page) => stripe.charges.list({ customer, ...page }, within()));
        const paid = charges.filter((charge) => charge.paid);
        return paid.map(({ payment_method_details: details, created }) => {
          return { fingerprint: readFingerprint(details), paidAt: ms(created) };
        });
      }),
  } satisfies Partial<PaymentProvider>;
}

function readTransaction(transaction: Stripe.CustomerBalanceTransaction): BalanceTransaction {
  const { amount, ending_balance, metadata, type, created } = transaction;
  const fields = metadata ?? {};
  return {
    id: idOf(transaction),
    lineId: readId("line", fields.line),
    returnsLineId: readId("line", fields.back_for),
    deduction: fields.kind ? readDeduction(fields) : null,
    source: sourceOf(type),
    invoiceId: invoiceOf(transaction),
    amountMinor: 0 - amount,
    afterMinor: 0 - ending_balance,
    at: ms(created),
  };
}

/**
 * The invoice that the transaction was for. Credit at checkout may be posted with the session. Then the session's invoice identifies it
 * once there is one, and the session's own id until then.
 */
function invoiceOf({
  invoice,
  checkout_session: session,
}: Stripe.CustomerBalanceTransaction): BalanceTransaction["invoiceId"] {
  const ofSession = session !== null && typeof session === "object" ? idOf(session.invoice) : null;
  return idOf(invoice) ?? ofSession ?? idOf(session);
}

function sourceOf(type: Stripe.CustomerBalanceTransaction.Type): BalanceTransaction["source"] {
  if (type === "unapplied_from_invoice" || type === "checkout_session_subscription_payment_canceled") {
    return "invoice-voided";
  }
  const isOfInvoice = ["applied_to_invoice", "invoice_too_large", "invoice_too_small"].includes(type);
  return isOfInvoice || type === "checkout_session_subscription_payment" ? "invoice" : "other";
}

function readDeduction({ kind = "", why = "", referral, wanted }: Stripe.Metadata): CreditDeduction {
  return { kind, why, referralId: readId("ref", referral), wantedMinor: Number(wanted) || 0 };
}

function metadataOf({ lineId, returnsLineId, deduction }: CreditInput): Stripe.MetadataParam {
  return {
    ...(lineId !== null && { line: lineId }),
    ...(returnsLineId !== undefined && { back_for: returnsLineId }),
    ...(deduction && { kind: deduction.kind, why: deduction.why, wanted: deduction.wantedMinor }),
    ...(deduction?.referralId != null && { referral: deduction.referralId }),
  };
}
