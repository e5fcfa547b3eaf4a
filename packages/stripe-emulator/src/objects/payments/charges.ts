import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Failure } from "../../money/cards.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand, idOf } from "../demand.ts";
import { moveMoney } from "./balance-transactions.ts";

export const chargeRoutes = [
  route(
    "GET",
    "/v1/charges",
    (form) => ({
      page: readPage(form),
      customer: form.text("customer"),
      intent: form.text("payment_intent"),
      created: form.range("created"),
    }),
    (tx, { page, customer, intent, created }) =>
      paginate(
        "/v1/charges",
        page,
        only(
          tx.store.newestFirst("charge", customer),
          (charge) => (intent === undefined || charge.payment_intent === intent) && created(charge.created),
        ),
      ),
  ),
  route("GET", "/v1/charges/:id", nothing, (tx, _, id = "") => demand(tx, "charge", id)),
];

/** One attempt to move the money of a payment intent. Long because Stripe's object is. */
export function newCharge(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  result: { status: "succeeded" | "pending" } | { status: "failed"; failure: Failure },
): Stripe.Charge {
  const failure = result.status === "failed" ? result.failure : null;
  const paid = failure === null;
  const customer = intent.customer === null ? null : idOf(intent.customer);
  const charge = tx.store.put(
    "charge",
    {
      id: newId(method.type === "card" ? "ch" : "py"),
      object: "charge",
      amount: intent.amount,
      amount_captured: paid ? intent.amount : 0,
      amount_refunded: 0,
      application: null,
      application_fee: null,
      application_fee_amount: null,
      balance_transaction: null,
      billing_details: method.billing_details,
      calculated_statement_descriptor: "LOCAL STRIPE",
      captured: paid,
      created: tx.clock.now(),
      currency: intent.currency,
      customer,
      description: intent.description,
      disputed: false,
      failure_balance_transaction: null,
      failure_code: failure?.code ?? null,
      failure_message: failure?.message ?? null,
      fraud_details: {},
      livemode: false,
      metadata: {},
      on_behalf_of: null,
      outcome: outcomeOf(failure),
      paid,
      payment_intent: intent.id,
      payment_method: method.id,
      payment_method_details: detailsOf(method),
      receipt_email: null,
      receipt_number: null,
      receipt_url: null,
      refunded: false,
      review: null,
      shipping: null,
      source: null,
      source_transfer: null,
      statement_descriptor: null,
      statement_descriptor_suffix: null,
      status: result.status,
      transfer_data: null,
      transfer_group: null,
    },
    customer,
  );
  return result.status === "succeeded" ? withMoney(tx, charge) : charge;
}

/** The money arrives on the account's balance. */
function withMoney(tx: Transaction, charge: Stripe.Charge): Stripe.Charge {
  const isCard = charge.payment_method_details?.type === "card";
  const { id } = moveMoney(tx, {
    amount: charge.amount,
    currency: charge.currency,
    description: charge.description ?? "",
    source: charge.id,
    type: isCard ? "charge" : "payment",
    category: "charge",
    fee: isCard ? "card" : "sepa_debit",
  });
  return tx.store.put("charge", { ...charge, balance_transaction: id });
}

/** A bank debit's charge exists before the debit completes. */
export function endCharge(tx: Transaction, charge: Stripe.Charge, failure: Failure | null): Stripe.Charge {
  const ended = tx.store.put("charge", {
    ...charge,
    amount_captured: failure === null ? charge.amount : 0,
    captured: failure === null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    outcome: outcomeOf(failure),
    paid: failure === null,
    status: failure === null ? "succeeded" : "failed",
  });
  return failure === null ? withMoney(tx, ended) : ended;
}

const outcomeOf = (failure: Failure | null): Stripe.Charge.Outcome => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: failure === null ? "approved_by_network" : "declined_by_network",
  reason: failure?.declineCode ?? null,
  risk_level: "normal",
  seller_message:
    failure === null ? "Payment complete." : "The bank did not return any further details with this decline.",
  type: failure === null ? "authorized" : "issuer_declined",
});

function detailsOf(method: Stripe.PaymentMethod): Stripe.Charge.PaymentMethodDetails {
  if (method.card === undefined) {
    return {
      type: method.type,
      sepa_debit: {
        bank_code: null,
        branch_code: null,
        country: method.sepa_debit?.country ?? null,
        fingerprint: null,
        last4: method.sepa_debit?.last4 ?? null,
        mandate: null,
      },
    };
  }
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4, wallet } = method.card;
  return {
    type: "card",
    card: {
      amount_authorized: null,
      authorization_code: null,
      brand,
      checks,
      country,
      electronic_commerce_indicator: null,
      exp_month,
      exp_year,
      fingerprint: fingerprint ?? null,
      funding,
      installments: null,
      last4,
      mandate: null,
      network: brand,
      network_transaction_id: null,
      regulated_status: "unregulated",
      three_d_secure: null,
      transaction_link_id: null,
      wallet: wallet === null ? null : chargedWallet(wallet),
    },
  };
}

/** The SDK's types of a wallet differ between a method and a charge. These wallets contain nothing more in either. */
const chargedWallet = ({ type, dynamic_last4 }: Stripe.PaymentMethod.Card.Wallet) => ({
  type,
  [type]: {},
  dynamic_last4,
});
