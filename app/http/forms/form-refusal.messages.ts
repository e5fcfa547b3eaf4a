import type { Messages } from "#app/core/messages.ts";

/** Refusals shared by several pages: invalid form data, and how long to wait. Used-up quotas: quota-refusal.messages.ts. */
const en = {
  summary: "There's a problem",
  /** How the summary says which field a problem is in, on a page that has names for its fields. */
  ofField: (label: string, problem: string) => `${label}: ${problem}`,
  unreadable: "We couldn't read this field. Enter it again.",
  /** For hidden fields, which no user types. */
  anywhere: {
    "intent-unknown": "This button no longer exists. Reload the page and try again.",
    "intent-missing": "The form was sent without a button. Reload the page and try again.",
    "too-long": "Part of this form is too long. Reload the page and try again.",
    "control-characters": "Remove line breaks and invisible characters.",
    "switch-unknown": "A switch must be on or off. Reload the page and try again.",
    "theme-unknown": "Choose System, Light or Dark.",
  } as Record<string, string>,
  "malformed-form": "The form didn't arrive in full. Send it again.",
  "duplicated-field": "The form contained the same field twice. Send it again.",
  "form-too-large": "That's more than this form accepts. Shorten it and send it again.",
  "form-too-slow": "The form took too long to arrive, so nothing was saved. Send it again.",
  wait: (seconds: number) =>
    seconds < 90
      ? `${seconds} ${seconds === 1 ? "second" : "seconds"}`
      : seconds < 5400
        ? `${Math.ceil(seconds / 60)} minutes`
        : `${Math.ceil(seconds / 3600)} hours`,
};

export type RefusalTexts = typeof en;
export const refusalMessages: Messages<RefusalTexts> = { en };
