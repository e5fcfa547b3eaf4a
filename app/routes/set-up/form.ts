import * as v from "valibot";
import { text } from "#app/core/text/text.ts";

/** On the set-up page: the token, or that its steps are hidden again. */
export const operatorTokenForm = v.variant(
  "intent",
  [
    v.object({ intent: v.literal("hide") }),
    v.object({
      intent: v.optional(v.undefined()),
      token: v.pipe(
        text({ missing: "token-missing", malformed: "token-refused" }),
        v.minLength(1, "token-missing"),
        v.maxLength(200, "token-refused"),
      ),
    }),
  ],
  "intent-unknown",
);
