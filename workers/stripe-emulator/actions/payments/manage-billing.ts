import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import type { Expiry, TestCard } from "../../money/cards.ts";
import { saveCustomer } from "../../objects/customers/customers.ts";
import { demand, idOf } from "../../objects/find.ts";
import { attachMethod, detachMethod, newCard } from "../../objects/payments/payment-methods.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { invalid, missingObject } from "../../http/stripe-errors.ts";
import { ENDED } from "../subscriptions/cancel-subscription.ts";
import type { Details } from "./collect-details.ts";

export interface NewCard {
  card: TestCard;
  expiry: Expiry | null;
  /** Whether it replaces the default card. */
  isDefault: boolean;
}

/** The customer types a card in the portal. Its bank may refuse it, or ask the cardholder first. */
export function addCard(
  books: Books,
  session: Stripe.BillingPortal.Session,
  { card, expiry, isDefault }: NewCard,
): "added" | "declined" | "asks-holder" {
  if (card.atCheckout === "declines") return "declined";
  const method = newCard(books, customerOf(books, session), card, expiry);
  if (card.atCheckout === "asks-holder") {
    books.store.put("portal_progress", {
      id: progressId(session),
      card_awaiting_action: method.id,
      is_default: isDefault,
    });
    return "asks-holder";
  }
  keepCard(books, session, method, isDefault);
  return "added";
}

export const isAwaitingHolder = (books: Books, session: Stripe.BillingPortal.Session): boolean =>
  books.store.find("portal_progress", progressId(session)) !== null;

/** The cardholder answers the bank's question (3-D Secure). */
export function answerForCard(
  books: Books,
  session: Stripe.BillingPortal.Session,
  isConfirmed: boolean,
): "added" | "declined" {
  const waiting = demand(books, "portal_progress", progressId(session));
  books.store.remove(waiting.id);
  if (!isConfirmed) return "declined";
  keepCard(books, session, demand(books, "payment_method", waiting.card_awaiting_action), waiting.is_default);
  return "added";
}

/**
 * The customer's default, for anything without a card of its own. A subscription bought at checkout has one, and continues
 * to be charged to it.
 */
export function chooseCard(books: Books, session: Stripe.BillingPortal.Session, methodId: string): void {
  const method = ownMethod(books, session, methodId);
  const customer = customerOf(books, session);
  saveCustomer(books, customer, {
    ...customer,
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
  });
}

export function chooseCardFor(
  books: Books,
  session: Stripe.BillingPortal.Session,
  subscriptionId: string,
  methodId: string,
): void {
  const method = ownMethod(books, session, methodId);
  const subscription = liveSubscriptions(books, session.customer).find(({ id }) => id === subscriptionId);
  if (subscription === undefined) throw missingObject("subscription", subscriptionId);
  saveSubscription(books, subscription, { default_payment_method: method.id });
}

export function removeCard(books: Books, session: Stripe.BillingPortal.Session, methodId: string): void {
  const method = ownMethod(books, session, methodId);
  if (isInUse(books, session.customer, method))
    throw invalid("This card is the default or pays for a subscription. Choose another one for that first.");
  detachMethod(books, method);
}

export const isInUse = (books: Books, customerId: string, method: Stripe.PaymentMethod): boolean =>
  [demand(books, "customer", customerId).invoice_settings, ...liveSubscriptions(books, customerId)].some(
    (user) => user.default_payment_method !== null && idOf(user.default_payment_method) === method.id,
  );

export function changeDetails(books: Books, session: Stripe.BillingPortal.Session, { name, address }: Details): void {
  const customer = customerOf(books, session);
  saveCustomer(books, customer, { ...customer, name, address });
}

export const liveSubscriptions = (books: Books, customerId: string): Stripe.Subscription[] =>
  [...books.store.newestFirst("subscription", customerId)].filter(({ status }) => !ENDED.includes(status));

function keepCard(
  books: Books,
  session: Stripe.BillingPortal.Session,
  method: Stripe.PaymentMethod,
  isDefault: boolean,
): void {
  attachMethod(books, method, session.customer);
  if (isDefault) chooseCard(books, session, method.id);
}

function ownMethod(books: Books, session: Stripe.BillingPortal.Session, methodId: string): Stripe.PaymentMethod {
  const method = books.store.find("payment_method", methodId);
  if (method?.customer === session.customer) return method;
  throw missingObject("PaymentMethod", methodId);
}

const customerOf = (books: Books, session: Stripe.BillingPortal.Session): Stripe.Customer =>
  demand(books, "customer", session.customer);

const progressId = (session: Stripe.BillingPortal.Session): string => `progress_of_${session.id}`;
