import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { demand, refer } from "../demand.ts";
import { isValid, redeemCoupon } from "./coupons.ts";
import { couponIdOf, current } from "./promotion-codes.ts";

/** A discount as a caller names it: by its coupon, or by one of the coupon's promotion codes. */
export interface DiscountInput {
  coupon: string | null;
  promotionCode: string | null;
}

/** A coupon that may be redeemed, and the promotion code by which it is. */
export interface Redeemable {
  coupon: Stripe.Coupon;
  code: Stripe.PromotionCode | null;
}

/** What a discount is for. A promotion code has a rule for each of these. */
export interface Purchase {
  customer: string;
  currency: string;
  subtotal: number;
}

export function readDiscountInput(form: Form): DiscountInput {
  const input = { coupon: form.text("coupon") ?? null, promotionCode: form.text("promotion_code") ?? null };
  if (input.coupon === null && input.promotionCode === null) throw missingParameter(form.pathTo("coupon"));
  if (input.coupon !== null && input.promotionCode !== null)
    throw invalid("You may only specify one of these parameters: coupon, promotion_code.", {
      param: form.pathTo("coupon"),
    });
  return input;
}

/** Refuses what can't be redeemed for this purchase. `path` is the discount's parameter. */
export function redeemableFor(tx: Transaction, input: DiscountInput, purchase: Purchase, path: string): Redeemable {
  if (input.promotionCode === null) {
    const coupon = refer(tx, "coupon", input.coupon ?? "", `${path}[coupon]`);
    if (!isValid(tx, coupon))
      throw invalid(`Coupon ${coupon.id} is expired.`, { code: "coupon_expired", param: `${path}[coupon]` });
    if (isInOtherCurrency(coupon, purchase))
      throw invalid(`The coupon's currency (${coupon.currency}) doesn't match the purchase's (${purchase.currency}).`, {
        param: `${path}[coupon]`,
      });
    return { coupon, code: null };
  }
  const code = current(tx, refer(tx, "promotion_code", input.promotionCode, `${path}[promotion_code]`));
  const refusal = refusalOf(tx, code, purchase);
  if (refusal !== null) throw invalid(refusal, { param: `${path}[promotion_code]` });
  return { coupon: demand(tx, "coupon", couponIdOf(code)), code };
}

const isInOtherCurrency = (coupon: Stripe.Coupon, { currency }: Purchase): boolean =>
  coupon.currency !== null && coupon.currency !== currency;

/** Why a promotion code can't be redeemed for this purchase; null if it can. Stripe documents the rules, and few of its words. */
export function refusalOf(tx: Transaction, code: Stripe.PromotionCode, purchase: Purchase): string | null {
  const { restrictions } = code;
  const because = (reason: string): string => `This promotion code cannot be redeemed because ${reason}.`;
  if (code.expires_at !== null && code.expires_at <= tx.clock.now()) return because("it has expired");
  if (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions)
    return because("it has been used the maximum number of times");
  if (!code.active) return because("it is not active");
  if (code.customer !== null && code.customer !== purchase.customer) return because("it is for another customer");
  if (restrictions.first_time_transaction && hasPaid(tx, purchase.customer))
    return because("the associated customer has prior transactions");
  if (isInOtherCurrency(demand(tx, "coupon", couponIdOf(code)), purchase))
    return because("its coupon is in another currency");
  const minimum = minimumIn(purchase.currency, restrictions);
  if (minimum === "none-in-this-currency") return because("it isn't for purchases in this currency");
  if (purchase.subtotal < minimum)
    return because("the associated purchase does not meet the minimum amount requirement");
  return null;
}

function minimumIn(
  currency: string,
  { minimum_amount, minimum_amount_currency, currency_options }: Stripe.PromotionCode.Restrictions,
): number | "none-in-this-currency" {
  if (minimum_amount === null) return 0;
  if (minimum_amount_currency === currency) return minimum_amount;
  return currency_options?.[currency]?.minimum_amount ?? "none-in-this-currency";
}

function hasPaid(tx: Transaction, customer: string): boolean {
  for (const { status } of tx.store.newestFirst("charge", customer)) if (status === "succeeded") return true;
  for (const { status } of tx.store.newestFirst("invoice", customer)) if (status === "paid") return true;
  return false;
}

/** Counts a redemption of the coupon and of the code. */
export function redeem(tx: Transaction, { coupon, code }: Redeemable): void {
  redeemCoupon(tx, demand(tx, "coupon", coupon.id));
  if (code === null) return;
  const before = demand(tx, "promotion_code", code.id);
  const counted = { ...before, times_redeemed: before.times_redeemed + 1 };
  tx.store.put("promotion_code", current(tx, counted));
}
