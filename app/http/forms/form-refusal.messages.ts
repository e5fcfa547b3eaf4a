import type { Messages } from "#app/core/messages.ts";

/** Refusals shared by several pages: invalid form data and used-up quotas. */
const en = {
  summary: "There's a problem",
  /** In the summary, where a page names the field of a problem. */
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
  /** The domain of an address looks mistyped. */
  "domain-mistyped": {
    title: (meant: string) => `Did you mean ${meant}?`,
    text: (typed: string, button: string) => `You entered ${typed}. If that's right, choose “${button}” again.`,
    use: (meant: string) => `Use ${meant}`,
    pending: "Sending",
  },
  "malformed-form": "The form didn't arrive in full. Send it again.",
  "duplicated-field": "The form contained the same field twice. Send it again.",
  "form-too-large": "That's more than this form accepts. Shorten it and send it again.",
  "form-too-slow": "The form took too long to arrive, so nothing was saved. Send it again.",
  "too-soon": (wait: string) => `We've just emailed this address. You can ask for another email in ${wait}.`,
  "too-many-mails": (wait: string) =>
    `We've reached the hourly limit of emails to this address. You can ask for another in ${wait}.`,
  "too-many-from-network": (wait: string) => `Too many requests have come from your network. Try again in ${wait}.`,
  "too-many-from-site": (wait: string) =>
    `We've reached our hourly limit for emails. Try again in ${wait}. Passkeys and browsers you've signed in with before aren't affected.`,
  "too-many-tries": (wait: string) =>
    `Ten wrong codes were entered for this address within an hour. You can ask for a new one in ${wait}. Passkeys aren't affected.`,
  paused: (wait: string) =>
    `Too many wrong codes were entered for this address. You can ask for a new one in ${wait}. Browsers you've signed in with before aren't affected.`,
  wait: (seconds: number) =>
    seconds < 90
      ? `${seconds} ${seconds === 1 ? "second" : "seconds"}`
      : seconds < 5400
        ? `${Math.ceil(seconds / 60)} minutes`
        : `${Math.ceil(seconds / 3600)} hours`,
};

export type RefusalTexts = typeof en;
export const refusalMessages: Messages<RefusalTexts> = { en };
