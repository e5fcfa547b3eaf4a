import type Stripe from "stripe";
import { DEBIT_SECONDS } from "../../time/billing-times.ts";
import type { Books } from "../../books.ts";
import { cardByLast4, DEBIT_FAILED, DECLINED, EXPIRED, isPast } from "../../money/cards.ts";
import { settle } from "../../money/currencies.ts";
import { demand, idOf } from "../../objects/find.ts";
import { intentOf } from "../../objects/invoices/invoice-payments.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { isOfPendingUpdate } from "../subscriptions/apply-pending-update.ts";
import { cancelNow } from "../subscriptions/cancel-subscription.ts";
import { customerOf, invoicePage } from "./finalize-invoice.ts";
import { askHolder, debitBank, failIntent, succeedIntent } from "./move-intent.ts";
import { setStatus } from "../subscriptions/refresh-standing.ts";
import { type Attempt, markInvoicePaid, markInvoiceUnpaid } from "./settle-invoice.ts";

/** What remains to be paid of this total after the customer's balance. */
export const amountAfterCredit = (customer: Stripe.Customer, total: number, currency: string): number =>
  settle(total, customer.balance, currency).due;

/** Charges an open invoice without the cardholder present, as at a renewal. */
export function collectInvoice(
  books: Books,
  invoice: Stripe.Invoice,
  { method: chosen, attempt = "automatic" }: { method?: Stripe.PaymentMethod | null; attempt?: Attempt } = {},
): Stripe.Invoice {
  if (invoice.amount_due === 0) return markInvoicePaid(books, invoice, attempt);
  const method = chosen ?? methodFor(books, invoice);
  const intent = intentOf(books, invoice);
  if (method === null || intent === null) return afterFailure(books, markInvoiceUnpaid(books, invoice, attempt));
  switch (answerOf(books, method)) {
    case "succeeds":
      succeedIntent(books, intent, method);
      return markInvoicePaid(books, invoice, attempt);
    case "declines":
      failIntent(books, intent, method, isExpired(books, method) ? EXPIRED : DECLINED);
      return afterFailure(books, markInvoiceUnpaid(books, invoice, attempt));
    case "asks-holder":
      askHolder(books, intent, method, invoice.hosted_invoice_url ?? invoicePage(books, invoice));
      return afterFailure(books, markInvoiceUnpaid(books, invoice, attempt, "its-holder"));
    case "takes-days":
      debitBank(books, intent, method);
      books.clock.setTimer("invoice-debit-settles", invoice.id, books.clock.now() + DEBIT_SECONDS);
      return underWay(books, invoice);
  }
}

/** A bank debit has completed. It was counted as an attempt when it began. */
export function settleInvoiceDebit(books: Books, invoice: Stripe.Invoice, end: "succeeds" | "fails"): void {
  const intent = intentOf(books, invoice);
  if (intent?.status !== "processing" || intent.payment_method === null) return;
  books.clock.clearTimer("invoice-debit-settles", invoice.id);
  const method = demand(books, "payment_method", idOf(intent.payment_method));
  if (end === "succeeds") {
    succeedIntent(books, intent, method);
    markInvoicePaid(books, invoice, "manual");
    return;
  }
  failIntent(books, intent, method, DEBIT_FAILED);
  afterFailure(books, markInvoiceUnpaid(books, { ...invoice, attempt_count: invoice.attempt_count - 1 }));
}

/** How a saved payment method responds when its holder isn't present. */
export function answerOf(
  books: Books,
  method: Stripe.PaymentMethod,
): "succeeds" | "declines" | "asks-holder" | "takes-days" {
  if (method.card === undefined) return "takes-days";
  if (isExpired(books, method)) return "declines";
  return cardByLast4(method.card.last4)?.later ?? "succeeds";
}

const isExpired = (books: Books, { card }: Stripe.PaymentMethod): boolean =>
  card !== undefined && isPast({ month: card.exp_month, year: card.exp_year }, books.clock.now());

export function methodFor(books: Books, invoice: Stripe.Invoice): Stripe.PaymentMethod | null {
  const subscription = ownerOf(books, invoice);
  return methodOf(books, demand(books, "customer", customerOf(invoice)), subscription);
}

export function methodOf(
  books: Books,
  customer: Stripe.Customer,
  subscription: Stripe.Subscription | null,
): Stripe.PaymentMethod | null {
  const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return method === null ? null : books.store.find("payment_method", idOf(method));
}

/** After the last retry, the account's settings decide what happens to the subscription. */
function afterFailure(books: Books, invoice: Stripe.Invoice): Stripe.Invoice {
  const subscription = ownerOf(books, invoice);
  const goesOn = invoice.next_payment_attempt !== null || isOfPendingUpdate(books, invoice);
  if (goesOn || subscription?.status !== "past_due" || invoice.billing_reason === "subscription_create") return invoice;
  if (books.afterLastRetry === "canceled") cancelNow(books, subscription, {}, "payment_failed");
  if (books.afterLastRetry === "unpaid") saveSubscription(books, subscription, { status: "unpaid" });
  return demand(books, "invoice", invoice.id);
}

/** A subscription counts as active while a bank processes the payment of its invoice. */
function underWay(books: Books, invoice: Stripe.Invoice): Stripe.Invoice {
  const subscription = ownerOf(books, invoice);
  if (subscription?.status === "incomplete") setStatus(books, subscription, "active");
  return books.store.put("invoice", { ...invoice, attempt_count: invoice.attempt_count + 1, attempted: true });
}

function ownerOf(books: Books, invoice: Stripe.Invoice): Stripe.Subscription | null {
  const id = subscriptionOf(invoice);
  return id === null ? null : books.store.find("subscription", id);
}
