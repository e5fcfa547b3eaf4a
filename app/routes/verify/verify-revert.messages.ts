import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Take the change of address back",
  lead: (address: string) =>
    `Your account gets its old address back: ${address}. Whoever changed it loses every way in:`,
  does: {
    signsOut: "Every browser that is signed in to the account is signed out, yours too.",
    passkeys: {
      before: "Passkeys that were added since ",
      after:
        ", a day before the change, are removed: one of them may be theirs. Older passkeys stay, and you can add yours again.",
    },
    later: "If the address was changed again after this, that is undone, too.",
  },
  signIn: "Afterwards you sign in with a code that we send to the old address.",
  submit: "Take the change back",
  pending: "Taking it back",
  over: {
    "link-unknown": {
      title: "This link leads nowhere",
      lead: "Perhaps a part of it is missing. Open it from the mail once more.",
    },
    "link-used": {
      title: "This change has already been taken back",
      lead: "The old address is back and every browser was signed out. Sign in with a code to it.",
    },
    "link-overtaken": {
      title: "An earlier change was taken back",
      lead: "This one went with it: the account has the address that it had before both.",
    },
    "link-expired": {
      title: "This link is older than seven days",
      lead: "The address stays as it was changed. If that wasn't you, write to us.",
    },
    "address-taken": {
      title: "The old address has another account now",
      lead: "An address belongs to one account only, so this change can't be taken back here. Write to us.",
    },
  },
  toSignIn: "Sign in",
  support: "Write to us",
};

export const verifyRevertMessages: Messages<typeof en> = { en };
