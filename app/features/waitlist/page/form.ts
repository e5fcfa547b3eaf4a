import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { emailField } from "#app/modules/accounts/rules.ts";

const word = v.optional(v.pipe(text(), v.maxLength(100, "too-long")));

export const joinForm = v.object({
  // Defaults to empty, for our own message instead of the library's.
  email: v.optional(emailField, ""),
  ref: word,
  intent: v.optional(v.literal("join", "intent-unknown")),
});

/** Signed in: the address is known and proven. */
export const joinKnownForm = v.object({ ref: word, intent: v.optional(v.literal("join", "intent-unknown")) });

/** The page behind a confirmation link, and an entry's own page. */
export const confirmForm = v.object({ intent: intentOf(["confirm", "resend"]) });
export const entryForm = v.object({ intent: intentOf(["resend", "leave", "accept", "confirm"]) });

function intentOf<const Intents extends readonly string[]>(intents: Intents) {
  return v.pipe(v.optional(text(), ""), v.picklist(intents, "intent-unknown"));
}
