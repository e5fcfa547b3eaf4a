import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Sign in",
  lead: "With a passkey, or with a code that we send to your address. No password to remember, none to lose.",
  leadWithoutScript: "With a code that we send to your address. No password to remember, none to lose.",
  lastTime: {
    code: "Last time on this browser you signed in with a mailed code.",
    passkey: "Last time on this browser you signed in with a passkey.",
  },
  passkey: "Sign in with a passkey",
  asking: "Waiting for your passkey",
  or: "or",
  email: "E-mail address",
  submit: "Send me a code",
  pending: "Sending",
  signUp: "New here?",
  signUpLink: "Create an account",
  problems: {
    "email-missing": "Type your e-mail address.",
    "email-malformed": "That is not a whole e-mail address. It looks like name@example.com.",
  },
};

export const loginMessages: Messages<typeof en> = { en };
