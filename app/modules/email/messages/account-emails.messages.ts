import type { AccountEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

const codeHeading = {
  "sign-up": "Confirm your address",
  "sign-in": "Sign in",
  "change-email": "Confirm your new address",
  "fresh-proof": "Confirm that it is you",
} as const;

const codeReason = {
  "sign-up": "somebody asked for an account with this address",
  "sign-in": "somebody asked to sign in with this address",
  "change-email": "somebody asked to use this address for an account",
  "fresh-proof": "an account with this address is about to change something important",
} as const;

const yours = "You get this mail because the account with this address is yours.";
const notYouLeaving =
  "If that wasn't you, sign in, restore the account, sign out all other browsers in your settings, and write to us.";
const notYou = "If that wasn't you, sign in, sign out all other browsers in your settings, and write to us.";

const en: EmailTextFor<AccountEmail> = {
  code: (content, { product }) => ({
    subject: `${content.code} is your ${product} code`,
    heading: codeHeading[content.purpose],
    before: ["Type this code on the page that asked for it:"],
    code: content.code,
    button: { label: "Open the page with the code filled in", url: content.url },
    after: ["It works once, for ten minutes, and only in the browser that asked. We will never ask you for it."],
    reason: `You get this mail because ${codeReason[content.purpose]}. If that wasn't you, do nothing: without the code nothing happens.`,
  }),
  "has-account": (content, { product }) => ({
    subject: `${content.code} signs you in to ${product}`,
    heading: "You already have an account",
    before: ["This address already has an account with us, so there is nothing to set up. This code signs you in:"],
    code: content.code,
    button: { label: "Open the page with the code filled in", url: content.url },
    after: ["It works once, for ten minutes, and only in the browser that asked. We will never ask you for it."],
    reason:
      "You get this mail because somebody asked for an account with this address. If that wasn't you, do nothing: without the code nothing happens.",
  }),
  "no-account": (content, { product }) => ({
    subject: `There is no ${product} account here`,
    heading: "There is no account here",
    before: [
      "Somebody, probably you, asked to sign in with this address. It has no account, so there is no code in this mail.",
      "Perhaps you signed up with another address? Otherwise you can start here:",
    ],
    button: { label: "Create an account", url: content.url },
    after: [],
    reason: "You get this mail because somebody asked to sign in with this address. If that wasn't you, do nothing.",
  }),
  "address-wanted": (_content, { product }) => ({
    subject: `This address already has a ${product} account`,
    heading: "This address already has an account",
    before: [
      "Somebody who is signed in to another account asked to use this address there. It has an account of its own, so there is no code in this mail and nothing has changed.",
    ],
    after: [
      "If that was you: sign in with this address, and you are in the account that it has. To use it for the other account, change the address of this one first, or close this one.",
    ],
    reason:
      "You get this mail because somebody asked to use this address for another account. If that wasn't you, do nothing.",
  }),
  "address-changed": (content, { product }) => ({
    subject: `The address of your ${product} account was changed`,
    heading: "Your account has a new address",
    before: [
      `Codes and mails now go to ${content.to}. This address no longer signs in to the account.`,
      `If that wasn't you, or you change your mind, you can take the change back until ${content.until}:`,
    ],
    button: { label: "Take the change back", url: content.url },
    after: [
      "The link opens a page that asks once more; opening it changes nothing. If the change is yours, do nothing.",
    ],
    reason: "You get this mail because this was the account's address until now.",
  }),
  "address-held": (content, { product }) => ({
    subject: `Your ${product} account has another address now`,
    heading: "The account that had this address has another one",
    before: [
      `Somebody, probably you, asked for a code with this address. The account that used it has had the address ${content.to} since ${content.on}, and codes go there. So there is no code in this mail.`,
      `If that change wasn't yours, or you change your mind, you can take it back until ${content.until}:`,
    ],
    button: { label: "Take the change back", url: content.url },
    after: [
      "The link opens a page that asks once more; opening it changes nothing.",
      "As long as the change can be taken back this address opens no other account; afterwards it is free.",
    ],
    reason:
      "You get this mail because somebody asked for a code with this address. If that wasn't you, and the change is yours, do nothing.",
  }),
  "address-reverted": (content, { product }) => ({
    subject: `The address of your ${product} account is the former one again`,
    heading: "The change of address was taken back",
    before: [
      `Somebody used the link that we had mailed to the account's former address. The account has the address ${content.to} again, and the newer one no longer signs in.`,
      "Every browser was signed out, and passkeys that were added shortly before the change or after it are gone.",
    ],
    after: ["If you didn't expect this, write to us."],
    reason: "You get this mail because this address belongs to the account, or did until now.",
  }),
  "passkey-added": (content, { product }) => ({
    subject: `A passkey was added to your ${product} account`,
    heading: "A new passkey",
    before: [`The passkey “${content.name}” signs in to your account from now on, without a mailed code.`],
    after: [`If that wasn't you, remove it in your settings, sign out all other browsers there, and write to us.`],
    reason: yours,
  }),
  "passkey-removed": (content, { product }) => ({
    subject: `A passkey was removed from your ${product} account`,
    heading: "One passkey fewer",
    before: [`The passkey “${content.name}” no longer signs in to your account. Mailed codes still do.`],
    after: [notYou],
    reason: yours,
  }),
  "licence-key-rotated": (_content, { product }) => ({
    subject: `Your ${product} licence key was replaced`,
    heading: "A new licence key",
    before: [
      "Your account has a new licence key, and the old one sets up no more devices. The new one is in your settings; mails never carry it.",
    ],
    after: [notYou],
    reason: yours,
  }),
  "licence-key-shown": (content, { product }) => ({
    subject: `Your ${product} licence key was shown`,
    heading: "Your licence key was shown",
    before: [
      `The licence key of your account was shown in ${content.device}. It sets up devices on your plan; if somebody else has seen it, replace it in your settings.`,
    ],
    after: [notYou],
    reason: yours,
  }),
  "sessions-ended": (content, { product }) => ({
    subject: `A browser was signed out of your ${product} account`,
    heading: "Signed out from afar",
    before: [
      `Somebody who is signed in to your account ended the session of one or more other browsers, with ${content.by}, on ${content.at}.`,
    ],
    after: [notYou],
    reason: yours,
  }),
  "hundred-wrong-codes": (_content, { product }) => ({
    subject: `Somebody is guessing codes for your ${product} account`,
    heading: "A hundred wrong codes",
    before: [
      "Somebody typed a hundred wrong codes for this address, one after the other. None was right, and nobody got in.",
      "For the next 24 hours we send no codes to browsers that never signed in to your account. Browsers you used before work as always.",
    ],
    after: ["You need not do anything. If you see sign-ins that you don't know, write to us."],
    reason: yours,
  }),
  "data-downloaded": (content, { product }) => ({
    subject: `Your ${product} data was downloaded`,
    heading: "All your data, in one file",
    before: [
      `Somebody who is signed in to your account downloaded everything that we keep about you, with ${content.device}.`,
    ],
    after: [notYou],
    reason: yours,
  }),
  leaving: (content, { product }) => ({
    subject: `Your ${product} account is closed`,
    heading: "Your account is closed",
    before: [
      `You closed it. Until ${content.until} you can sign in, download your data and restore it; then it is erased. If you've withdrawn from a contract, it's erased once we've settled that.`,
      "A paid plan has ended with this and is not charged again. It doesn't come back by itself.",
    ],
    button: { label: "Restore your account", url: content.url },
    after: [notYouLeaving],
    reason: yours,
  }),
  restored: (content, { product }) => ({
    subject: `Your ${product} account is back`,
    heading: "Your account is back",
    before: [
      "Nothing of it is erased, and everything is where it was. A paid plan that ended doesn't come back by itself: choose one again if you want it.",
    ],
    button: { label: "Open my account", url: content.url },
    after: [notYou],
    reason: yours,
  }),
  gone: (_content, { product }) => ({
    subject: `Your ${product} account is erased`,
    heading: "Your account is erased",
    before: [
      "It is erased, as you asked. What the law requires us to keep, the books about orders, is kept without your name and address.",
    ],
    after: ["This address is free: whoever it belongs to can sign up again."],
    reason: "You get this mail because this was the account's address. It is the last one about it.",
  }),
};

export const accountEmails: EmailsOf<AccountEmail> = { en };
