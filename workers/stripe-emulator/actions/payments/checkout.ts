import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { DEBIT_FAILED, DECLINED, type Expiry, NOT_AUTHENTICATED, type TestCard } from "../../money/cards.ts";
import { demand, idOf } from "../../objects/find.ts";
import { newBankAccount, newCard } from "../../objects/payments/payment-methods.ts";
import { openIntent } from "../../objects/payments/payment-intent-shape.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import type { CheckoutProgress } from "../../store.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { dueAtCheckout, holdCredit, releaseCredit } from "./checkout-credit.ts";
import { keepDetails, payerOf } from "./collect-details.ts";
import { askHolder, cancelIntent, debitBank, failIntent, refuseIntent, succeedIntent } from "./move-intent.ts";
import { markInvoicePaid, markInvoiceUnpaid } from "./settle-invoice.ts";
import { startSubscription } from "../subscriptions/start-subscription.ts";

const SECONDS_PER_DAY = 86_400;
/** A bank debit completes when the clock has advanced this far. */
const DEBIT_DAYS = 5;

export const progressOf = (books: Books, session: Stripe.Checkout.Session): CheckoutProgress =>
  demand(books, "checkout_progress", `progress_of_${session.id}`);

/** The customer types a card and presses Pay. */
export function payByCard(
  books: Books,
  session: Stripe.Checkout.Session,
  card: TestCard,
  expiry: Expiry | null = null,
): Stripe.Checkout.Session {
  requireOpen(session);
  const method = newCard(books, payerOf(books, session), card, expiry);
  const intent = intentFor(books, session);
  books.store.put("checkout_progress", { ...progressOf(books, session), card_awaiting_action: null });
  if (intent === null) return complete(books, session, method, null);
  switch (card.atCheckout) {
    case "succeeds":
      return complete(books, session, method, intent);
    case "declines":
      failIntent(books, intent, method, DECLINED);
      return session;
    case "asks-holder":
      books.store.put("checkout_progress", { ...progressOf(books, session), card_awaiting_action: method.id });
      askHolder(books, intent, method, `${books.origin}/checkout/${session.id}/confirm`);
      return session;
  }
}

/** The cardholder answers the bank's question (3-D Secure). */
export function answerBank(
  books: Books,
  session: Stripe.Checkout.Session,
  isConfirmed: boolean,
): Stripe.Checkout.Session {
  requireOpen(session);
  const progress = progressOf(books, session);
  const intent = intentFor(books, session);
  const method =
    progress.card_awaiting_action === null ? null : books.store.find("payment_method", progress.card_awaiting_action);
  if (intent === null || method === null) return session;
  books.store.put("checkout_progress", { ...progressOf(books, session), card_awaiting_action: null });
  if (isConfirmed) return complete(books, session, method, intent);
  refuseIntent(books, intent, method, NOT_AUTHENTICATED);
  return session;
}

/**
 * A bank debit: checkout is complete, but the money hasn't arrived. As at Stripe the subscription is active from here on, while
 * its invoice stays open until the debit completes; a site that checks only the subscription's status gives the plan away.
 */
export function payByBank(
  books: Books,
  session: Stripe.Checkout.Session,
  end: "succeeds" | "fails",
): Stripe.Checkout.Session {
  requireOpen(session);
  const method = newBankAccount(books, payerOf(books, session));
  const intent = intentFor(books, session);
  if (intent === null) return complete(books, session, method, null);
  keepDetails(books, session);
  const { subscription, invoice } = startSubscription(books, session, method, intent);
  debitBank(books, intent, method);
  saveSubscription(books, subscription, { status: "active" });
  books.store.put("checkout_progress", { ...progressOf(books, session), bank_debit_end: end });
  books.clock.setTimer("bank-debit-settles", session.id, books.clock.now() + DEBIT_DAYS * SECONDS_PER_DAY);
  return close(books, session, { subscription: subscription.id, invoice: invoice.id, payment_status: "unpaid" });
}

export function settleDebit(
  books: Books,
  session: Stripe.Checkout.Session,
  end: "succeeds" | "fails",
): Stripe.Checkout.Session {
  const progress = progressOf(books, session);
  const invoice = session.invoice === null ? null : books.store.find("invoice", idOf(session.invoice));
  const intent = progress.payment_intent === null ? null : books.store.find("payment_intent", progress.payment_intent);
  if (intent?.status !== "processing" || intent.payment_method === null || invoice === null) return session;
  const method = demand(books, "payment_method", idOf(intent.payment_method));
  books.clock.clearTimer("bank-debit-settles", session.id);
  books.store.put("checkout_progress", { ...progress, bank_debit_end: null });
  if (end === "fails") {
    failIntent(books, intent, method, DEBIT_FAILED);
    markInvoiceUnpaid(books, invoice);
    books.record("checkout.session.async_payment_failed", session);
    return session;
  }
  succeedIntent(books, intent, method);
  markInvoicePaid(books, invoice);
  const paid: Stripe.Checkout.Session = { ...session, payment_status: "paid" };
  books.store.put("checkout_session", paid);
  books.record("checkout.session.async_payment_succeeded", paid);
  return paid;
}

export function expireSession(books: Books, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.status !== "open") {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  }
  books.clock.clearTimer("session-expires", session.id);
  const { payment_intent } = progressOf(books, session);
  const intent = payment_intent === null ? null : books.store.find("payment_intent", payment_intent);
  if (intent !== null) cancelIntent(books, intent, "expired");
  releaseCredit(books, session);
  const expired: Stripe.Checkout.Session = { ...session, status: "expired", url: null };
  books.store.put("checkout_session", expired);
  books.record("checkout.session.expired", expired);
  return expired;
}

function complete(
  books: Books,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
  intent: Stripe.PaymentIntent | null,
): Stripe.Checkout.Session {
  keepDetails(books, session);
  const { subscription, invoice } = startSubscription(books, session, method, intent);
  if (intent !== null) succeedIntent(books, intent, method);
  markInvoicePaid(books, invoice);
  return close(books, session, {
    subscription: subscription.id,
    invoice: invoice.id,
    payment_status: session.amount_total === 0 ? "no_payment_required" : "paid",
  });
}

function close(
  books: Books,
  session: Stripe.Checkout.Session,
  result: Pick<Stripe.Checkout.Session, "subscription" | "invoice" | "payment_status">,
): Stripe.Checkout.Session {
  books.clock.clearTimer("session-expires", session.id);
  const closed: Stripe.Checkout.Session = { ...session, ...result, status: "complete", url: null };
  books.store.put("checkout_session", closed);
  books.record("checkout.session.completed", closed);
  return closed;
}

/** Stripe uses one payment intent for all attempts of a session. Nothing to pay (a discount, a credit) needs none. */
function intentFor(books: Books, session: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  const progress = progressOf(books, session);
  holdCredit(books, session);
  const amount = dueAtCheckout(books, session);
  if (amount === 0) return null;
  if (progress.payment_intent !== null)
    return books.store.put("payment_intent", { ...demand(books, "payment_intent", progress.payment_intent), amount });
  const intent = openIntent(books, {
    customer: progress.customer,
    amount,
    currency: session.currency ?? "",
    description: "Subscription creation",
  });
  books.store.put("checkout_progress", { ...progress, payment_intent: intent.id });
  return intent;
}

function requireOpen(session: Stripe.Checkout.Session): void {
  if (session.status !== "open")
    throw invalid(`This Checkout Session is ${session.status} and can't be paid.`, {
      code: "checkout_session_not_open",
    });
}
