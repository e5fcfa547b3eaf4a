import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { DEBIT_FAILED, DECLINED, type Expiry, NOT_AUTHENTICATED, type TestCard } from "../../money/cards.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { newBankAccount, newCard } from "../../objects/payments/payment-methods.ts";
import { openPaymentIntent } from "../../objects/payments/payment-intent-shape.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import type { CheckoutProgress } from "../../store.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { dueAtCheckout, holdCredit, releaseCredit } from "./hold-credit.ts";
import { keepDetails, payerOf } from "./collect-details.ts";
import { askHolder, cancelIntent, debitBank, failIntent, refuseIntent, succeedIntent } from "./intents.ts";
import { markInvoicePaid, markInvoiceUnpaid } from "./mark-invoice.ts";
import { startSubscription } from "../subscriptions/start-subscription.ts";

const SECONDS_PER_DAY = 86_400;
/** A bank debit completes when the clock has advanced this far. */
const DEBIT_DAYS = 5;

export const progressOf = (tx: Transaction, session: Stripe.Checkout.Session): CheckoutProgress =>
  demand(tx, "checkout_progress", `progress_of_${session.id}`);

export function payByCard(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  card: TestCard,
  expiry: Expiry | null = null,
): Stripe.Checkout.Session {
  requireOpen(session);
  const method = newCard(tx, payerOf(tx, session), card, expiry);
  const intent = intentFor(tx, session);
  tx.store.put("checkout_progress", { ...progressOf(tx, session), card_awaiting_action: null });
  if (intent === null) return complete(tx, session, method, null);
  switch (card.atCheckout) {
    case "succeeds":
      return complete(tx, session, method, intent);
    case "declines":
      failIntent(tx, intent, method, DECLINED);
      return session;
    case "asks-holder":
      tx.store.put("checkout_progress", { ...progressOf(tx, session), card_awaiting_action: method.id });
      askHolder(tx, intent, method, `${tx.origin}/checkout/${session.id}/confirm`);
      return session;
  }
}

/** The cardholder answers the bank's question (3-D Secure). */
export function answerBank(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  isConfirmed: boolean,
): Stripe.Checkout.Session {
  requireOpen(session);
  const progress = progressOf(tx, session);
  const intent = intentFor(tx, session);
  const method =
    progress.card_awaiting_action === null ? null : tx.store.find("payment_method", progress.card_awaiting_action);
  if (intent === null || method === null) return session;
  tx.store.put("checkout_progress", { ...progressOf(tx, session), card_awaiting_action: null });
  if (isConfirmed) return complete(tx, session, method, intent);
  refuseIntent(tx, intent, method, NOT_AUTHENTICATED);
  return session;
}

/**
 * A bank debit: checkout is complete, but the money hasn't arrived. As at Stripe the subscription is active from here on, while
 * its invoice stays open until the debit completes; a site that checks only the subscription's status gives the plan away.
 */
export function payByBank(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  end: "succeeds" | "fails",
): Stripe.Checkout.Session {
  requireOpen(session);
  const method = newBankAccount(tx, payerOf(tx, session));
  const intent = intentFor(tx, session);
  if (intent === null) return complete(tx, session, method, null);
  keepDetails(tx, session);
  const { subscription, invoice } = startSubscription(tx, session, method, intent);
  debitBank(tx, intent, method);
  saveSubscription(tx, subscription, { status: "active" });
  tx.store.put("checkout_progress", { ...progressOf(tx, session), bank_debit_end: end });
  tx.clock.setTimer("bank-debit-settles", session.id, tx.clock.now() + DEBIT_DAYS * SECONDS_PER_DAY);
  return close(tx, session, { subscription: subscription.id, invoice: invoice.id, payment_status: "unpaid" });
}

export function settleDebit(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  end: "succeeds" | "fails",
): Stripe.Checkout.Session {
  const progress = progressOf(tx, session);
  const invoice = session.invoice === null ? null : tx.store.find("invoice", idOf(session.invoice));
  const intent = progress.payment_intent === null ? null : tx.store.find("payment_intent", progress.payment_intent);
  if (intent?.status !== "processing" || intent.payment_method === null || invoice === null) return session;
  const method = demand(tx, "payment_method", idOf(intent.payment_method));
  tx.clock.clearTimer("bank-debit-settles", session.id);
  tx.store.put("checkout_progress", { ...progress, bank_debit_end: null });
  if (end === "fails") {
    failIntent(tx, intent, method, DEBIT_FAILED);
    markInvoiceUnpaid(tx, invoice);
    tx.record("checkout.session.async_payment_failed", session);
    return session;
  }
  succeedIntent(tx, intent, method);
  markInvoicePaid(tx, invoice);
  const paid: Stripe.Checkout.Session = { ...session, payment_status: "paid" };
  tx.store.put("checkout_session", paid);
  tx.record("checkout.session.async_payment_succeeded", paid);
  return paid;
}

export function expireSession(tx: Transaction, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.status !== "open") {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  }
  tx.clock.clearTimer("session-expires", session.id);
  const { payment_intent } = progressOf(tx, session);
  const intent = payment_intent === null ? null : tx.store.find("payment_intent", payment_intent);
  if (intent !== null) cancelIntent(tx, intent, "expired");
  releaseCredit(tx, session);
  const expired: Stripe.Checkout.Session = { ...session, status: "expired", url: null };
  tx.store.put("checkout_session", expired);
  tx.record("checkout.session.expired", expired);
  return expired;
}

function complete(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
  intent: Stripe.PaymentIntent | null,
): Stripe.Checkout.Session {
  keepDetails(tx, session);
  const { subscription, invoice } = startSubscription(tx, session, method, intent);
  if (intent !== null) succeedIntent(tx, intent, method);
  markInvoicePaid(tx, invoice);
  return close(tx, session, {
    subscription: subscription.id,
    invoice: invoice.id,
    payment_status: session.amount_total === 0 ? "no_payment_required" : "paid",
  });
}

function close(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  result: Pick<Stripe.Checkout.Session, "subscription" | "invoice" | "payment_status">,
): Stripe.Checkout.Session {
  tx.clock.clearTimer("session-expires", session.id);
  const closed: Stripe.Checkout.Session = { ...session, ...result, status: "complete", url: null };
  tx.store.put("checkout_session", closed);
  tx.record("checkout.session.completed", closed);
  return closed;
}

/** Stripe uses one payment intent for all attempts of a session. Nothing to pay (a discount, a credit) needs none. */
function intentFor(tx: Transaction, session: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  const progress = progressOf(tx, session);
  holdCredit(tx, session);
  const amount = dueAtCheckout(tx, session);
  if (amount === 0) return null;
  if (progress.payment_intent !== null)
    return tx.store.put("payment_intent", { ...demand(tx, "payment_intent", progress.payment_intent), amount });
  const intent = openPaymentIntent(tx, {
    customer: progress.customer,
    amount,
    currency: session.currency ?? "",
    description: "Subscription creation",
  });
  tx.store.put("checkout_progress", { ...progress, payment_intent: intent.id });
  return intent;
}

function requireOpen(session: Stripe.Checkout.Session): void {
  if (session.status !== "open")
    throw invalid(`This Checkout Session is ${session.status} and can't be paid.`, {
      code: "checkout_session_not_open",
    });
}
