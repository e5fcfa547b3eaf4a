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
    account: "Account",
    legal: "Legal",
    terms: "Terms",
    privacy: "Privacy",
    imprint: "Imprint",
    withdraw: "Withdraw from a contract",
    cancel: "Cancel contracts here",
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
  stillSignedIn: {
    title: "You're still signed in",
    text: "We couldn't sign you out, because something went wrong on our side. Try again in a moment. On a shared computer, clear this site's cookies or close the private window before you leave.",
    again: "Sign out",
  },
  unsent: {
    title: "Something went wrong on our side",
    text: "It wasn't you. What you typed is still here, so try again in a moment.",
  },
  unavailable: {
    title: "We'll be back soon",
    text: "We're working on this site. What you typed is still here, so try again in a few minutes.",
  },
  unreached: {
    title: "We couldn't send that",
    text: "Your connection or our site is down. What you typed is still here, so try again in a moment.",
  },
};

export const rootMessages: Messages<typeof en> = { en };
