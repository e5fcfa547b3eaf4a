import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { methodOf } from "../payments/collect-invoice.ts";

/** https://docs.stripe.com/billing/subscriptions/pending-updates#before-you-begin */
export const PENDING_UPDATE_METHODS: readonly string[] = [
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

/** A pending update needs a payment method that doesn't take days. The refusal is documented; its wording isn't. */
export function requirePendingUpdates(tx: Transaction, subscription: Stripe.Subscription): void {
  if (subscription.collection_method !== "charge_automatically")
    throw invalid("Pending updates require `collection_method` to be `charge_automatically`.", {
      param: "payment_behavior",
    });
  const method = methodOf(tx, demand(tx, "customer", idOf(subscription.customer)), subscription);
  if (method !== null && !PENDING_UPDATE_METHODS.includes(method.type))
    throw invalid(`Pending updates are not supported for the payment method type \`${method.type}\`.`, {
      param: "payment_behavior",
    });
}
