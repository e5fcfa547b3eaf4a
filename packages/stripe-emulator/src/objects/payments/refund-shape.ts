import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { idOf } from "../demand.ts";
import { moveMoney } from "./balance-transactions.ts";

export interface RefundInput {
  /** All that remains of the charge when not given. */
  amount: number | undefined;
  reason: Stripe.Refund.Reason | null;
  metadata: Record<string, string>;
}

export function newRefund(
  tx: Transaction,
  charge: Stripe.Charge,
  { amount, reason, metadata }: RefundInput & { amount: number },
  status: "pending" | "succeeded",
): Stripe.Refund {
  const isCard = charge.payment_method_details?.type === "card";
  const id = newId(isCard ? "re" : "pyr");
  const { id: movement } = moveMoney(tx, {
    amount: -amount,
    currency: charge.currency,
    description: `REFUND FOR CHARGE (${charge.description ?? charge.id})`,
    source: id,
    type: isCard ? "refund" : "payment_refund",
    category: "refund",
  });
  return {
    id,
    object: "refund",
    amount,
    balance_transaction: movement,
    charge: charge.id,
    created: tx.clock.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    ...(isCard && {
      destination_details: {
        card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
        type: "card",
      },
    }),
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(status === "pending" && { pending_reason: "processing" }),
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
}

/** Newest first, as Stripe lists them on a charge. */
export function refundsOf(tx: Pick<Transaction, "store">, charge: Stripe.Charge): Stripe.Refund[] {
  const customer = charge.customer === null ? undefined : idOf(charge.customer);
  return [...tx.store.newestFirst("refund", customer)].filter((refund) => refund.charge === charge.id);
}
