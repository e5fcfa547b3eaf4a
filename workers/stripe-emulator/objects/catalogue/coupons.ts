import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { requireStep, roundAmount } from "../../money/currencies.ts";
import { newId } from "../../ids.ts";
import { paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { demand } from "../demand.ts";

export const couponRoutes = [
  route("POST", "/v1/coupons", readCoupon, createCoupon),
  route("GET", "/v1/coupons", readPage, (tx, page) => paginate("/v1/coupons", page, tx.store.newestFirst("coupon"))),
  route("GET", "/v1/coupons/:id", nothing, (tx, _, id = "") => demand(tx, "coupon", id)),
];

function readCoupon(form: Form) {
  return {
    id: form.text("id"),
    amountOff: form.integer("amount_off"),
    percentOff: form.integer("percent_off"),
    currency: form.text("currency")?.toLowerCase(),
    // Repeating coupons aren't supported; a coupon that the emulator can't apply is refused rather than misapplied.
    duration: form.oneOf("duration", ["forever", "once"]) ?? "once",
    name: form.text("name"),
    maxRedemptions: form.integer("max_redemptions"),
    redeemBy: form.integer("redeem_by"),
    metadata: form.metadata(),
  };
}

function createCoupon(tx: Transaction, input: ReturnType<typeof readCoupon>): Stripe.Coupon {
  if ((input.amountOff === undefined) === (input.percentOff === undefined))
    throw invalid("You must pass either percent_off or amount_off when creating a coupon.");
  if (input.amountOff !== undefined && input.currency === undefined) throw missingParameter("currency");
  if (input.amountOff !== undefined) requireStep(input.amountOff, input.currency ?? "", "amount_off");
  if (input.id !== undefined && tx.store.findAny(input.id) !== null)
    throw invalid("Coupon already exists.", { code: "resource_already_exists", param: "id" });
  const coupon: Stripe.Coupon = {
    id: input.id ?? newId("co", 8),
    object: "coupon",
    amount_off: input.amountOff ?? null,
    created: tx.clock.now(),
    currency: input.amountOff === undefined ? null : (input.currency ?? null),
    duration: input.duration,
    duration_in_months: null,
    livemode: false,
    max_redemptions: input.maxRedemptions ?? null,
    metadata: mergeMetadata({}, input.metadata),
    name: input.name ?? null,
    percent_off: input.percentOff ?? null,
    redeem_by: input.redeemBy ?? null,
    times_redeemed: 0,
    valid: true,
  };
  tx.store.put("coupon", coupon);
  tx.record("coupon.created", coupon);
  return coupon;
}

export const discountOf = (coupon: Stripe.Coupon, subtotal: number, currency: string): number =>
  Math.min(subtotal, coupon.amount_off ?? roundAmount((subtotal * (coupon.percent_off ?? 0)) / 100, currency));

/** Counts a redemption, and invalidates the coupon when it was the last one. */
export function redeemCoupon(tx: Transaction, coupon: Stripe.Coupon): void {
  const redeemed = coupon.times_redeemed + 1;
  tx.store.put("coupon", {
    ...coupon,
    times_redeemed: redeemed,
    valid: coupon.max_redemptions === null || redeemed < coupon.max_redemptions,
  });
}
