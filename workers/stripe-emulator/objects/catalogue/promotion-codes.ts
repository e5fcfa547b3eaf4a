import type { Form } from "../../http/form.ts";
import { invalid, missingReference } from "../../http/stripe-errors.ts";

/** A discount by its coupon. There are no promotion codes here, so any that is named doesn't exist. */
export function readCouponId(form: Form): string {
  const code = form.text("promotion_code");
  if (code !== undefined) throw missingReference("promotion code", code, form.pathTo("promotion_code"));
  return form.requiredText("coupon");
}

/** The checkout page has no field for codes: a session that requires one is refused. */
export function readAllowPromotionCodes(form: Form): boolean | null {
  const isAllowed = form.flag("allow_promotion_codes") ?? null;
  if (isAllowed)
    throw invalid("Promotion codes are not emulated: `allow_promotion_codes` must be false.", {
      param: form.pathTo("allow_promotion_codes"),
    });
  return isAllowed;
}
