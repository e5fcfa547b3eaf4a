import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { emailField, nameLengthMax, passkeyAnswer } from "#app/modules/accounts/rules.ts";

/** Email address, passkeys and sessions. */
export const securityForm = v.variant(
  "intent",
  [
    v.object({ intent: v.literal("change-email"), email: emailField }),
    v.object({ intent: v.literal("end-session"), session: v.pipe(text(), v.maxLength(100, "too-long")) }),
    v.object({ intent: v.literal("end-other-sessions") }),
    v.object({
      intent: v.literal("add-passkey"),
      name: v.optional(v.pipe(text(), v.maxLength(nameLengthMax, "name-too-long")), ""),
      passkey: passkeyAnswer,
    }),
    v.object({ intent: v.literal("remove-passkey"), passkey: v.pipe(text(), v.maxLength(100, "too-long")) }),
    /** The offer on the overview, in this browser. */
    v.object({ intent: v.literal("decline-passkey") }),
  ],
  "intent-unknown",
);
