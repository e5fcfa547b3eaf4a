import type { Messages } from "#app/core/messages.ts";
import {
  type CancellationReason,
  commentLengthMax,
} from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";

const en = {
  title: "Why did you cancel?",
  text: "Your answer helps us improve. It doesn't affect your cancellation.",
  legend: "Main reason",
  reasons: {
    "too-expensive": "It's too expensive",
    unused: "I don't use it enough",
    "feature-missing": "A feature is missing",
    unreliable: "It didn't work reliably",
    "other-product": "I've chosen another product",
    other: "Another reason",
  } satisfies Record<CancellationReason, string>,
  comment: "Anything else? (optional)",
  commentHint: `Up to ${commentLengthMax} characters.`,
  button: "Send answer",
  pending: "Sending",
  skip: "Skip",
};

/** Asked once a plan is cancelled or has ended. */
export const askReasonMessages: Messages<typeof en> = { en };

const problems = {
  "reason-missing": "Choose the main reason, or skip this question.",
  "comment-too-long": `Shorten your comment to ${commentLengthMax} characters.`,
  "comment-malformed": "Remove invisible characters from your comment.",
};

/** What is wrong with an answer. The browser has these; the question's texts come with the page that asks it. */
export const reasonProblemMessages: Messages<typeof problems> = { en: problems };
