import type { LettersOf, WordsFor } from "./letters.words.ts";
import type { ProductLetter } from "./rules.ts";

const friend = "You get this mail because of the link with which you invite friends.";
const usage = "You get this mail because your account comes close to a limit of its plan.";
const seeUsage = (url: string) => ({ label: "See what is used", url });

const reversedBecause = {
  "money-back": "A payment by somebody whom you invited went back to them.",
  "own-card": "Somebody whom you invited has paid with a card of yours, and a friend is somebody else.",
};

const en: WordsFor<ProductLetter> = {
  "reward-earned": (letter, { product }) => ({
    subject: `You have ${product} credit`,
    heading: "Your friend has stayed",
    before: [
      `Somebody whom you invited has paid and stayed, and you have ${letter.amount} of credit for it. It comes off your next charge by itself.`,
    ],
    button: { label: "See my credit", url: letter.url },
    after: [],
    reason: friend,
    off: { label: "Switch mails about rewards off in your settings", url: letter.offUrl },
  }),
  "reward-reversed": (letter, { product }) => ({
    subject: `A ${product} reward was taken back`,
    heading: "A reward was taken back",
    before: [`${reversedBecause[letter.cause]} So the ${letter.amount} of credit for it is taken back.`],
    button: { label: "See my credit", url: letter.url },
    after: [
      "What you have already used of it comes off any other credit of yours. You don't have to pay anything, and your payment method isn't charged.",
    ],
    reason: friend,
    off: { label: "Switch mails about rewards off in your settings", url: letter.offUrl },
  }),
  "usage-high": (letter, { product }) => ({
    subject: `${letter.what}: most of your ${product} limit is used`,
    heading: `${letter.what}: most of it is used`,
    before: [`That is ${letter.used} of ${letter.limit}. Everything works as before.`],
    button: seeUsage(letter.url),
    after: ["We write once more this month if all of it gets used."],
    reason: usage,
    off: { label: "Switch mails about usage off in your settings", url: letter.offUrl },
  }),
  "usage-full": (letter, { product }) => ({
    subject: `${letter.what}: all of your ${product} limit is used`,
    heading: `${letter.what}: all of it is used`,
    before: [
      `That is ${letter.used} of ${letter.limit}, all that your plan holds. Stay within it, or choose a larger plan.`,
    ],
    button: seeUsage(letter.url),
    after: ["What you have stays as it is. We don't write about this limit again this month."],
    reason: "You get this mail because your account has reached a limit of its plan.",
    off: { label: "Switch mails about usage off in your settings", url: letter.offUrl },
  }),
};

export const productLetters: LettersOf<ProductLetter> = { en };
