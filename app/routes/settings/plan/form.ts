import * as v from "valibot";
import { printable, text, withoutInvisible } from "#app/core/text/text.ts";
import { commentLengthMax, reasonsToCancel } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { subscriptionActions } from "#app/modules/billing/subscriptions/rules.ts";

/**
 * A text of several lines. A line break is stored as one character, as the browser counts it, and control characters are refused.
 */
const commentField = v.pipe(
  v.optional(v.string(), ""),
  v.transform((typed) => withoutInvisible(typed).replaceAll(/\r\n?/g, "\n").trim()),
  v.check((typed) => typed.split("\n").every((line) => printable.test(line)), "comment-malformed"),
  v.maxLength(commentLengthMax, "comment-too-long"),
);

const reasonForm = v.object({
  intent: v.literal("give-reason"),
  reason: v.picklist(reasonsToCancel, "reason-missing"),
  comment: commentField,
});
/** Every form of the plan page. */

export const planForm = v.variant(
  "intent",
  [
    v.object({
      intent: v.picklist(subscriptionActions),
      /** The order to `retry`. If absent, the oldest due one. */
      order: v.optional(v.pipe(text(), v.maxLength(100, "too-long"))),
    }),
    reasonForm,
  ],
  "intent-unknown",
);
