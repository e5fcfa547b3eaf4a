import { numberFormat } from "#app/core/text/formats.ts";
import type { Messages } from "#app/core/messages.ts";

const people = (count: number, locale: string) =>
  count === 1 ? "1 person" : `${numberFormat(locale).format(count)} people`;

const en = {
  waiting: {
    title: (what: string) => `You are on the waitlist for ${what}`,
    lead: "We write as soon as it is your turn. There is nothing you have to do.",
  },
  invited: { title: (what: string) => `It is your turn for ${what}`, lead: "You waited, and now you can come in." },
  lapsed: {
    title: () => "Your invitation has run out",
    lead: "You keep your place in line, and look here in a minute to see where it is.",
  },
  paid: "If you have paid, this page says so as soon as the payment has arrived.",
  resting: {
    title: (what: string) => `Your place for ${what} rests`,
    lead: "Two invitations went by, so we invite others first. Your place is still yours: say that you want to come in, and you stand in it again.",
  },
  wake: { button: "I still want to come in", pending: "One moment" },
  joined: { title: (what: string) => `You have ${what}`, lead: "Your place on the waitlist has done its work." },
  toAccount: "Go to your account",
  ended: {
    title: (what: string) => `You had ${what}`,
    lead: "It has ended, and your place on the waitlist did its work before. You can join again, at the end; friends whom you brought still count.",
  },
  rejoin: { button: "Join again", pending: "One moment" },
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
  review:
    "We're checking this place before we invite you, because others have joined from the same network or mailbox. It keeps its position until then, and you don't have to do anything.",
  missed:
    "An invitation of yours went by. You are in your place again, and we invite you once more. If that one goes by as well, your place rests until you say that you still want to come in.",
  ahead: "Ahead of you",
  behind: "Behind you",
  people,
  nobody: "Nobody",
  movement: {
    since: "Since you looked on",
    colon: ":",
    ahead: (count: number, locale: string) =>
      count === 0
        ? "as many people are ahead of you as then."
        : count < 0
          ? `${people(-count, locale)} fewer ${count === -1 ? "is" : "are"} ahead of you.`
          : `${people(count, locale)} more ${count === 1 ? "is" : "are"} ahead of you: friends of theirs moved them, or an invitation went by.`,
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
      `Each friend who joins through your link and confirms the address moves you ${places} places forward, past all but those who brought friends, too.`,
    count: (count: number) =>
      count === 0 ? "No friend has so far." : count === 1 ? "One friend has so far." : `${count} friends have so far.`,
    link: "Your link",
    copy: "Copy",
    copied: "Copied",
    share: "Share",
    shareTitle: (what: string) => `The waitlist for ${what}`,
    qr: "Your link as a QR code",
  },
  keep: "This page has no password: its address is the key. Keep it to yourself.",
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
};

export const waitlistPlaceMessages: Messages<typeof en> = { en };
