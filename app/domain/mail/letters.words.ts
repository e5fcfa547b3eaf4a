import type { Letter } from "./rules.ts";

export type Names = { product: string; support: string };

/** One mail as blocks of words; the layout around them is `render-letter.ts`. */
export type Words = {
  subject: string;
  heading: string;
  before: string[];
  code?: string;
  button?: { label: string; url: string };
  after: string[];
  /** Why this mail came: the last line of every one. */
  reason: string;
};

type WordsFor = {
  [Template in Letter["template"]]: (letter: Extract<Letter, { template: Template }>, names: Names) => Words;
};

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

const en: WordsFor = {
  code: (letter, { product }) => ({
    subject: `${letter.code} is your ${product} code`,
    heading: codeHeading[letter.purpose],
    before: ["Type this code on the page that asked for it:"],
    code: letter.code,
    button: { label: "Open the page with the code filled in", url: letter.url },
    after: [
      "It works once, for ten minutes, and only in the browser that asked. Nobody at our side will ever ask you for it.",
    ],
    reason: `You get this mail because ${codeReason[letter.purpose]}. If that wasn't you, do nothing: without the code nothing happens.`,
  }),
  "has-account": (letter, { product }) => ({
    subject: `${letter.code} signs you in to ${product}`,
    heading: "You already have an account",
    before: ["This address has an account with us already, so there is nothing to set up. This code signs you in:"],
    code: letter.code,
    button: { label: "Open the page with the code filled in", url: letter.url },
    after: ["It works once, for ten minutes, and only in the browser that asked."],
    reason:
      "You get this mail because somebody asked for an account with this address. If that wasn't you, do nothing.",
  }),
  "no-account": (letter, { product }) => ({
    subject: `There is no ${product} account here`,
    heading: "There is no account here",
    before: [
      "Somebody, probably you, asked to sign in with this address. It has no account, so there is no code in this mail.",
      "Perhaps you signed up with another address? Otherwise you can start here:",
    ],
    button: { label: "Create an account", url: letter.url },
    after: [],
    reason: "You get this mail because somebody asked to sign in with this address. If that wasn't you, do nothing.",
  }),
  "hundred-wrong-codes": (_letter, { product }) => ({
    subject: `Somebody is guessing codes for your ${product} account`,
    heading: "A hundred wrong codes",
    before: [
      "Somebody typed a hundred wrong codes for this address, one after the other. None was right, and nobody got in.",
      "For the next 24 hours we send no codes to browsers that never signed in to your account. Browsers you used before work as always.",
    ],
    after: ["You need not do anything. If you see sign-ins that you don't know, write to us."],
    reason: "You get this mail because the account with this address is yours.",
  }),
  "sessions-ended": (_letter, { product }) => ({
    subject: `A browser was signed out of your ${product} account`,
    heading: "Signed out from afar",
    before: ["Somebody signed in to your account ended the session of one or more other browsers."],
    after: ["If that wasn't you, sign in, end all other sessions and write to us."],
    reason: "You get this mail because the account with this address is yours.",
  }),
  "address-wanted": (_letter, { product }) => ({
    subject: `This address has a ${product} account already`,
    heading: "This address has an account",
    before: [
      "Somebody, probably you, asked to use this address for another account. It has an account of its own, and an address belongs to one account only. So there is no code in this mail, and nothing changes.",
    ],
    after: ["To use this address there, first give the account that has it another one."],
    reason:
      "You get this mail because somebody asked to use this address for an account. If that wasn't you, do nothing.",
  }),
  "address-changed": (letter, { product }) => ({
    subject: `The address of your ${product} account was changed`,
    heading: "Your account has another address now",
    before: [
      `It is ${letter.to}. From now on codes and receipts go there, and this address no longer signs in.`,
      `If that wasn't you, take it back by ${letter.until}: this address returns to the account, and every browser is signed out.`,
    ],
    button: { label: "Take it back", url: letter.url },
    after: ["The link works once. It first shows what it will do. If the change was yours, there is nothing to do."],
    reason: "You get this mail because the account with this address was given another one.",
  }),
  "address-reverted": (letter, { product }) => ({
    subject: `The change of address of your ${product} account was taken back`,
    heading: "The change of address was taken back",
    before: [
      `The account has the address ${letter.to} again. Every browser was signed out, and passkeys that were added shortly before the change or after it are gone.`,
    ],
    after: ["Sign in with a code to that address. If you don't know what this is about, write to us."],
    reason: "You get this mail because this address is or was that of the account.",
  }),
  "waitlist-confirm": (letter, { product }) => ({
    subject: `Confirm your place on the ${product} waitlist`,
    heading: "One click, and you have a place",
    before: [`You asked to be told when ${letter.what} opens. Confirm that this address is yours:`],
    button: { label: "Confirm my place", url: letter.url },
    after: ["The link works for seven days, in any browser. It opens your place on the waitlist and signs nobody in."],
    reason: "You get this mail because somebody joined the waitlist with this address. If that wasn't you, do nothing.",
  }),
  "waitlist-place": (letter, { product }) => ({
    subject: `Your place on the ${product} waitlist`,
    heading: "You are on the list already",
    before: [`This address asked before to be told when ${letter.what} opens. Your own page says how things stand:`],
    button: { label: "See my place", url: letter.url },
    after: ["The link is yours alone: whoever has it can see your place and leave the waitlist for you."],
    reason: "You get this mail because somebody joined the waitlist with this address. If that wasn't you, do nothing.",
  }),
  receipt: (letter, { product }) => ({
    subject: `Your ${product} receipt`,
    heading: "Thank you, your payment has arrived",
    before: [`${letter.what}: ${letter.amount}.`],
    button: { label: "See the order", url: letter.url },
    after: ["The order holds the lines, the tax and the receipt to print."],
    reason: "You get this mail because of an order on your account.",
  }),
  "payment-processing": (letter, { product }) => ({
    subject: `Your ${product} payment is on its way`,
    heading: "Your bank is working on it",
    before: [
      `${letter.what}: ${letter.amount}.`,
      "This way of paying takes a few days. There is nothing more to do, and please don't pay again: we write as soon as the money is here.",
    ],
    button: { label: "See the order", url: letter.url },
    after: [],
    reason: "You get this mail because of an order on your account.",
  }),
  "payment-failed": (letter, { product }) => ({
    subject: `Your ${product} payment did not go through`,
    heading: "The payment did not go through",
    before: [
      `${letter.what}: ${letter.amount}.`,
      "Nothing was charged. You can try again, with the same or another way of paying:",
    ],
    button: { label: "Try again", url: letter.url },
    after: [],
    reason: "You get this mail because of an order on your account.",
  }),
};

const languages = { en };

/** The words of a letter in a language; every language has every letter, held by the compiler. */
export function wordsFor(letter: Letter, names: Names, language: keyof typeof languages = "en"): Words {
  const write = languages[language][letter.template] as (letter: Letter, names: Names) => Words;
  return write(letter, names);
}
