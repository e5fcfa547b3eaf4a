import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { DECLINED, type Expiry, NOT_AUTHENTICATED, type TestCard } from "../../money/cards.ts";
import { demand, idOf } from "../../objects/find.ts";
import { intentOf } from "../../objects/invoices/invoice-payments.ts";
import { attachMethod, newCard } from "../../objects/payments/payment-methods.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { customerOf, invoicePage } from "./finalize-invoice.ts";
import { askHolder, failIntent, refuseIntent, succeedIntent } from "./move-intent.ts";
import { markInvoicePaid, markInvoiceUnpaid } from "./settle-invoice.ts";

/** The customer types a card on the invoice's own page. Attempts there don't affect the retry schedule. */
export function payOnPage(
  books: Books,
  invoice: Stripe.Invoice,
  { card, expiry }: { card: TestCard; expiry: Expiry | null },
): "paid" | "declined" | "asks-holder" {
  const intent = awaitedIntent(books, invoice);
  const method = newCard(books, demand(books, "customer", customerOf(invoice)), card, expiry);
  switch (card.atCheckout) {
    case "succeeds":
      settle(books, invoice, intent, method);
      return "paid";
    case "declines":
      failIntent(books, intent, method, DECLINED);
      markInvoiceUnpaid(books, invoice, "manual");
      return "declined";
    case "asks-holder":
      askHolder(books, intent, method, `${invoicePage(books, invoice)}/confirm`);
      books.record("invoice.payment_action_required", invoice);
      return "asks-holder";
  }
}

/** The cardholder answers the bank's question (3-D Secure), for a card typed here or one that a renewal was charged to. */
export function answerOnPage(books: Books, invoice: Stripe.Invoice, isConfirmed: boolean): void {
  const intent = awaitedIntent(books, invoice);
  if (intent.status !== "requires_action" || intent.payment_method === null) return;
  const method = demand(books, "payment_method", idOf(intent.payment_method));
  if (isConfirmed) {
    settle(books, invoice, intent, method);
    return;
  }
  refuseIntent(books, intent, method, NOT_AUTHENTICATED);
  markInvoiceUnpaid(books, invoice, "manual");
}

/** The card is saved to the customer, as a subscription's payment requires, and doesn't become a default. */
function settle(
  books: Books,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  const own = method.customer === null ? attachMethod(books, method, customerOf(invoice)) : method;
  succeedIntent(books, intent, own);
  markInvoicePaid(books, invoice, "manual");
}

function awaitedIntent(books: Books, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const intent = intentOf(books, invoice);
  const isPayable = invoice.status === "open" || invoice.status === "uncollectible";
  if (isPayable && intent !== null && intent.status !== "processing" && intent.status !== "succeeded") return intent;
  throw invalid("There is nothing to pay on this invoice.", { code: "invoice_not_editable" });
}
