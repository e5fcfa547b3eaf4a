import type { Words } from "#app/ui/language.ts";

const people = (count: number) => (count === 1 ? "1 person" : `${count} people`);

const en = {
  title: "Waitlist",
  join: {
    title: (what: string) => `The waitlist for ${what}`,
    lead: (what: string) => `${what} isn't open to everybody yet. Leave your address, and we write as soon as it is.`,
    byFriend: "You came by a friend's link. Once you have confirmed your address, your friend moves forward.",
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
      title: "You are in already",
      text: (product: string) => `The waitlist is for people without an account at ${product}. You have one.`,
      link: "Go to your account",
    },
    "account-leaving": {
      title: "Your account is closed",
      text: () => "Have it back first; then you can join. On its page you see until when that works.",
      link: "Go to your account",
    },
  },
  sent: {
    title: "Look into your inbox",
    lead: "We sent a mail to that address. Its link confirms your place, in any browser, within seven days; if you have a place already, it leads there.",
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
      lead: (address: string) => `${address} is confirmed already.`,
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
  place: {
    waiting: {
      title: (what: string) => `You are on the waitlist for ${what}`,
      lead: "We write as soon as it is your turn. There is nothing you have to do.",
    },
    invited: { title: (what: string) => `It is your turn for ${what}`, lead: "You waited, and now you can come in." },
    lapsed: {
      title: () => "Your invitation has run out",
      lead: "You keep your place in line, and look here in a minute to see where it is. If you have paid, this page says so as soon as the payment has arrived.",
    },
    resting: {
      title: (what: string) => `Your place for ${what} rests`,
      lead: "Two invitations went by, so we invite others first. Your place is still yours: say that you want to come in, and you stand in it again.",
    },
    wake: { button: "I still want to come in", pending: "One moment" },
    joined: { title: (what: string) => `You have ${what}`, lead: "Your place on the waitlist has done its work." },
    toAccount: "Go to your account",
    rejected: {
      title: (what: string) => `This place was taken off the waitlist for ${what}`,
      lead: "It didn't look like the place of one person. If we are wrong, write to us.",
    },
    left: {
      title: (what: string) => `You left the waitlist for ${what}`,
      lead: "We keep no place for you. You can join again, at the end.",
    },
    opened: {
      everybody: {
        title: (what: string) => `${what} is open`,
        lead: "You need not wait any longer.",
        link: "Start now",
      },
      accounts: {
        title: (what: string) => `${what} is open to everybody with an account`,
        lead: "Sign in and choose it. New accounts are by invitation at the moment; your place here is kept.",
        link: "Sign in",
      },
    },
    invitation: {
      until: "You can accept until",
      after: {
        account: ". You create your account with the address that we invited; the invitation is used up by it.",
        plan: ". You go on to the payment; the invitation is used up when it has arrived.",
      },
      button: "Accept the invitation",
      pending: "One moment",
    },
    missed:
      "An invitation of yours went by. You are in your place again, and we invite you once more. If that one goes by as well, your place rests until you say that you still want to come in.",
    ahead: "Ahead of you",
    behind: "Behind you",
    people,
    nobody: "Nobody",
    movement: {
      since: "Since you looked on",
      colon: ":",
      ahead: (count: number) =>
        count === 0
          ? "as many people are ahead of you as then."
          : count < 0
            ? `${people(-count)} fewer ${count === -1 ? "is" : "are"} ahead of you.`
            : `${people(count)} more ${count === 1 ? "is" : "are"} ahead of you: friends of theirs moved them, or an invitation went by.`,
      friends: (count: number) =>
        count === 0
          ? ""
          : count > 0
            ? `${count === 1 ? "One friend" : `${count} friends`} of yours confirmed.`
            : `${count === -1 ? "One friend" : `${-count} friends`} of yours left again, and what that gave you is gone.`,
    },
    friends: {
      title: "Friends move you forward",
      text: (places: number) =>
        `Each friend who joins by your link and confirms the address moves you ${places} places forward.`,
      count: (count: number) =>
        count === 0
          ? "No friend has so far."
          : count === 1
            ? "One friend has so far."
            : `${count} friends have so far.`,
      link: "Your link",
      copy: "Copy",
      copied: "Copied",
      share: "Share",
      shareTitle: (what: string) => `The waitlist for ${what}`,
      qr: "Your link as a QR code",
    },
    keep: "This page has no password: its address is the key. Keep it for yourself.",
    resend: "Mail me the link to this page",
    resendPending: "Sending",
    leave: {
      open: "Leave the waitlist",
      title: "Leave the waitlist?",
      text: "Your place goes to whoever is behind you. Joining again starts at the end, and friends you brought don't count any more.",
      button: "Leave the waitlist",
      pending: "Leaving",
      close: "Keep my place",
    },
    again: "Join again",
  },
  refusals: {
    "no-gate": "There is nothing to wait for any more: the doors are open.",
    "list-full": "The waitlist has become full. Your address was not added.",
    "has-account": "You have an account already, so there is nothing to wait for.",
    "account-leaving": "Your account is closed. Have it back first; then you can join.",
    "link-unknown": "This link leads nowhere. Open the newest mail, or join once more.",
    "link-expired": "This link is older than seven days and confirms nothing any more. Ask for a new one.",
    "entry-left": "This place was given up. You can join again, at the end.",
    "place-is-over": "This place is not on the waitlist any more.",
    "not-invited": "There is no invitation for this place at the moment. We write when it is your turn.",
    "invitation-over": "This invitation has run out. You keep your place, and we write when it is your turn again.",
    "invitation-used": "This invitation has done its work already: you are in.",
    "invitation-elsewhere":
      "This invitation is for another address than the one of the account that is signed in here. Sign out first, and press the button again.",
  },
  problems: {
    "email-missing": "Type your e-mail address.",
    "email-malformed": "That is not a whole e-mail address. It looks like name@example.com.",
    "intent-unknown": "This button does not exist any more. Load the page again.",
    "too-long": "This field holds more than it can. Load the page again.",
  },
};

export type WaitlistTexts = typeof en;
export const waitlistWords: Words<WaitlistTexts> = { en };
