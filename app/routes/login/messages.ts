import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Sign in",
  lead: "Use a passkey, or we'll email you a code.",
  leadWithoutScript: "We'll email you a code. No password needed.",
  toContinue: "Sign in to continue.",
  toContinueTo: (page: string) => `Sign in to continue to “${page}”.`,
  lastTime: {
    code: "You last signed in here with an email code.",
    passkey: "You last signed in here with a passkey.",
  },
  passkey: "Sign in with a passkey",
  asking: "Waiting for your passkey",
  or: "or",
  email: "Email address",
  submit: "Send me a code",
  pending: "Sending",
  signUp: "New here?",
  signUpLink: "Create an account",
  problems: {
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
  },
};

export const loginMessages: Messages<typeof en> = { en };
