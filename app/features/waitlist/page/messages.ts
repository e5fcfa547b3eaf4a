import { formatSpan } from "#app/core/time/time.ts";
import { sendGapMs } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { confirmLifeMs } from "../rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Waitlist",
  /** Alternative text of its social picture. */
  picture: (product: string) => `The waitlist page of ${product}`,
  join: {
    title: (what: string) => `Waitlist for ${what}`,
    lead: (what: string) =>
      `${what} opens a few places at a time. Enter your email address and we'll tell you when it's your turn.`,
    byFriend: "You followed a friend's link. Once you've confirmed your address, your friend moves up the list.",
    email: "Email address",
    emailHint: "We'll only use it to confirm your address and tell you about your place.",
    submit: "Join the waitlist",
    pending: "Joining",
    plans: "Compare plans and prices",
    known: (address: string) => `You'll join as ${address}, the address of your account.`,
  },
  shut: {
    "no-gate": {
      title: "There's no waitlist",
      text: (product: string) => `${product} is open to everyone. You can start now.`,
      link: "Create an account",
    },
    "list-full": {
      title: "The waitlist is full",
      text: (what: string) =>
        `So many people are waiting for ${what} that we can't add more right now. If you already have a place, you keep it.`,
      link: "See plans",
    },
    "has-account": {
      title: "You already have an account",
      text: (product: string) => `The waitlist is for people without a ${product} account.`,
      link: "Go to your account",
    },
    "account-closed": {
      title: "Your account is closed",
      text: () => "Restore it first, then you can join. Your account page shows how long you can do that.",
      link: "Go to your account",
    },
  },
  sent: {
    title: "Check your inbox",
    /** `address` is null unless this browser has just entered it. */
    lead: (address: string | null) =>
      `We've emailed a link to ${address ?? "you"}. Open it within ${formatSpan(confirmLifeMs)}, in any browser, to confirm your place. If you already have a place, the link takes you there.`,
    hint: (sender: string) =>
      `The email comes from ${sender}. If it isn't there after a few minutes, check your spam folder. If you asked more than once, use the newest email; we don't send two within ${formatSpan(sendGapMs)}.`,
    again: "Use another address",
  },
  confirm: {
    open: {
      title: (what: string) => `Your place on the waitlist for ${what}`,
      lead: (address: string) => `Someone asked to join with ${address}. If that was you, confirm your place.`,
      button: "Confirm my place",
    },
    confirmed: {
      title: (what: string) => `Your place on the waitlist for ${what}`,
      lead: (address: string) => `${address} is already confirmed.`,
      button: "See my place",
    },
    expired: {
      title: () => "This link has expired",
      lead: (address: string) => `It was valid for ${formatSpan(confirmLifeMs)}. We can send a new one to ${address}.`,
      button: "Send a new link",
    },
    left: {
      title: () => "You left the waitlist",
      lead: (address: string) => `${address} is no longer on the waitlist. If you join again, you start at the end.`,
      button: "Join again",
    },
    pending: "One moment",
  },
  unknown: {
    title: "We don't recognise this link",
    lead: "It may be incomplete, or a newer link has replaced it. Open the link in our latest email, or enter your address again.",
    link: "Go to the waitlist",
  },
  refusals: {
    "no-gate": "There's no waitlist now: it's open to everyone.",
    "list-full": "The waitlist is now full, so your address wasn't added.",
    "has-account": "You already have an account, so you don't need a place on the waitlist.",
    "account-closed": "Your account is closed. Restore it first, then you can join.",
    "link-unknown": "We don't recognise this link. Open the link in our latest email, or join again.",
    "link-expired": "This link has expired. Ask for a new one.",
    "entry-left": "You left the waitlist. If you join again, you start at the end.",
    "place-is-over": "This place is no longer on the waitlist.",
    "not-invited": "It's not your turn yet. We'll email you when it is.",
    "invitation-over":
      "This invitation has expired. You keep your place, and we'll email you when it's your turn again.",
    "invitation-used": "This invitation has already been used. You have access.",
    "invitation-elsewhere":
      "This invitation is for a different address from the account you're signed in to. Sign out, then accept it again.",
  },
  problems: {
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
  },
};

export const waitlistMessages: Messages<typeof en> = { en };
