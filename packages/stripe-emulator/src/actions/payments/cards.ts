import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Expiry, TestCard } from "../../money/cards.ts";
import { saveCustomer } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { attachMethod, detachMethod, newCard } from "../../objects/payments/payment-methods.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid, missingObject } from "../../http/stripe-errors.ts";
import { ENDED } from "../subscriptions/cancel-now.ts";

interface NewCard {
  card: TestCard;
  expiry: Expiry | null;
  isDefault: boolean;
}

/** The customer types a card in the portal. Its bank may refuse it, or ask the cardholder first. */
export function addCard(
  tx: Transaction,
  session: Stripe.BillingPortal.Session,
  { card, expiry, isDefault }: NewCard,
): "added" | "declined" | "asks-holder" {
  if (card.atCheckout === "declines") return "declined";
  const method = newCard(tx, customerOf(tx, session), card, expiry);
  if (card.atCheckout === "asks-holder") {
    tx.store.put("portal_progress", {
      id: progressId(session),
      card_awaiting_action: method.id,
      is_default: isDefault,
    });
    return "asks-holder";
  }
  keepCard(tx, session, method, isDefault);
  return "added";
}

export const isAwaitingHolder = (tx: Transaction, session: Stripe.BillingPortal.Session): boolean =>
  tx.store.find("portal_progress", progressId(session)) !== null;

/** The cardholder answers the bank's question (3-D Secure). */
export function answerForCard(
  tx: Transaction,
  session: Stripe.BillingPortal.Session,
  isConfirmed: boolean,
): "added" | "declined" {
  const waiting = demand(tx, "portal_progress", progressId(session));
  tx.store.remove(waiting.id);
  if (!isConfirmed) return "declined";
  keepCard(tx, session, demand(tx, "payment_method", waiting.card_awaiting_action), waiting.is_default);
  return "added";
}

/**
 * Makes a card the customer's default, for anything that has no card itself. A subscription bought at checkout has one, and continues to be
 * charged to it.
 */
export function chooseCard(tx: Transaction, session: Stripe.BillingPortal.Session, methodId: string): void {
  const method = ownMethod(tx, session, methodId);
  const customer = customerOf(tx, session);
  saveCustomer(tx, customer, {
    ...customer,
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
  });
}

export function chooseCardFor(
  tx: Transaction,
  session: Stripe.BillingPortal.Session,
  subscriptionId: string,
  methodId: string,
): void {
  const method = ownMethod(tx, session, methodId);
  const subscription = liveSubscriptions(tx, session.customer).find(({ id }) => id === subscriptionId);
  if (subscription === undefined) throw missingObject("subscription", subscriptionId);
  saveSubscription(tx, subscription, { default_payment_method: method.id });
}

export function removeCard(tx: Transaction, session: Stripe.BillingPortal.Session, methodId: string): void {
  const method = ownMethod(tx, session, methodId);
  if (isInUse(tx, session.customer, method))
    throw invalid("This card is the default or pays for a subscription. Choose another one for that first.");
  detachMethod(tx, method);
}

export const isInUse = (tx: Transaction, customerId: string, method: Stripe.PaymentMethod): boolean =>
  [demand(tx, "customer", customerId).invoice_settings, ...liveSubscriptions(tx, customerId)].some(
    (user) => user.default_payment_method !== null && idOf(user.default_payment_method) === method.id,
  );

export const liveSubscriptions = (tx: Transaction, customerId: string): Stripe.Subscription[] =>
  [...tx.store.newestFirst("subscription", customerId)].filter(({ status }) => !ENDED.includes(status));

function keepCard(
  tx: Transaction,
  session: Stripe.BillingPortal.Session,
  method: Stripe.PaymentMethod,
  isDefault: boolean,
): void {
  attachMethod(tx, method, session.customer);
  if (isDefault) chooseCard(tx, session, method.id);
}

function ownMethod(tx: Transaction, session: Stripe.BillingPortal.Session, methodId: string): Stripe.PaymentMethod {
  const method = tx.store.find("payment_method", methodId);
  if (method?.customer === session.customer) return method;
  throw missingObject("PaymentMethod", methodId);
}

const customerOf = (tx: Transaction, session: Stripe.BillingPortal.Session): Stripe.Customer =>
  demand(tx, "customer", session.customer);

const progressId = (session: Stripe.BillingPortal.Session): string => `progress_of_${session.id}`;
