import type { Messages } from "#app/core/messages.ts";

const en = {
  skip: "Skip to content",
  signIn: "Sign in",
  signUp: "Create an account",
  account: "Account",
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
    support: "Contact us",
    status: "Status",
    note: (seller: string, year: number) => `© ${year} ${seller}`,
  },
  missing: {
    title: "Page not found",
    text: "There's no page at this address.",
    home: "Go to the home page",
    account: "Go to your account",
  },
  refused: { title: "That didn't work", text: "Reload the page and try again." },
  closedAccount: { title: "Your account is closed", text: "Restore it to use this page." },
  broken: {
    title: "Something went wrong on our side",
    text: "It wasn't you, and nothing of yours is lost. Try again in a moment.",
    reference: (id: string) => `If you contact us, quote this reference: ${id}`,
    again: "Try again",
  },
  viewerUnknown:
    "We can't load accounts at the moment, so this page looks as if you weren't signed in. You still are; try again in a few minutes.",
  stillSignedIn: {
    title: "You're still signed in",
    text: "We couldn't sign you out, because something went wrong on our side. Try again in a moment. On a shared computer, clear this site's cookies or close the private window before you leave.",
    again: "Sign out",
  },
  unsent: {
    title: "Something went wrong on our side",
    text: "It wasn't you. What you typed is still here, so try again in a moment.",
  },
  unreached: {
    title: "We couldn't send that",
    text: "Your connection or our site is down. What you typed is still here, so try again in a moment.",
  },
  flash: {
    "signed-out": "You've signed out.",
    "profile-saved": "Saved.",
    "mails-saved": "Saved.",
    "appearance-saved": "Saved for this browser.",
    "preferences-saved": "Saved. Your devices will pick this up the next time they connect.",
    "key-rotated":
      "Here's your new licence key. The old key no longer works. Devices you've already activated aren't affected.",
    "device-removed": "Device removed.",
    "device-renamed": "Name saved.",
    "plan-cancelled": "Plan cancelled.",
    "plan-ended": "Your plan has ended. You won't be charged for it again.",
    "reason-given": "Thanks for telling us.",
    "plan-resumed": "Your plan will continue.",
    "change-undone": "Change cancelled. Your plan stays the same.",
    "purchase-given-up": "Cancelled. Nothing was charged.",
    "change-given-up": "Change cancelled. Your plan stays the same, and nothing was charged.",
    "change-planned": "Plan change scheduled. You can undo it here until it starts.",
    "left-waitlist": "You've left the waitlist.",
    "code-sent": "We've sent a new code.",
    confirmed: "Thanks, that's confirmed. You can continue now.",
    "session-ended": "That browser has been signed out.",
    "other-sessions-ended": "All other browsers have been signed out.",
    "passkey-added": "Passkey added. You can use it to sign in.",
    "passkey-removed": "Passkey removed.",
    "address-changed":
      "Your email address has been changed. We've emailed your old address a link to undo this. It works for seven days.",
    "address-reverted":
      "Your old address is back, and every browser has been signed out. Sign in with your old address.",
    "leaving-begun": "You're signed out in all other browsers.",
    restored: "Your account has been restored.",
    welcome: "Welcome. Your email address is confirmed.",
  },
};

export type FlashName = keyof typeof en.flash;

export function isFlashName(word: string | null): word is FlashName {
  return word !== null && word in en.flash;
}

export const rootMessages: Messages<typeof en> = { en };
