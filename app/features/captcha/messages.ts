import type { Messages } from "#app/core/messages.ts";

/** For a form that asks for a captcha. The server chooses the text, so that pages don't load what they rarely say. */
const en = {
  why: {
    missing: "There were many requests like this one in the last hour, so we're checking who sends them.",
    refused: "The check failed or has expired, so we didn't send an email.",
    unavailable: "We couldn't get the result of the check, so we didn't send an email.",
  },
  label: "Check that you're a person",
  hint: "Complete it, then send the form again. The privacy notice says what it sends to whom.",
  broken: (wait: string) => `The check doesn't load in this browser. Reload the page, or ask again in ${wait}.`,
};

export const captchaMessages: Messages<typeof en> = { en };
