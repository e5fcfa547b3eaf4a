import type Stripe from "stripe";
import { DEBIT_SECONDS } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { cardByLast4, DEBIT_FAILED, DECLINED, EXPIRED, isPast } from "../../money/cards.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { intentOf } from "../../objects/invoices/invoice-payments.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { isOfPendingUpdate } from "../subscriptions/apply-pending-update.ts";
import { cancelNow } from "../subscriptions/cancel-now.ts";
import { pausesAfterOf, pauseSubscription } from "../subscriptions/pause-subscription.ts";
import { customerOf, invoicePage } from "./finalize-invoice.ts";
import { askHolder, debitBank, failIntent, succeedIntent } from "./intents.ts";
import { setStatus } from "../subscriptions/refresh-status.ts";
import { type Attempt, markInvoicePaid, markInvoiceUnpaid } from "./mark-invoice.ts";

/** Charges an open invoice without the cardholder present, as at a renewal. */
export function collectInvoice(
  tx: Transaction,
  invoice: Stripe.Invoice,
  { method: chosen, attempt = "automatic" }: { method?: Stripe.PaymentMethod | null; attempt?: Attempt } = {},
): Stripe.Invoice {
  if (invoice.amount_due === 0) return markInvoicePaid(tx, invoice, attempt);
  const method = chosen ?? methodFor(tx, invoice);
  const intent = intentOf(tx, invoice);
  if (method === null || intent === null) return afterFailure(tx, markInvoiceUnpaid(tx, invoice, attempt));
  switch (answerOf(tx, method)) {
    case "succeeds":
      succeedIntent(tx, intent, method);
      return markInvoicePaid(tx, invoice, attempt);
    case "declines":
      failIntent(tx, intent, method, isExpired(tx, method) ? EXPIRED : DECLINED);
      return afterFailure(tx, markInvoiceUnpaid(tx, invoice, attempt));
    case "asks-holder":
      askHolder(tx, intent, method, invoice.hosted_invoice_url ?? invoicePage(tx, invoice));
      return afterFailure(tx, markInvoiceUnpaid(tx, invoice, attempt, "its-holder"));
    case "takes-days":
      debitBank(tx, intent, method);
      tx.clock.setTimer("invoice-debit-settles", invoice.id, tx.clock.now() + DEBIT_SECONDS);
      return underWay(tx, invoice);
  }
}

/** A bank debit has completed. It was counted as an attempt when it began. */
export function settleInvoiceDebit(tx: Transaction, invoice: Stripe.Invoice, end: "succeeds" | "fails"): void {
  const intent = intentOf(tx, invoice);
  if (intent?.status !== "processing" || intent.payment_method === null) return;
  tx.clock.clearTimer("invoice-debit-settles", invoice.id);
  const method = demand(tx, "payment_method", idOf(intent.payment_method));
  if (end === "succeeds") {
    succeedIntent(tx, intent, method);
    markInvoicePaid(tx, invoice, "manual");
    return;
  }
  failIntent(tx, intent, method, DEBIT_FAILED);
  afterFailure(tx, markInvoiceUnpaid(tx, { ...invoice, attempt_count: invoice.attempt_count - 1 }));
}

/** How a saved payment method responds when its holder isn't present. */
export function answerOf(
  tx: Transaction,
  method: Stripe.PaymentMethod,
): "succeeds" | "declines" | "asks-holder" | "takes-days" {
  if (method.card === undefined) return "takes-days";
  if (isExpired(tx, method)) return "declines";
  return cardByLast4(method.card.last4)?.later ?? "succeeds";
}

const isExpired = (tx: Transaction, { card }: Stripe.PaymentMethod): boolean =>
  card !== undefined && isPast({ month: card.exp_month, year: card.exp_year }, tx.clock.now());

export function methodFor(tx: Transaction, invoice: Stripe.Invoice): Stripe.PaymentMethod | null {
  const subscription = ownerOf(tx, invoice);
  return methodOf(tx, demand(tx, "customer", customerOf(invoice)), subscription);
}

export function methodOf(
  tx: Transaction,
  customer: Stripe.Customer,
  subscription: Stripe.Subscription | null,
): Stripe.PaymentMethod | null {
  const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return method === null ? null : tx.store.find("payment_method", idOf(method));
}

/** The account's settings decide what happens to the subscription, after the first attempt or the last. */
function afterFailure(tx: Transaction, invoice: Stripe.Invoice): Stripe.Invoice {
  const subscription = ownerOf(tx, invoice);
  if (subscription?.status !== "past_due" || invoice.billing_reason === "subscription_create") return invoice;
  const pausesAfter = pausesAfterOf(tx.store);
  if (pausesAfter === "first" && invoice.billing_reason === "subscription_cycle" && invoice.attempt_count === 1) {
    pauseSubscription(tx, subscription, "first_payment_failure");
    return demand(tx, "invoice", invoice.id);
  }
  if (invoice.next_payment_attempt !== null || isOfPendingUpdate(tx, invoice)) return invoice;
  if (pausesAfter === "last") {
    pauseSubscription(tx, subscription, "final_payment_failure");
    return demand(tx, "invoice", invoice.id);
  }
  if (tx.afterLastRetry === "canceled") cancelNow(tx, subscription, {}, "payment_failed");
  if (tx.afterLastRetry === "unpaid") saveSubscription(tx, subscription, { status: "unpaid" });
  return demand(tx, "invoice", invoice.id);
}

/** A subscription counts as active while a bank processes the payment of its invoice. */
function underWay(tx: Transaction, invoice: Stripe.Invoice): Stripe.Invoice {
  const subscription = ownerOf(tx, invoice);
  if (subscription?.status === "incomplete") setStatus(tx, subscription, "active");
  return tx.store.put("invoice", { ...invoice, attempt_count: invoice.attempt_count + 1, attempted: true });
}

function ownerOf(tx: Transaction, invoice: Stripe.Invoice): Stripe.Subscription | null {
  const id = subscriptionOf(invoice);
  return id === null ? null : tx.store.find("subscription", id);
}
