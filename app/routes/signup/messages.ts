import { href } from "react-router";
import type { Messages } from "#app/core/messages.ts";

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
  signIn: "Already have an account?",
  signInLink: "Sign in",
  referral: { legend: "Invited by a friend", keep: (amount: string) => `Get ${amount} back after my first payment` },
  byInvitation: {
    shut: {
      title: "By invitation, for now",
      text: "We let people in a few at a time. Join the waitlist and we write as soon as there is room.",
      link: "Join the waitlist",
      to: href("/waitlist"),
    },
    full: {
      title: "By invitation, for now",
      text: "We let people in a few at a time, and so many are waiting that the waitlist takes no more addresses at the moment.",
      link: "See what there is",
      to: href("/"),
    },
    over: {
      title: "Your invitation has run out",
      text: "You keep your place in line, and we invite you again when it is your turn. Your own page says how things stand.",
      link: "See my place",
      to: href("/waitlist"),
    },
    waiting: {
      title: "It is not your turn yet",
      text: "There is no invitation for this place at the moment. Your own page says how things stand.",
      link: "See my place",
      to: href("/waitlist"),
    },
    used: {
      title: "This invitation has done its work",
      text: "It opened an account, and an invitation opens one. Sign in to it with the address that we invited.",
      link: "Sign in",
      to: href("/login"),
    },
    unknown: {
      title: "This invitation leads nowhere",
      text: "Its link may be cut off in the mail. Open our newest mail, or ask for the link to your place on the waitlist.",
      link: "To the waitlist",
      to: href("/waitlist"),
    },
    invited: "Were you invited? Open the link in that mail. If you have an account, sign in as usual.",
    refusals: {
      "by-invitation": "New accounts are by invitation, so no code was sent.",
      "invitation-over": "This invitation has run out, so it opens no account.",
      "invitation-used": "This invitation has already opened an account.",
      "invitation-elsewhere":
        "This invitation is for another address. Type the one that we sent it to; once you are in, you can change it.",
    },
  },
  invitedFor: {
    title: (plan: string | null) => (plan ? `You're invited to ${plan}` : "You're invited"),
    address: (address: string) => `Use ${address}, the address we invited. The invitation is valid until`,
    alone: ". It's for that address alone; once you're in, you can change it.",
  },
  planByInvitation: (plan: string) =>
    `${plan} is open to invited people only, for now. If we invited you, sign up with the address that we wrote to.`,
  otherwise: {
    open: (plan: string) => ({ before: "Otherwise ", link: `join the waitlist for ${plan}`, after: "." }),
    full: "The waitlist takes no more addresses at the moment.",
  },
  problems: {
    "email-missing": "Type your e-mail address.",
    "email-malformed": "That is not a whole e-mail address. It looks like name@example.com.",
    "terms-missing": "Agree to the terms to go on.",
  },
};

export const signupMessages: Messages<typeof en> = { en };
