import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { requireStep, roundAmount } from "../../money/currencies.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { differences } from "../customers/customers.ts";
import { demand } from "../demand.ts";

export const couponRoutes = [
  route("POST", "/v1/coupons", readCoupon, createCoupon),
  route(
    "GET",
    "/v1/coupons",
    (form) => ({ page: readPage(form), created: form.range("created") }),
    (tx, { page, created }) => {
      const found = paginate(
        "/v1/coupons",
        page,
        only(tx.store.newestFirst("coupon"), (coupon) => created(coupon.created)),
      );
      return { ...found, data: found.data.map((coupon) => current(tx, coupon)) };
    },
  ),
  route("GET", "/v1/coupons/:id", nothing, (tx, _, id = "") => current(tx, demand(tx, "coupon", id))),
  route(
    "POST",
    "/v1/coupons/:id",
    (form) => ({ name: form.text("name"), metadata: form.metadata() }),
    (tx, { name, metadata }, id = "") => {
      const before = demand(tx, "coupon", id);
      const merged = mergeMetadata(before.metadata ?? {}, metadata);
      const after = tx.store.put("coupon", { ...before, metadata: merged, name: name ?? before.name });
      tx.record("coupon.updated", after, differences(before, after));
      return current(tx, after);
    },
  ),
];

function readCoupon(form: Form) {
  return {
    id: form.text("id"),
    amountOff: form.integer("amount_off"),
    percentOff: form.integer("percent_off"),
    currency: form.text("currency")?.toLowerCase(),
    duration: form.oneOf("duration", ["forever", "once", "repeating"]) ?? "once",
    months: form.integer("duration_in_months"),
    name: form.text("name"),
    maxRedemptions: form.integer("max_redemptions"),
    redeemBy: form.integer("redeem_by"),
    metadata: form.metadata(),
  };
}

function createCoupon(tx: Transaction, input: ReturnType<typeof readCoupon>): Stripe.Coupon {
  if ((input.amountOff === undefined) === (input.percentOff === undefined))
    throw invalid("You must pass either percent_off or amount_off when creating a coupon.");
  if (input.percentOff !== undefined && (input.percentOff < 1 || input.percentOff > 100))
    throw invalid("Invalid percent_off: must be from 1 to 100.", { param: "percent_off" });
  if (input.amountOff !== undefined && input.currency === undefined) throw missingParameter("currency");
  if (input.duration === "repeating" && input.months === undefined) throw missingParameter("duration_in_months");
  if (input.duration !== "repeating" && input.months !== undefined)
    throw invalid("You may only specify `duration_in_months` if `duration` is `repeating`.", {
      param: "duration_in_months",
    });
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
    duration_in_months: input.months ?? null,
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

/** Until it has been redeemed too often, or its time is over. */
export const isValid = (tx: Transaction, { max_redemptions, redeem_by, times_redeemed }: Stripe.Coupon): boolean =>
  (max_redemptions === null || times_redeemed < max_redemptions) && (redeem_by === null || redeem_by >= tx.clock.now());

const current = (tx: Transaction, coupon: Stripe.Coupon): Stripe.Coupon => ({ ...coupon, valid: isValid(tx, coupon) });

/** Counts a redemption, and invalidates the coupon when it was the last one. */
export function redeemCoupon(tx: Transaction, coupon: Stripe.Coupon): void {
  tx.store.put("coupon", current(tx, { ...coupon, times_redeemed: coupon.times_redeemed + 1 }));
}
