import type Stripe from "stripe";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";

/**
 * Stripe supports holding a change of plan until it is paid ("pending update") only with these payment methods; Apple Pay and Google Pay
 * are cards. Bank debits aren't among them. Source: https://docs.stripe.com/billing/subscriptions/pending-updates#before-you-begin (read
 * 2026-11-23). The Stripe emulator has its own copy; a test compares the two.
 */
export const pendingUpdateMethods: readonly string[] = [
  "afterpay_clearpay",
  "alipay",
  "amazon_pay",
  "card",
  "cashapp",
  "crypto",
  "eps",
  "gopay",
  "kakao_pay",
  "klarna",
  "kr_card",
  "link",
  "naver_pay",
  "ng_card",
  "paypal",
  "payto",
  "pix",
  "promptpay",
  "revolut_pay",
  "satispay",
  "swish",
  "twint",
  "upi",
  "wechat_pay",
];

/** Why a plan can't change before its next period: its payment method, invoices sent by the team, or an unpaid invoice. */
type NextPeriodOnly = "payment-method" | "collection-method" | "renewal-unpaid";

/** Why a change can't be charged now. `payment-due` means that a payment has failed, and must be settled before any change. */
export type ChangeBlocker = NextPeriodOnly | "payment-due";

/** A subscription with its latest invoice and the payment method it is charged to: its own, else its customer's. */
export function retrieveForChange({ stripe, within }: Connection, id: string): Promise<Stripe.Subscription> {
  const methods = ["default_payment_method", "customer.invoice_settings.default_payment_method"];
  return stripe.subscriptions.retrieve(id, { expand: ["latest_invoice", ...methods] }, within());
}

/** Takes a subscription from `retrieveForChange`. Null if a change can be paid for and start now. */
export function findBlocker(subscription: Stripe.Subscription): ChangeBlocker | null {
  if (subscription.status === "past_due" || subscription.status === "unpaid") return "payment-due";
  if (subscription.collection_method !== "charge_automatically") return "collection-method";
  if (isPeriodUnpaid(subscription)) return "renewal-unpaid";
  const { customer, default_payment_method: own } = subscription;
  const holder = typeof customer === "string" || customer.deleted ? null : customer;
  const method = own ?? holder?.invoice_settings.default_payment_method ?? null;
  // Without a payment method nothing forbids it: the invoice is paid on Stripe's page.
  if (method === null || typeof method === "string") return null;
  return pendingUpdateMethods.includes(method.type) ? null : "payment-method";
}

/**
 * Stripe credits the rest of a period whether or not its invoice is paid
 * (https://docs.stripe.com/billing/subscriptions/credit-proration-deferral, read 2026-11-23). A draft is charged within the hour, and the
 * subscription stays active while a bank debit is processing. The invoice of a pending update, or one that the team wrote, pays for no period.
 */
function isPeriodUnpaid({ latest_invoice: invoice, pending_update: waiting }: Stripe.Subscription): boolean {
  if (invoice === null || typeof invoice === "string" || waiting !== null) return false;
  return invoice.billing_reason !== "manual" && (invoice.status === "draft" || invoice.status === "open");
}
