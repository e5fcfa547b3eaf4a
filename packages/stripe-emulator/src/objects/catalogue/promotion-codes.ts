import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { requireStep } from "../../money/currencies.ts";
import type { Form } from "../../http/form.ts";
import { newCode, newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { differences } from "../customers/customers.ts";
import { demand, idOf, refer } from "../demand.ts";
import { isValid } from "./coupons.ts";

type PromotionCode = Stripe.PromotionCode;

const PATH = "/v1/promotion_codes";

export const promotionCodeRoutes = [
  route("POST", PATH, readNewCode, createCode),
  route("GET", PATH, readQuery, listCodes),
  route("GET", `${PATH}/:id`, nothing, (tx, _, id = "") => current(tx, demand(tx, "promotion_code", id))),
  route("POST", `${PATH}/:id`, readChange, updateCode),
];

function readNewCode(form: Form) {
  return {
    coupon: form.group("promotion", (promotion) => {
      if (promotion.oneOf("type", ["coupon"]) === undefined) throw missingParameter(promotion.pathTo("type"));
      return promotion.requiredText("coupon");
    }),
    code: form.text("code"),
    active: form.flag("active") ?? true,
    customer: form.text("customer"),
    expiresAt: form.integer("expires_at"),
    maxRedemptions: form.integer("max_redemptions"),
    restrictions: form.group("restrictions", (restrictions) => ({
      isFirst: restrictions.flag("first_time_transaction") ?? false,
      minimum: restrictions.integer("minimum_amount"),
      currency: restrictions.text("minimum_amount_currency")?.toLowerCase(),
      minimums: restrictions.group("currency_options", readMinimums),
    })),
    metadata: form.metadata(),
  };
}

function readChange(form: Form) {
  return {
    active: form.flag("active"),
    metadata: form.metadata(),
    minimums: form.group("restrictions", (restrictions) => restrictions.group("currency_options", readMinimums)),
  };
}

/** Minimum amounts in other currencies, by currency. */
function readMinimums(form: Form): Record<string, { minimum_amount: number }> {
  const minimumIn = (currency: string) => form.group(currency, (option) => option.requiredInteger("minimum_amount"));
  return Object.fromEntries(
    [...form.names()].map((currency) => [currency.toLowerCase(), { minimum_amount: minimumIn(currency) ?? 0 }]),
  );
}

function createCode(tx: Transaction, input: ReturnType<typeof readNewCode>): PromotionCode {
  if (input.coupon === undefined) throw missingParameter("promotion");
  const coupon = refer(tx, "coupon", input.coupon, "promotion[coupon]");
  const code = input.code ?? newCode();
  if (!/^[A-Za-z\d-]+$/.test(code))
    throw invalid("Promotion codes may only contain alphanumeric characters and dashes.", { param: "code" });
  requireWithinCoupon(tx, coupon, input);
  const created: PromotionCode = {
    id: newId("promo"),
    object: "promotion_code",
    active: input.active,
    code,
    created: tx.clock.now(),
    customer: input.customer === undefined ? null : refer(tx, "customer", input.customer, "customer").id,
    customer_account: null,
    expires_at: input.expiresAt ?? null,
    livemode: false,
    max_redemptions: input.maxRedemptions ?? null,
    metadata: mergeMetadata({}, input.metadata),
    promotion: { coupon: coupon.id, type: "coupon" },
    restrictions: restrictionsOf(input),
    times_redeemed: 0,
  };
  if (created.active) requireUnusedCode(tx, created);
  tx.store.put("promotion_code", created, null);
  tx.record("promotion_code.created", created);
  return created;
}

function restrictionsOf({ restrictions }: ReturnType<typeof readNewCode>): Stripe.PromotionCode.Restrictions {
  const { isFirst = false, minimum = null, currency = null, minimums } = restrictions ?? {};
  if (minimum !== null && currency === null) throw missingParameter("restrictions[minimum_amount_currency]");
  if (minimum === null && currency !== null) throw missingParameter("restrictions[minimum_amount]");
  if (minimum !== null) requireStep(minimum, currency ?? "", "restrictions[minimum_amount]");
  return {
    ...(minimums !== undefined && { currency_options: minimums }),
    first_time_transaction: isFirst,
    minimum_amount: minimum,
    minimum_amount_currency: currency,
  };
}

/** The refusals are documented; their words are this emulator's. */
function requireWithinCoupon(
  tx: Transaction,
  coupon: Stripe.Coupon,
  { expiresAt, maxRedemptions }: Pick<ReturnType<typeof readNewCode>, "expiresAt" | "maxRedemptions">,
): void {
  if (!isValid(tx, coupon))
    throw invalid("The coupon of this promotion code isn't valid.", { param: "promotion[coupon]" });
  if (expiresAt !== undefined && expiresAt <= tx.clock.now())
    throw invalid("`expires_at` must be in the future.", { param: "expires_at" });
  if (coupon.redeem_by !== null && (expiresAt ?? 0) > coupon.redeem_by)
    throw invalid("`expires_at` can't be after the `redeem_by` of the coupon.", { param: "expires_at" });
  if (maxRedemptions !== undefined && maxRedemptions < 1)
    throw invalid("This value must be greater than or equal to 1.", {
      code: "parameter_invalid_integer",
      param: "max_redemptions",
    });
  if (coupon.max_redemptions !== null && (maxRedemptions ?? 0) > coupon.max_redemptions)
    throw invalid("`max_redemptions` can't be greater than that of the coupon.", { param: "max_redemptions" });
}

/** Regardless of case a code is unique among the active ones that a customer could use. */
function requireUnusedCode(tx: Transaction, one: PromotionCode): void {
  const isTaken = codesNamed(tx, one.code).some(
    (other) =>
      other.active &&
      other.id !== one.id &&
      (other.customer === null || one.customer === null || other.customer === one.customer),
  );
  if (isTaken) throw invalid(`An active promotion code with \`code: ${one.code}\` already exists.`, { param: "code" });
}

function updateCode(
  tx: Transaction,
  { active, metadata, minimums }: ReturnType<typeof readChange>,
  id = "",
): PromotionCode {
  const before = current(tx, demand(tx, "promotion_code", id));
  const after: PromotionCode = {
    ...before,
    active: active ?? before.active,
    metadata: mergeMetadata(before.metadata ?? {}, metadata),
    restrictions: {
      ...before.restrictions,
      ...(minimums !== undefined && { currency_options: { ...before.restrictions.currency_options, ...minimums } }),
    },
  };
  if (after.active && !before.active) {
    if (!current(tx, after).active)
      throw invalid("This promotion code can't be activated: it, or its coupon, is used up or expired.", {
        param: "active",
      });
    requireUnusedCode(tx, after);
  }
  tx.store.put("promotion_code", after);
  tx.record("promotion_code.updated", after, differences(before, after));
  return after;
}

function readQuery(form: Form) {
  return {
    page: readPage(form),
    active: form.flag("active"),
    code: form.text("code")?.toUpperCase(),
    coupon: form.text("coupon"),
    customer: form.text("customer"),
    created: form.range("created"),
  };
}

function listCodes(tx: Transaction, query: ReturnType<typeof readQuery>): object {
  const isWanted = (each: PromotionCode): boolean =>
    (query.active === undefined || each.active === query.active) &&
    (query.code === undefined || each.code.toUpperCase() === query.code) &&
    (query.coupon === undefined || couponIdOf(each) === query.coupon) &&
    (query.customer === undefined || each.customer === query.customer) &&
    query.created(each.created);
  return paginate(PATH, query.page, only(allCodes(tx), isWanted));
}

function* allCodes(tx: Transaction): Iterable<PromotionCode> {
  for (const each of tx.store.newestFirst("promotion_code")) yield current(tx, each);
}

/** As a customer types it, in any case. Newest first. */
export const codesNamed = (tx: Transaction, code: string): PromotionCode[] => [
  ...only(allCodes(tx), (each) => each.code.toUpperCase() === code.toUpperCase()),
];

export const couponIdOf = ({ promotion }: PromotionCode): string =>
  promotion.coupon === null ? "" : idOf(promotion.coupon);

/** A code that is used up or expired, or whose coupon is, isn't active. */
export function current(tx: Transaction, code: PromotionCode): PromotionCode {
  const isOver = code.expires_at !== null && code.expires_at <= tx.clock.now();
  const isUsedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions;
  const isUsable = !isOver && !isUsedUp && isValid(tx, demand(tx, "coupon", couponIdOf(code)));
  return isUsable ? code : { ...code, active: false };
}
