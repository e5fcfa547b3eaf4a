import type Stripe from "stripe";
import type { Connection } from "./checkout.ts";

/**
 * Stripe holds a change of plan back until it is paid ("pending update") only with these payment methods; Apple Pay and Google Pay
 * are cards. Bank debits aren't among them. Source: https://docs.stripe.com/billing/subscriptions/pending-updates#before-you-begin
 * (read 2026-11-23). The Stripe emulator has its own copy; a test compares the two.
 */
export const pendingUpdateMethods: readonly string[] = [
  ...["afterpay_clearpay", "alipay", "amazon_pay", "card", "cashapp", "crypto", "eps", "gopay", "kakao_pay", "klarna"],
  ...["kr_card", "link", "naver_pay", "ng_card", "paypal", "payto", "pix", "promptpay", "revolut_pay", "satispay"],
  ...["swish", "twint", "upi", "wechat_pay"],
];

/** Why a plan can't change before its next period: how it is paid, or that the team sends invoices for it. */
export type NextPeriodOnly = "payment-method" | "collection-method";

/** A subscription with what it is charged to: its own payment method, else its customer's. */
export function retrieveWithMethod({ stripe, within }: Connection, id: string): Promise<Stripe.Subscription> {
  const expand = ["default_payment_method", "customer.invoice_settings.default_payment_method"];
  return stripe.subscriptions.retrieve(id, { expand }, within());
}

/** Of a subscription from `retrieveWithMethod`. Null: a change can be paid for and start now. */
export function judgePendingUpdate(subscription: Stripe.Subscription): NextPeriodOnly | null {
  if (subscription.collection_method !== "charge_automatically") return "collection-method";
  const { customer, default_payment_method: own } = subscription;
  const holder = typeof customer === "string" || customer.deleted ? null : customer;
  const method = own ?? holder?.invoice_settings.default_payment_method ?? null;
  // Without a payment method there is nothing that forbids it: the invoice is paid on Stripe's page.
  if (method === null || typeof method === "string") return null;
  return pendingUpdateMethods.includes(method.type) ? null : "payment-method";
}
