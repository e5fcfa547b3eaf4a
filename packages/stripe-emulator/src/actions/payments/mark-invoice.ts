import type Stripe from "stripe";
import { RETRY_AFTER_DAYS, SECONDS_PER_DAY } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { changeBalance } from "../../objects/customers/customer-balance.ts";
import { differences } from "../../objects/customers/customers.ts";
import { demand } from "../../objects/demand.ts";
import { intentOf, markPaid, paymentsOf } from "../../objects/invoices/invoice-payments.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { applyPendingUpdate, forgetPendingUpdate, isOfPendingUpdate } from "../subscriptions/apply-pending-update.ts";
import { releaseCredit, sessionOf } from "./hold-credit.ts";
import { customerOf } from "./finalize-invoice.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { cancelIntent } from "./intents.ts";
import { resumeAfterPayment } from "../subscriptions/resume-after-payment.ts";
import { refreshStatus } from "../subscriptions/refresh-status.ts";

/** Triggered by the clock, or by a caller: Stripe's retry schedule counts the first kind only. */
export type Attempt = "automatic" | "manual";

export function markInvoicePaid(
  tx: Transaction,
  invoice: Stripe.Invoice,
  attempt: Attempt = "automatic",
): Stripe.Invoice {
  tx.clock.clearTimer("invoice-retries", invoice.id);
  for (const payment of paymentsOf(tx, invoice)) if (payment.status === "open") markPaid(tx, payment);
  const paid = save(tx, invoice, {
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.amount_due > 0 ? attemptsAfter(invoice, attempt) : invoice.attempt_count,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: "paid",
    status_transitions: { ...invoice.status_transitions, paid_at: tx.clock.now() },
  });
  tx.record("invoice.paid", paid);
  tx.record("invoice.payment_succeeded", paid);
  if (isOfPendingUpdate(tx, paid)) applyPendingUpdate(tx, paid);
  refreshStatus(tx, paid);
  resumeAfterPayment(tx, paid);
  return paid;
}

/** The attempt failed: the invoice stays open, and its subscription becomes past due. */
export function markInvoiceUnpaid(
  tx: Transaction,
  invoice: Stripe.Invoice,
  attempt: Attempt = "automatic",
  wants: "another-method" | "its-holder" = "another-method",
): Stripe.Invoice {
  const attempts = attemptsAfter(invoice, attempt);
  const next = attempts === invoice.attempt_count ? invoice.next_payment_attempt : nextAttempt(tx, invoice, attempts);
  const unpaid = save(tx, invoice, {
    attempt_count: attempts,
    attempted: true,
    auto_advance: next !== null,
    next_payment_attempt: next,
  });
  if (next !== null) tx.clock.setTimer("invoice-retries", unpaid.id, next);
  if (wants === "its-holder") tx.record("invoice.payment_action_required", unpaid);
  tx.record("invoice.payment_failed", unpaid);
  refreshStatus(tx, unpaid);
  return unpaid;
}

/**
 * The invoice no longer has to be paid. Refused while a bank processes its payment: that can't be cancelled. What it took from the
 * customer's balance is returned, and pending updates are dropped.
 */
export function voidInvoice(tx: Transaction, invoice: Stripe.Invoice): Stripe.Invoice {
  const intent = intentOf(tx, invoice);
  if (intent?.status === "processing")
    throw invalid("This invoice can't be voided: it has a payment that is still processing.", {
      code: "invoice_not_editable",
    });
  tx.clock.clearTimer("invoice-retries", invoice.id);
  if (intent !== null && intent.status !== "succeeded") cancelIntent(tx, intent, "void_invoice");
  const session = sessionOf(tx, invoice);
  if (session !== null) releaseCredit(tx, session);
  const taken = (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance;
  if (taken !== 0)
    changeBalance(tx, demand(tx, "customer", customerOf(invoice)), {
      amount: -taken,
      currency: invoice.currency,
      type: "unapplied_from_invoice",
      invoice: invoice.id,
    });
  const voided = save(tx, invoice, {
    amount_remaining: 0,
    auto_advance: false,
    next_payment_attempt: null,
    status: "void",
    status_transitions: { ...invoice.status_transitions, voided_at: tx.clock.now() },
  });
  tx.record("invoice.voided", voided);
  if (isOfPendingUpdate(tx, voided)) forgetPendingUpdate(tx, voided);
  refreshStatus(tx, voided);
  return voided;
}

/** Writes the invoice off. It can still be paid. */
export function markUncollectible(tx: Transaction, invoice: Stripe.Invoice): Stripe.Invoice {
  tx.clock.clearTimer("invoice-retries", invoice.id);
  const given = save(tx, invoice, {
    auto_advance: false,
    next_payment_attempt: null,
    status: "uncollectible",
    status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: tx.clock.now() },
  });
  tx.record("invoice.marked_uncollectible", given);
  refreshStatus(tx, given);
  resumeAfterPayment(tx, given);
  return given;
}

/** Any attempt counts as the first one; after that, only Stripe's automatic attempts count. */
const attemptsAfter = (invoice: Stripe.Invoice, attempt: Attempt): number =>
  attempt === "automatic" || invoice.attempt_count === 0 ? invoice.attempt_count + 1 : invoice.attempt_count;

/** First payments and pending updates aren't retried: they expire. */
function nextAttempt(tx: Transaction, invoice: Stripe.Invoice, attempts: number): number | null {
  const days = RETRY_AFTER_DAYS[attempts - 1];
  const id = subscriptionOf(invoice);
  const status = id === null ? undefined : tx.store.find("subscription", id)?.status;
  const isTried = invoice.billing_reason !== "subscription_create" && !isOfPendingUpdate(tx, invoice);
  if (days === undefined || !isTried || status === "canceled" || status === "unpaid") return null;
  return tx.clock.now() + days * SECONDS_PER_DAY;
}

function save(tx: Transaction, before: Stripe.Invoice, changes: Partial<Stripe.Invoice>): Stripe.Invoice {
  const after: Stripe.Invoice = { ...before, ...changes };
  tx.store.put("invoice", after);
  tx.record("invoice.updated", after, differences(before, after));
  return after;
}
