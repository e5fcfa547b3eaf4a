import type { Messages } from "#app/core/messages.ts";

const en = {
  skip: "Skip to the content",
  signIn: "Sign in",
  signUp: "Create an account",
  account: "Your account",
  signOut: "Sign out",
  loading: "Loading",
  footer: {
    product: "Product",
    plans: "Plans",
    questions: "Questions",
    waitlist: "Waitlist",
    account: "Account",
    legal: "Legal",
    terms: "Terms",
    privacy: "Privacy",
    imprint: "Imprint",
    withdraw: "Withdraw from a contract",
    help: "Help",
    support: "Write to us",
    status: "Status",
    note: (seller: string, year: number) => `© ${year} ${seller}`,
  },
  missing: {
    title: "There is nothing here",
    text: "The address may be mistyped, or what it led to is gone.",
    home: "Go to the start",
    account: "Go to your account",
  },
  refused: { title: "That did not work", text: "Open the page again and send it from there." },
  leaving: { title: "Your account is closed", text: "Restore it first; then this works again." },
  broken: {
    title: "Something broke on our side",
    text: "It wasn't you, and nothing of yours is lost. Try again in a moment.",
    reference: (id: string) => `If you write to us, this helps us find it: ${id}`,
    again: "Try again",
  },
  viewerUnknown:
    "We can't load accounts at the moment, so this page is shown as if you weren't signed in. Your session is unchanged; try again in a few minutes.",
  stillSignedIn: {
    title: "You're still signed in",
    text: "We couldn't sign you out, because something broke on our side. Try again in a moment. On a shared computer, clear this site's cookies or close the private window before you leave.",
    again: "Sign out",
  },
  unsent: {
    title: "Something broke on our side",
    text: "It wasn't you. What you typed is still here: try again in a moment.",
  },
  unreached: {
    title: "This did not get through",
    text: "Your connection or our site is down. What you typed is still here: try again in a moment.",
  },
  flash: {
    "signed-out": "You are signed out.",
    "profile-saved": "Saved.",
    "mails-saved": "Saved.",
    "appearance-saved": "Saved for this browser.",
    "preferences-saved": "Saved. Each device takes them over the next time it connects.",
    "key-rotated":
      "This is your new licence key. The old one activates nothing any more; your devices stay as they are.",
    "device-removed": "The device is removed, and takes no seat any more.",
    "plan-cancelled": "Your plan is cancelled, and ends with its period. Until then nothing changes.",
    "plan-ended": "Your plan has ended. Nothing more is collected for it.",
    "plan-resumed": "Your plan goes on.",
    "change-undone": "Your plan stays as it is.",
    "change-given-up": "That change is given up. Your plan stays as it is, and nothing was charged.",
    "change-planned": "Your change of plan is noted. Until its day you can take it back here.",
    "left-waitlist": "You have left the waitlist.",
    "code-sent": "A new code is on its way.",
    confirmed: "Thank you. Now send what you were about to send.",
    "session-ended": "That browser is signed out.",
    "other-sessions-ended": "Every other browser is signed out.",
    "passkey-added": "The passkey is added. From now on it signs you in.",
    "passkey-removed": "The passkey is removed.",
    "address-changed": "Your address is changed. A mail to the old one can take that back for seven days.",
    "address-reverted": "Your old address is back, and every browser is signed out. Sign in with it.",
    "leaving-begun": "Your account is closed. Until its last day you can restore it here.",
    restored: "Your account is back.",
    welcome: "Your address is confirmed. Welcome.",
  },
};

export type FlashName = keyof typeof en.flash;

export function isFlashName(word: string | null): word is FlashName {
  return word !== null && word in en.flash;
}

export const rootMessages: Messages<typeof en> = { en };
