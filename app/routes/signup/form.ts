import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { emailField } from "#app/modules/accounts/rules.ts";

const word = v.optional(v.pipe(text(), v.maxLength(100, "too-long")));
const path = v.optional(v.pipe(text(), v.maxLength(2000, "too-long")));

export const signUpForm = v.object({
  email: emailField,
  terms: v.literal("on", "terms-missing"),
  plan: word,
  interval: word,
  redirectTo: path,
  invitation: word,
  ref: word,
});
