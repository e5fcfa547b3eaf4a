import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Waitlist",
  join: {
    title: (what: string) => `The waitlist for ${what}`,
    lead: (what: string) => `${what} isn't open to everybody yet. Leave your address, and we write as soon as it is.`,
    byFriend: "You came through a friend's link. Once you have confirmed your address, your friend moves forward.",
    email: "E-mail address",
    emailHint: "We send a link to confirm it, and word of your place. Nothing else.",
    submit: "Join the waitlist",
    pending: "Joining",
    known: (address: string) =>
      `You are signed in, so your address is proven: ${address}. One click, and you have a place.`,
  },
  shut: {
    "no-gate": {
      title: "There is nothing to wait for",
      text: (product: string) => `${product} is open to everybody. You can start right away.`,
      link: "Create an account",
    },
    "list-full": {
      title: "The waitlist is full",
      text: (what: string) =>
        `So many people are waiting for ${what} that we take no more addresses at the moment. Whoever has a place keeps it.`,
      link: "See what is open",
    },
    "has-account": {
      title: "You are already in",
      text: (product: string) => `The waitlist is for people without an account at ${product}. You have one.`,
      link: "Go to your account",
    },
    "account-leaving": {
      title: "Your account is closed",
      text: () => "Restore it first; then you can join. Its page says until when you can.",
      link: "Go to your account",
    },
  },
  sent: {
    title: "Check your inbox",
    lead: "We sent a mail to that address. Its link confirms your place, in any browser, within seven days; if you already have a place, it leads there.",
    hint: (sender: string) =>
      `It comes from ${sender}. Look in the spam folder, too. When our mail is slow, it comes later by itself. An address gets at most five of these mails in an hour; if you asked more often, the newest one counts.`,
    again: "Type the address again",
  },
  confirm: {
    open: {
      title: (what: string) => `Your place on the waitlist for ${what}`,
      lead: (address: string) => `Somebody, probably you, asked for a place with ${address}. Confirm that you want it.`,
      button: "Confirm my place",
    },
    confirmed: {
      title: (what: string) => `Your place on the waitlist for ${what}`,
      lead: (address: string) => `${address} is already confirmed.`,
      button: "See my place",
    },
    expired: {
      title: () => "This link is older than seven days",
      lead: (address: string) => `It confirms nothing any more. We can send a new one to ${address}.`,
      button: "Send a new link",
    },
    left: {
      title: () => "This place was given up",
      lead: (address: string) => `${address} left the waitlist. You can join again, at the end.`,
      button: "Join again",
    },
    pending: "One moment",
  },
  unknown: {
    title: "This link leads nowhere",
    lead: "It may be cut off in the mail, or a newer one has taken its place. Open the newest mail, or type your address once more.",
    link: "To the waitlist",
  },
  refusals: {
    "no-gate": "There is nothing to wait for any more: it is open to everybody.",
    "list-full": "The waitlist has become full. Your address was not added.",
    "has-account": "You already have an account, so there is nothing to wait for.",
    "account-leaving": "Your account is closed. Restore it first; then you can join.",
    "link-unknown": "This link leads nowhere. Open the newest mail, or join once more.",
    "link-expired": "This link is older than seven days and confirms nothing any more. Ask for a new one.",
    "entry-left": "This place was given up. You can join again, at the end.",
    "place-is-over": "This place is not on the waitlist any more.",
    "not-invited": "There is no invitation for this place at the moment. We write when it is your turn.",
    "invitation-over": "This invitation has run out. You keep your place, and we write when it is your turn again.",
    "invitation-used": "This invitation has already done its work: you are in.",
    "invitation-elsewhere":
      "This invitation is for another address than the one of the account that is signed in here. Sign out first, and press the button again.",
  },
  problems: {
    "email-missing": "Type your e-mail address.",
    "email-malformed": "That is not a whole e-mail address. It looks like name@example.com.",
  },
};

export type WaitlistTexts = typeof en;
export const waitlistMessages: Messages<WaitlistTexts> = { en };
