import { missesMax } from "../invitations.rules.ts";
import { numberFormat } from "#app/core/text/formats.ts";
import type { Messages } from "#app/core/messages.ts";

const people = (count: number, locale: string) =>
  count === 1 ? "1 person" : `${numberFormat(locale).format(count)} people`;

const en = {
  waiting: {
    title: (what: string) => `You're on the waitlist for ${what}`,
    lead: "We'll email you when it's your turn. There's nothing you need to do.",
  },
  invited: { title: (what: string) => `It's your turn for ${what}`, lead: "Thanks for waiting. You can join now." },
  lapsed: {
    title: () => "Your invitation has expired",
    lead: "You keep your place. Check back here in a minute to see where it is.",
  },
  paid: "If you've paid, this page will show it as soon as your payment arrives.",
  resting: {
    title: (what: string) => `Your place for ${what} is on hold`,
    lead: `${missesMax} invitations expired, so we're inviting others first. You keep your place: tell us you still want to join, and we'll invite you again.`,
  },
  wake: { button: "I still want to join", pending: "One moment" },
  joined: { title: (what: string) => `You have ${what}`, lead: "Your place on the waitlist has been used." },
  toAccount: "Go to your account",
  ended: {
    title: (what: string) => `You had ${what}`,
    lead: "It has ended, and your place on the waitlist was used for it. If you join again, you start at the end; friends you brought still count.",
  },
  rejoin: { button: "Join again", pending: "One moment" },
  rejected: {
    title: (what: string) => `This place was removed from the waitlist for ${what}`,
    lead: "It looked like one of several places held by the same person. If we're wrong, contact us.",
  },
  left: {
    title: (what: string) => `You've left the waitlist for ${what}`,
    lead: "You no longer have a place. If you join again, you start at the end.",
  },
  opened: {
    everybody: {
      title: (what: string) => `${what} is open`,
      lead: "You don't have to wait.",
      link: "Start now",
    },
    accounts: {
      title: (what: string) => `${what} is open to everyone with an account`,
      lead: "Sign in and choose it. New accounts are by invitation only at the moment; you keep your place here.",
      link: "Sign in",
    },
  },
  invitation: {
    until: "You can accept until",
    after: {
      account: ". You'll create your account with the address we invited, which uses the invitation.",
      plan: ". Next, you'll pay; the invitation is used once your payment arrives.",
    },
    button: "Accept invitation",
    pending: "One moment",
  },
  review:
    "We're checking this place before we invite you, because others have joined from the same network or mailbox. It keeps its position until then. You don't have to do anything.",
  missed:
    "Your last invitation expired. You have your place back, and we'll invite you once more. If that invitation expires too, your place is on hold until you tell us you still want to join.",
  returned: {
    bounced: {
      title: "Our email to you came back",
      text: "You keep your place, but we won't invite you until your mailbox works. Once it does, have the link to this page emailed to you below: if that email arrives, we'll invite you when it's your turn.",
    },
    complained: {
      title: "We've stopped emailing you",
      text: "Your email provider told us that one of our emails was marked as spam. You keep your place, but we won't invite you unless you tell us that you still want to join.",
    },
    unsubscribed: {
      title: "You've unsubscribed from emails about the waitlist",
      text: "You keep your place, but we won't invite you unless you tell us that you still want to join.",
    },
  },
  yourPlace: "Your place in the queue",
  place: (place: number, locale: string) => `#${numberFormat(locale).format(place)}`,
  aheadAndBehind: ({ ahead, behind }: { ahead: number; behind: number }, locale: string) => {
    if (ahead === 0) {
      return behind === 0
        ? "You're first in the queue."
        : `You're first in the queue, with ${people(behind, locale)} behind you.`;
    }
    const before = `${people(ahead, locale)} ${ahead === 1 ? "is" : "are"} ahead of you`;
    return behind === 0 ? `${before}.` : `${before}, ${numberFormat(locale).format(behind)} behind.`;
  },
  movement: {
    since: "Since your visit on",
    colon: ":",
    ahead: (count: number, locale: string) =>
      count === 0
        ? "the number of people ahead of you is the same."
        : count < 0
          ? `${count === -1 ? "1 fewer person is" : `${numberFormat(locale).format(-count)} fewer people are`} ahead of you.`
          : `${count === 1 ? "1 more person is" : `${numberFormat(locale).format(count)} more people are`} ahead of you, because they brought friends or an invitation expired.`,
    friends: (count: number) =>
      count === 0
        ? ""
        : count > 0
          ? `${count === 1 ? "One friend" : `${count} friends`} confirmed.`
          : `${count === -1 ? "One friend" : `${-count} friends`} left, so you lost the places you gained.`,
  },
  friends: {
    title: "Move up the waitlist",
    text: (places: number) =>
      `You move up ${places === 1 ? "1 place" : `by up to ${places} places`} for each friend who joins with your link and confirms their address.`,
    count: (count: number) =>
      count === 0
        ? "No one has joined with it yet."
        : count === 1
          ? "1 friend has joined so far."
          : `${count} friends have joined so far.`,
    link: "Link for friends",
    copy: "Copy",
    copied: "Copied",
    share: "Share",
    shareTitle: (what: string) => `Waitlist for ${what}`,
    qr: "Your link as a QR code",
  },
  keep: "Anyone with the link to this page can manage your place, so keep it private.",
  resend: "Email me the link to this page",
  resendPending: "Sending",
  leave: {
    open: "Leave the waitlist",
    title: "Leave the waitlist?",
    text: "The person behind you takes your place. If you join again, you start at the end, and friends you brought no longer count.",
    button: "Leave the waitlist",
    pending: "Leaving",
    close: "Keep my place",
  },
  again: "Join again",
};

export const waitlistEntryMessages: Messages<typeof en> = { en };
