import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { chargeMinOf } from "../../money/currencies.ts";
import { formatAmount } from "../../money/money.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { codesNamed, couponIdOf, current } from "../../objects/catalogue/promotion-codes.ts";
import { type Purchase, type Redeemable, refusalOf } from "../../objects/catalogue/redemption.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { releaseCredit } from "./hold-credit.ts";
import { priceSession } from "./price-session.ts";

type Session = Stripe.Checkout.Session;

/** The customer types a promotion code. One that can't be redeemed changes nothing: see `codeProblem`. */
export function applyCode(tx: Transaction, session: Session, typed: string): Session {
  const code = codeFor(tx, session, typed);
  if (code === null || problemOf(tx, session, code) !== null) return session;
  const discounted = { ...session, discounts: [{ coupon: null, promotion_code: code.id }] };
  return reprice(tx, discounted, discountBy(tx, session, code));
}

export const removeCode = (tx: Transaction, session: Session): Session => reprice(tx, { ...session, discounts: [] }, 0);

/** Credit that a failed attempt holds is for another amount. */
function reprice(tx: Transaction, session: Session, discount: number): Session {
  releaseCredit(tx, session);
  return priceSession(tx, session, discount);
}

/** Why a typed code isn't taken; null if it can be. */
export function codeProblem(tx: Transaction, session: Session, typed: string): string | null {
  const code = codeFor(tx, session, typed);
  return code === null ? "This code is invalid." : problemOf(tx, session, code);
}

/** The code that a customer has typed here. */
export function appliedCode(tx: Transaction, session: Session): Stripe.PromotionCode | null {
  const id = session.allow_promotion_codes === true ? (session.discounts?.[0]?.promotion_code ?? null) : null;
  return id === null ? null : current(tx, demand(tx, "promotion_code", idOf(id)));
}

/** What a completed session redeems. */
export function redeemableOf(tx: Transaction, session: Session): Redeemable | null {
  const { coupon = null, promotion_code = null } = session.discounts?.[0] ?? {};
  if (promotion_code !== null) {
    const code = demand(tx, "promotion_code", idOf(promotion_code));
    return { coupon: demand(tx, "coupon", couponIdOf(code)), code };
  }
  return coupon === null ? null : { coupon: demand(tx, "coupon", idOf(coupon)), code: null };
}

/** Several customers may have codes of one name; of those, one that can be redeemed. */
function codeFor(tx: Transaction, session: Session, typed: string): Stripe.PromotionCode | null {
  const named = codesNamed(tx, typed);
  return named.find((code) => problemOf(tx, session, code) === null) ?? named[0] ?? null;
}

function problemOf(tx: Transaction, session: Session, code: Stripe.PromotionCode): string | null {
  const refusal = refusalOf(tx, code, purchaseOf(session));
  if (refusal !== null) return refusal;
  const currency = session.currency ?? "";
  const total = (session.amount_subtotal ?? 0) - discountBy(tx, session, code);
  const least = chargeMinOf(currency);
  return total === 0 || total >= least
    ? null
    : `With this code less than ${formatAmount(least, currency)} would be due.`;
}

const discountBy = (tx: Transaction, session: Session, code: Stripe.PromotionCode): number =>
  discountOf(demand(tx, "coupon", couponIdOf(code)), session.amount_subtotal ?? 0, session.currency ?? "");

const purchaseOf = (session: Session): Purchase => ({
  customer: session.customer === null ? "" : idOf(session.customer),
  currency: session.currency ?? "",
  subtotal: session.amount_subtotal ?? 0,
});
