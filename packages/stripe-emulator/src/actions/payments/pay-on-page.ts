import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { DECLINED, type Expiry, NOT_AUTHENTICATED, type TestCard } from "../../money/cards.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { intentOf } from "../../objects/invoices/invoice-payments.ts";
import { attachMethod, newCard } from "../../objects/payments/payment-methods.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { customerOf, invoicePage } from "./finalize-invoice.ts";
import { askHolder, failIntent, refuseIntent, succeedIntent } from "./intents.ts";
import { markInvoicePaid, markInvoiceUnpaid } from "./mark-invoice.ts";

/** The customer types a card on the invoice's own page. Attempts there don't affect the retry schedule. */
export function payOnPage(
  tx: Transaction,
  invoice: Stripe.Invoice,
  { card, expiry }: { card: TestCard; expiry: Expiry | null },
): "paid" | "declined" | "asks-holder" {
  const intent = awaitedIntent(tx, invoice);
  const method = newCard(tx, demand(tx, "customer", customerOf(invoice)), card, expiry);
  switch (card.atCheckout) {
    case "succeeds":
      settle(tx, invoice, intent, method);
      return "paid";
    case "declines":
      failIntent(tx, intent, method, DECLINED);
      markInvoiceUnpaid(tx, invoice, "manual");
      return "declined";
    case "asks-holder":
      askHolder(tx, intent, method, `${invoicePage(tx, invoice)}/confirm`);
      tx.record("invoice.payment_action_required", invoice);
      return "asks-holder";
  }
}

/** The cardholder answers the bank's question (3-D Secure), for a card typed here or one that a renewal was charged to. */
export function answerOnPage(tx: Transaction, invoice: Stripe.Invoice, isConfirmed: boolean): void {
  const intent = awaitedIntent(tx, invoice);
  if (intent.status !== "requires_action" || intent.payment_method === null) return;
  const method = demand(tx, "payment_method", idOf(intent.payment_method));
  if (isConfirmed) {
    settle(tx, invoice, intent, method);
    return;
  }
  refuseIntent(tx, intent, method, NOT_AUTHENTICATED);
  markInvoiceUnpaid(tx, invoice, "manual");
}

/** The card is saved to the customer, as a subscription's payment requires, and doesn't become a default. */
function settle(
  tx: Transaction,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  const own = method.customer === null ? attachMethod(tx, method, customerOf(invoice)) : method;
  succeedIntent(tx, intent, own);
  markInvoicePaid(tx, invoice, "manual");
}

function awaitedIntent(tx: Transaction, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const intent = intentOf(tx, invoice);
  const isPayable = invoice.status === "open" || invoice.status === "uncollectible";
  if (isPayable && intent !== null && intent.status !== "processing" && intent.status !== "succeeded") return intent;
  throw invalid("There is nothing to pay on this invoice.", { code: "invoice_not_editable" });
}
