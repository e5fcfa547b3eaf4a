import { formatSpan } from "#app/core/time/time.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Undo the change of email address",
  lead: (address: string) =>
    `Your account will use its old address again: ${address}. To make sure that no one else stays signed in:`,
  does: {
    signsOut: "Every browser signed in to the account is signed out, including yours.",
    passkeys: {
      before: "Passkeys added since ",
      after: " are removed, in case someone else added one. Older passkeys stay, and you can add yours again.",
    },
    later: "If the address has been changed again since then, that's undone too.",
  },
  signIn: "You can then sign in with a code sent to the old address.",
  submit: "Undo the change",
  pending: "Undoing",
  over: {
    "link-unknown": {
      title: "We don't recognise this link",
      lead: "Part of it may be missing. Open it again from the email.",
    },
    "link-used": {
      title: "This change has already been undone",
      lead: "Your old address is back and every browser was signed out. Sign in with a code sent to that address.",
    },
    "link-overtaken": {
      title: "An earlier change was undone",
      lead: "This one was undone with it: the account has the address it had before both changes.",
    },
    "link-expired": {
      title: "This link has expired",
      lead: `It worked for ${formatSpan(revertLifeMs)}. The account keeps its new address. If you didn't change it, contact us.`,
    },
    "address-taken": {
      title: "The old address now belongs to another account",
      lead: "An address can only belong to one account, so you can't undo this change here. Contact us.",
    },
  },
  toSignIn: "Sign in",
  support: "Contact us",
};

export const verifyRevertMessages: Messages<typeof en> = { en };
