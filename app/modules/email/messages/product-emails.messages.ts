import type { ProductLetter } from "../rules.ts";
import type { LettersOf, WordsFor } from "#app/modules/email/texts.rules.ts";

const friend = "You get this mail because of the link with which you invite friends.";
const usage = "You get this mail because your account comes close to a limit of its plan.";
const seeUsage = (url: string) => ({ label: "See what is used", url });

const reversedBecause = {
  "money-back": "A payment by somebody whom you invited went back to them.",
  "own-card": "Somebody whom you invited has paid with a card of yours, and a friend is somebody else.",
};

const seatsOf = (count: number) => `${count} ${count === 1 ? "device" : "devices"}`;
const named = ({ devices, more }: { devices: string; more: number }) =>
  more === 0 ? devices : `${devices} and ${more} more`;

const en: WordsFor<ProductLetter> = {
  "seats-reduced": (letter, { product }) => ({
    subject: `Choose which devices keep ${product}`,
    heading: "You have more devices than your plan allows",
    before: [
      `Your plan now includes ${seatsOf(letter.seats)}, and ${product} is active on ${letter.used}. All of them keep working until ${letter.removed}.`,
      `Before then, remove the devices you no longer need, or choose a larger plan. If you do neither, we'll remove the devices used least recently. As of today, that would be: ${named(letter)}.`,
    ],
    button: { label: "Choose devices", url: letter.url },
    after: ["What a removed device has stored stays there."],
    reason: "You get this mail because your plan has fewer seats than before.",
  }),
  "seats-released": (letter, { product }) => ({
    subject: `We removed devices from your ${product} account`,
    heading: "Devices over your limit were removed",
    before: [
      `Your plan includes ${seatsOf(letter.seats)}. As announced, we removed the devices used least recently: ${named(letter)}.`,
      "What they have stored stays there. With a larger plan, or in place of another device, they can be activated again with your licence key.",
    ],
    button: { label: "See my devices", url: letter.url },
    after: [],
    reason: "You get this mail because your plan has fewer seats than before.",
  }),
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
