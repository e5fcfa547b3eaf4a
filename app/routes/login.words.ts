import type { Words } from "#app/ui/language.ts";

const en = {
  title: "Sign in",
  lead: "We send a code to your address. No password to remember, none to lose.",
  lastTime: "Last time on this browser you signed in with a mailed code.",
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

export const loginWords: Words<typeof en> = { en };
