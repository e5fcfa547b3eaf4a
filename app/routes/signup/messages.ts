import { href } from "react-router";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Create an account",
  lead: "Enter your email and we'll send you a code. You don't need a password.",
  leadWithPlan: (plan: string, price: string) =>
    `You're signing up for ${plan}, ${price}. You'll pay after confirming your email address.`,
  perInterval: { month: "per month", year: "per year" },
  email: "Email address",
  emailHint: "We use it to sign you in and to email you about your account.",
  submit: "Send me a code",
  pending: "Sending",
  signIn: "Already have an account?",
  signInLink: "Sign in",
  referral: {
    newCustomers: "New customers only. Your friend will see your initial, the month you join, and whether you've paid.",
    keep: (amount: string) => `Get ${amount} back after my first payment`,
    /** Used where only the friend gets something. */
    tell: "Tell my friend that I signed up",
    fromFriend: "Invited by a friend",
  },
  byInvitation: {
    used: {
      title: "This invitation has already been used",
      text: "It was used to create an account. Sign in with the email address we invited.",
      link: "Sign in",
      to: href("/login"),
    },
    invited: "Were you invited? Open the link in your invitation email. Already have an account? Sign in as usual.",
    refusals: {
      "by-invitation": "New accounts are by invitation only, so we didn't send a code.",
      "invitation-over": "This invitation has expired, so you can't create an account with it.",
      "invitation-used": "This invitation has already been used to create an account.",
      "invitation-elsewhere":
        "This invitation is for another address. Enter the one we sent it to. You can change it once you've signed up.",
    },
  },
  invitedFor: {
    title: (plan: string | null) => (plan ? `You're invited to ${plan}` : "You're invited"),
    address: (address: string) => `Use ${address}, the address we invited.`,
    until: "The invitation is valid until",
    alone: "You can change your address once you've signed up.",
  },
  planByInvitation: (plan: string) =>
    `${plan} is by invitation only for now. If we invited you, sign up with the email address we invited.`,
};

export const signupMessages: Messages<typeof en> = { en };

/** For the form that creates an account, including where it continues in another browser. */
const signUpFieldsTexts = {
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

export const signUpFieldsMessages: Messages<typeof signUpFieldsTexts> = { en: signUpFieldsTexts };
