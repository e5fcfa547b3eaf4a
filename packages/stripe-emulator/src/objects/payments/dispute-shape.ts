import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { idOf } from "../demand.ts";
import { moveMoney } from "./balance-transactions.ts";

/** Evidence as text. Stripe accepts files too; this emulator doesn't. */
export const EVIDENCE_TEXTS = [
  "access_activity_log",
  "billing_address",
  "cancellation_policy_disclosure",
  "cancellation_rebuttal",
  "customer_email_address",
  "customer_name",
  "customer_purchase_ip",
  "duplicate_charge_explanation",
  "duplicate_charge_id",
  "product_description",
  "refund_policy_disclosure",
  "refund_refusal_explanation",
  "service_date",
  "uncategorized_text",
] as const;

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** `dueBy` is the deadline for a response, if the dispute can be answered. */
export function newDispute(
  tx: Transaction,
  charge: Stripe.Charge,
  { amount, dueBy }: { amount: number; dueBy: number | null },
): Stripe.Dispute {
  const id = newId("du");
  const { card } = charge.payment_method_details ?? {};
  return {
    id,
    object: "dispute",
    amount,
    balance_transactions: [disputeMovement(tx, { id, currency: charge.currency }, -amount)],
    charge: charge.id,
    created: tx.clock.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: dueBy,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    ...(card !== undefined && {
      network_reason_code: "10.4",
      payment_method_details: {
        card: {
          brand: card.brand ?? "",
          case_type: "chargeback",
          network: card.network ?? "",
          network_reason_code: "10.4",
        },
        type: "card",
      },
    }),
    reason: card === undefined ? "debit_not_authorized" : "fraudulent",
    status: "needs_response",
  };
}

/** What a dispute takes from the account, or returns. Its fee isn't returned. */
export const disputeMovement = (
  tx: Transaction,
  { id, currency }: Pick<Stripe.Dispute, "id" | "currency">,
  amount: number,
): Stripe.BalanceTransaction =>
  moveMoney(tx, {
    amount,
    currency,
    description: amount < 0 ? "Chargeback withdrawal" : "Chargeback reversal",
    source: id,
    type: "adjustment",
    category: amount < 0 ? "dispute" : "dispute_reversal",
    ...(amount < 0 && { fee: "dispute" as const }),
  });

export function disputeOf(tx: Pick<Transaction, "store">, charge: Stripe.Charge): Stripe.Dispute | null {
  const customer = charge.customer === null ? undefined : idOf(charge.customer);
  for (const dispute of tx.store.newestFirst("dispute", customer)) if (dispute.charge === charge.id) return dispute;
  return null;
}
