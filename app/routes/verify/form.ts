import * as v from "valibot";
import { normaliseDigits } from "#app/core/text/digits.ts";
import { text } from "#app/core/text/text.ts";
import { passkeyAnswer } from "#app/modules/accounts/rules.ts";

export const verifyForm = v.object({
  intent: v.optional(v.picklist(["resend", "change-address", "continue-here", "passkey"], "intent-unknown")),
  passkey: passkeyAnswer,
  code: v.optional(
    v.pipe(
      v.string(),
      // Before anything is dropped: no control characters but tabs and line breaks.
      v.regex(/^(?:\s|[^\p{Cc}\p{Cs}])*$/u, "code-malformed"),
      v.transform(normaliseDigits),
      v.maxLength(100, "code-malformed"),
    ),
  ),
  /** The browser's time zone, for a new account. */
  timeZone: v.optional(text()),
  /** With `continue-here`, for a new account. */
  terms: v.optional(v.literal("on", "terms-missing")),
});
