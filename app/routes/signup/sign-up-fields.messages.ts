import type { Messages } from "#app/core/messages.ts";

/** For the form that creates an account, including where it continues in another browser. */
const en = {
  terms: {
    before: "I agree to the ",
    link: "terms",
    middle: " and have read the ",
    privacy: "privacy notice",
    after: ".",
  },
  problems: {
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
    "terms-missing": "Agree to the terms to continue.",
  },
};

export const signUpFieldsMessages: Messages<typeof en> = { en };
