import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Expiry, TestCard } from "../../money/cards.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { differences } from "../customers/customers.ts";
import { demand } from "../demand.ts";

/** Longer than any bank's cards: a developer who sets the clock years ahead and typed no date doesn't want the card to expire. */
const EXPIRY_YEARS_AHEAD = 15;
/** The last digits of the number that a wallet pays with in place of the card's. */
const DEVICE_LAST4 = "9876";

export const paymentMethodRoutes = [
  route(
    "GET",
    "/v1/payment_methods",
    (form) => ({ page: readPage(form), customer: form.text("customer"), type: form.text("type") }),
    (tx, { page, customer, type }) => {
      if (customer === undefined) throw missingParameter("customer");
      return paginate("/v1/payment_methods", page, attachedTo(tx, customer, type));
    },
  ),
  route("GET", "/v1/payment_methods/:id", nothing, (tx, _, id = "") => demand(tx, "payment_method", id)),
  route(
    "GET",
    "/v1/customers/:id/payment_methods",
    (form) => ({ page: readPage(form), type: form.text("type") }),
    (tx, { page, type }, id = "") =>
      paginate(`/v1/customers/${id}/payment_methods`, page, attachedTo(tx, demand(tx, "customer", id).id, type)),
  ),
];

export const attachedTo = (
  tx: Transaction,
  customer: string,
  type: string | undefined,
): Iterable<Stripe.PaymentMethod> =>
  only(
    tx.store.newestFirst("payment_method", customer),
    (method) => method.customer === customer && (type === undefined || method.type === type),
  );

const anyMethod = (tx: Transaction, customer: Stripe.Customer) => ({
  id: newId("pm"),
  object: "payment_method" as const,
  allow_redisplay: "limited",
  billing_details: {
    address: customer.address ?? null,
    email: customer.email,
    name: customer.name ?? null,
    phone: null,
    tax_id: null,
  },
  created: tx.clock.now(),
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
});

/** A card typed at checkout: it belongs to no customer until it has paid. */
export function newCard(
  tx: Transaction,
  customer: Stripe.Customer,
  card: TestCard,
  expiry: Expiry | null,
): Stripe.PaymentMethod {
  return tx.store.put(
    "payment_method",
    {
      ...anyMethod(tx, customer),
      type: "card",
      card: {
        brand: card.brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
        country: "IE",
        display_brand: card.brand,
        exp_month: expiry?.month ?? 12,
        exp_year: expiry?.year ?? yearOf(tx) + EXPIRY_YEARS_AHEAD,
        fingerprint: card.wallet === undefined ? `local${card.number.slice(-4)}` : newId("local"),
        funding: "credit",
        generated_from: null,
        last4: card.number.slice(-4),
        networks: { available: [card.brand], preferred: null },
        regulated_status: "unregulated",
        three_d_secure_usage: { supported: true },
        wallet: walletOf(card),
      },
    },
    customer.id,
  );
}

/** Stripe may give the fingerprint of the device's number; here it always does, a new one with every payment. */
const walletOf = ({ wallet }: TestCard): Stripe.PaymentMethod.Card.Wallet | null =>
  wallet === undefined ? null : { type: wallet, [wallet]: {}, dynamic_last4: DEVICE_LAST4 };

export function newBankAccount(tx: Transaction, customer: Stripe.Customer): Stripe.PaymentMethod {
  return tx.store.put(
    "payment_method",
    {
      ...anyMethod(tx, customer),
      type: "sepa_debit",
      sepa_debit: {
        bank_code: "37040044",
        branch_code: "",
        country: "DE",
        fingerprint: "local3000",
        generated_from: { charge: null, setup_attempt: null },
        last4: "3000",
      },
    },
    customer.id,
  );
}

export function attachMethod(tx: Transaction, method: Stripe.PaymentMethod, customerId: string): Stripe.PaymentMethod {
  const attached: Stripe.PaymentMethod = { ...method, customer: customerId };
  tx.store.put("payment_method", attached, customerId);
  tx.record("payment_method.attached", attached);
  return attached;
}

export function detachMethod(tx: Transaction, method: Stripe.PaymentMethod): void {
  const detached: Stripe.PaymentMethod = { ...method, customer: null };
  tx.store.put("payment_method", detached);
  tx.record("payment_method.detached", detached, differences(method, detached));
}

/** The card continues under its id with a new expiry date. Stripe sends an event for this, and none for a card about to expire. */
export function renewCard(tx: Transaction, method: Stripe.PaymentMethod, expires: Expiry | null): Stripe.PaymentMethod {
  if (method.card === undefined) throw invalid("This wasn't paid with a card.", { param: "order" });
  const renewed: Stripe.PaymentMethod = {
    ...method,
    card: {
      ...method.card,
      exp_month: expires?.month ?? method.card.exp_month,
      exp_year: expires?.year ?? yearOf(tx) + EXPIRY_YEARS_AHEAD,
    },
  };
  tx.store.put("payment_method", renewed);
  tx.record("payment_method.automatically_updated", renewed, differences(method, renewed));
  return renewed;
}

const yearOf = (tx: Transaction): number => new Date(tx.clock.now() * 1000).getUTCFullYear();
