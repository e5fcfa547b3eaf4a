import type { Words } from "#app/ui/language.ts";

const en = {
  title: "Create an account",
  lead: "One address is all we need. We send a code to it, and you are in.",
  leadWithPlan: (plan: string, price: string) => `You chose ${plan}, ${price}. First your address, then the payment.`,
  perInterval: { month: "a month", year: "a year" },
  email: "E-mail address",
  emailHint: "We send a code there, nothing else.",
  terms: {
    before: "I agree to the ",
    link: "terms",
    middle: " and have read the ",
    privacy: "privacy notice",
    after: ".",
  },
  submit: "Send me a code",
  pending: "Sending",
  signIn: "Have an account already?",
  signInLink: "Sign in",
  referral: { legend: "Invited by a friend", keep: (amount: string) => `Take ${amount} off my first payment` },
  byInvitation: {
    title: "By invitation, for now",
    text: "We let people in a few at a time. Join the waitlist and we write as soon as there is room.",
    link: "Join the waitlist",
  },
  problems: {
    "email-missing": "Type your e-mail address.",
    "email-malformed": "That is not a whole e-mail address. It looks like name@example.com.",
    "terms-missing": "Agree to the terms to go on.",
  },
};

export const signupWords: Words<typeof en> = { en };
