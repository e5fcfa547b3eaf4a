import type { Messages } from "#app/core/messages.ts";

/** What the core's pages say while something is open by invitation only. */
const en = {
  name: "the waitlist",
  footer: "Waitlist",
  landing: {
    join: "Join the waitlist",
    joinNote: "New accounts are by invitation for now. We'll email you when it's your turn.",
    full: "See the waitlist",
    fullNote: "New accounts are by invitation, and the waitlist is full at the moment.",
    plan: {
      join: (plan: string) => `Join the waitlist for ${plan}`,
      chip: "Waitlist",
      full: "By invitation only. The waitlist is full at the moment.",
    },
  },
  signUp: {
    shut: {
      title: "By invitation only for now",
      text: "We're letting people in gradually. Join the waitlist and we'll email you when it's your turn.",
      link: "Join the waitlist",
    },
    full: {
      title: "By invitation only for now",
      text: "We're letting people in gradually, and the waitlist is full at the moment.",
      link: "Go to the home page",
    },
    over: {
      title: "Your invitation has expired",
      text: "You keep your place on the waitlist, and we'll invite you again when it's your turn.",
      link: "See my place",
    },
    waiting: {
      title: "It's not your turn yet",
      text: "We'll invite you when it is. Your waitlist page shows your place.",
      link: "See my place",
    },
    unknown: {
      title: "We don't recognise this invitation",
      text: "The link may be incomplete. Open it again from our latest email, or ask for a link to your place on the waitlist.",
      link: "Go to the waitlist",
    },
    plan: {
      join: (plan: string) => ({ before: "Otherwise ", link: `join the waitlist for ${plan}`, after: "." }),
      full: "The waitlist is full at the moment.",
    },
  },
  plans: {
    join: "Join the waitlist",
    own: "See your place",
    chip: "Waitlist",
    ownChip: "You're on the waitlist",
    full: "By invitation only. The waitlist is full at the moment.",
  },
  overview: { label: "Waitlist", waits: (what: string) => `See your place for ${what}` },
};

export const waitlistGateMessages: Messages<typeof en> = { en };
