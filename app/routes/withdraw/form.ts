import * as v from "valibot";
import { isEmptyOrShown, text, withoutInvisible } from "#app/core/text/text.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import { nameLengthMax, orderLengthMax, plainWords } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";

/** Who declares something about a contract. */
const nameField = v.pipe(
  v.string("name-missing"),
  v.transform(withoutInvisible),
  v.trim(),
  v.nonEmpty("name-missing"),
  v.maxLength(nameLengthMax, "name-too-long"),
  v.regex(plainWords, "name-malformed"),
  v.check(isEmptyOrShown, "name-malformed"),
);

/** Which contract it is about. */
const orderField = v.pipe(
  v.string("order-missing"),
  v.transform(withoutInvisible),
  v.trim(),
  v.nonEmpty("order-missing"),
  v.maxLength(orderLengthMax, "order-malformed"),
  v.regex(plainWords, "order-malformed"),
  v.check(isEmptyOrShown, "order-malformed"),
);

export const withdrawalForm = v.object({
  name: nameField,
  order: orderField,
  email: emailField,
  ref: v.optional(v.pipe(text(), v.maxLength(orderLengthMax, "too-long"))),
  intent: v.picklist(["declare", "confirm"], "intent-unknown"),
});
