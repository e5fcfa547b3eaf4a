import type { Messages } from "#app/core/messages.ts";

/** Refusals shared by several pages: invalid form data and used-up quotas. */
const en = {
  summary: "Please look at this again",
  unreadable: "This field could not be read.",
  /** For hidden fields, which no user types. */
  anywhere: {
    "intent-unknown": "This button does not exist any more. Load the page again.",
    "intent-missing": "This was sent without one of the page's buttons. Load the page again.",
    "too-long": "Something that this page brings along is too long. Load the page again.",
    "control-characters": "This contains characters that don't print, such as line breaks. Type it without them.",
    "switch-unknown": "A switch is either on or off. Load the page again.",
    "theme-unknown": "Choose light, dark, or as on this device.",
  } as Record<string, string>,
  "malformed-form": "The form arrived damaged. Please send it again.",
  "duplicated-field": "The form arrived with a field twice. Please send it again.",
  "form-too-large": "That is more than this form takes.",
  "form-too-slow": "The form took too long to arrive, so nothing happened. Please send it again.",
  "too-soon": (wait: string) =>
    `The last mail to this address is less than half a minute old. You can ask for another in ${wait}.`,
  "too-many-mails": (wait: string) =>
    `This address has had as many mails as we send in an hour. You can ask again in ${wait}.`,
  "too-many-from-network": (wait: string) =>
    `More requests are coming from your network than we take. Try again in ${wait}.`,
  "too-many-from-site": (wait: string) =>
    `We've sent as many emails as we send in an hour. Try again in ${wait}. Passkeys and browsers that signed in before aren't affected.`,
  "too-many-tries": (wait: string) =>
    `Ten wrong codes were typed for this address within an hour. You can ask for another in ${wait}. Passkeys are not affected.`,
  paused: (wait: string) =>
    `There were too many wrong codes for this address. We send the next one in ${wait}. Browsers that signed in before are not affected.`,
  wait: (seconds: number) =>
    seconds < 90
      ? `${seconds} ${seconds === 1 ? "second" : "seconds"}`
      : seconds < 5400
        ? `${Math.ceil(seconds / 60)} minutes`
        : `${Math.ceil(seconds / 3600)} hours`,
};

export type RefusalTexts = typeof en;
export const refusalMessages: Messages<RefusalTexts> = { en };
