import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { emailField, passkeyAnswer } from "#app/modules/accounts/rules.ts";

const path = v.optional(v.pipe(text(), v.maxLength(2000, "too-long")));

/** Sign-in with an address, or by `intent` with a passkey. */
export const logInForm = v.variant(
  "intent",
  [
    v.object({ intent: v.literal("passkey"), passkey: passkeyAnswer, redirectTo: path }),
    v.object({ intent: v.optional(v.undefined()), email: emailField, redirectTo: path }),
  ],
  "intent-unknown",
);
