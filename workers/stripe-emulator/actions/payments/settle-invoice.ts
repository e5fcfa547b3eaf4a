import type Stripe from "stripe";
import { RETRY_AFTER_DAYS, SECONDS_PER_DAY } from "../../time/billing-times.ts";
import type { Books } from "../../books.ts";
import { changeBalance } from "../../objects/customers/customer-balance.ts";
import { differences } from "../../objects/customers/customers.ts";
import { demand } from "../../objects/find.ts";
import { intentOf, markPaid, paymentsOf } from "../../objects/invoices/invoice-payments.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { applyPendingUpdate, forgetPendingUpdate, isOfPendingUpdate } from "../subscriptions/apply-pending-update.ts";
import { releaseCredit, sessionOf } from "./checkout-credit.ts";
import { customerOf } from "./finalize-invoice.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { cancelIntent } from "./move-intent.ts";
import { refreshStanding } from "../subscriptions/refresh-standing.ts";

/** Triggered by the clock, or by a caller: Stripe's retry schedule counts the first kind only. */
export type Attempt = "automatic" | "manual";

export function markInvoicePaid(books: Books, invoice: Stripe.Invoice, attempt: Attempt = "automatic"): Stripe.Invoice {
  books.clock.clearTimer("invoice-retries", invoice.id);
  for (const payment of paymentsOf(books, invoice)) if (payment.status === "open") markPaid(books, payment);
  const paid = save(books, invoice, {
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.amount_due > 0 ? attemptsAfter(invoice, attempt) : invoice.attempt_count,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: "paid",
    status_transitions: { ...invoice.status_transitions, paid_at: books.clock.now() },
  });
  books.record("invoice.paid", paid);
  books.record("invoice.payment_succeeded", paid);
  if (isOfPendingUpdate(books, paid)) applyPendingUpdate(books, paid);
  refreshStanding(books, paid);
  return paid;
}

/** The attempt failed: the invoice stays open, and its subscription becomes past due. */
export function markInvoiceUnpaid(
  books: Books,
  invoice: Stripe.Invoice,
  attempt: Attempt = "automatic",
  wants: "another-method" | "its-holder" = "another-method",
): Stripe.Invoice {
  const attempts = attemptsAfter(invoice, attempt);
  const next =
    attempts === invoice.attempt_count ? invoice.next_payment_attempt : nextAttempt(books, invoice, attempts);
  const unpaid = save(books, invoice, {
    attempt_count: attempts,
    attempted: true,
    auto_advance: next !== null,
    next_payment_attempt: next,
  });
  if (next !== null) books.clock.setTimer("invoice-retries", unpaid.id, next);
  if (wants === "its-holder") books.record("invoice.payment_action_required", unpaid);
  books.record("invoice.payment_failed", unpaid);
  refreshStanding(books, unpaid);
  return unpaid;
}

/**
 * The invoice no longer has to be paid. Refused while a bank processes its payment: that can't be cancelled. What it took from the
 * customer's balance is returned, and pending updates are dropped.
 */
export function voidInvoice(books: Books, invoice: Stripe.Invoice): Stripe.Invoice {
  const intent = intentOf(books, invoice);
  if (intent?.status === "processing")
    throw invalid("This invoice can't be voided: it has a payment that is still processing.", {
      code: "invoice_not_editable",
    });
  books.clock.clearTimer("invoice-retries", invoice.id);
  if (intent !== null && intent.status !== "succeeded") cancelIntent(books, intent, "void_invoice");
  const session = sessionOf(books, invoice);
  if (session !== null) releaseCredit(books, session);
  const taken = (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance;
  if (taken !== 0)
    changeBalance(books, demand(books, "customer", customerOf(invoice)), {
      amount: -taken,
      currency: invoice.currency,
      type: "unapplied_from_invoice",
      invoice: invoice.id,
    });
  const voided = save(books, invoice, {
    amount_remaining: 0,
    auto_advance: false,
    next_payment_attempt: null,
    status: "void",
    status_transitions: { ...invoice.status_transitions, voided_at: books.clock.now() },
  });
  books.record("invoice.voided", voided);
  if (isOfPendingUpdate(books, voided)) forgetPendingUpdate(books, voided);
  refreshStanding(books, voided);
  return voided;
}

/** It is written off, and can still be paid. */
export function markUncollectible(books: Books, invoice: Stripe.Invoice): Stripe.Invoice {
  books.clock.clearTimer("invoice-retries", invoice.id);
  const given = save(books, invoice, {
    auto_advance: false,
    next_payment_attempt: null,
    status: "uncollectible",
    status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: books.clock.now() },
  });
  books.record("invoice.marked_uncollectible", given);
  refreshStanding(books, given);
  return given;
}

/** Any attempt counts as the first one; after that, only Stripe's automatic attempts count. */
const attemptsAfter = (invoice: Stripe.Invoice, attempt: Attempt): number =>
  attempt === "automatic" || invoice.attempt_count === 0 ? invoice.attempt_count + 1 : invoice.attempt_count;

/** First payments and pending updates aren't retried: they expire. */
function nextAttempt(books: Books, invoice: Stripe.Invoice, attempts: number): number | null {
  const days = RETRY_AFTER_DAYS[attempts - 1];
  const id = subscriptionOf(invoice);
  const status = id === null ? undefined : books.store.find("subscription", id)?.status;
  const isTried = invoice.billing_reason !== "subscription_create" && !isOfPendingUpdate(books, invoice);
  if (days === undefined || !isTried || status === "canceled" || status === "unpaid") return null;
  return books.clock.now() + days * SECONDS_PER_DAY;
}

function save(books: Books, before: Stripe.Invoice, changes: Partial<Stripe.Invoice>): Stripe.Invoice {
  const after: Stripe.Invoice = { ...before, ...changes };
  books.store.put("invoice", after);
  books.record("invoice.updated", after, differences(before, after));
  return after;
}
