import type { ProductEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

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

const en: EmailTextFor<ProductEmail> = {
  "seats-reduced": (content, { product }) => ({
    subject: `Choose which devices keep ${product}`,
    heading: "You have more devices than your plan allows",
    before: [
      `Your plan now includes ${seatsOf(content.seats)}, and ${product} is active on ${content.used}. All of them keep working until ${content.removed}.`,
      `Before then, remove the devices you no longer need, or choose a larger plan. If you do neither, we'll remove the devices used least recently. As of today, that would be: ${named(content)}.`,
    ],
    button: { label: "Choose devices", url: content.url },
    after: ["What a removed device has stored stays there."],
    reason: "You get this mail because your plan has fewer seats than before.",
  }),
  "seats-released": (content, { product }) => ({
    subject: `We removed devices from your ${product} account`,
    heading: "Devices over your limit were removed",
    before: [
      `Your plan includes ${seatsOf(content.seats)}. As announced, we removed the devices used least recently: ${named(content)}.`,
      "What they have stored stays there. With a larger plan, or in place of another device, they can be activated again with your licence key.",
    ],
    button: { label: "See my devices", url: content.url },
    after: [],
    reason: "You get this mail because your plan has fewer seats than before.",
  }),
  "reward-earned": (content, { product }) => ({
    subject: `You have ${product} credit`,
    heading: "Your friend has stayed",
    before: [
      `Somebody whom you invited has paid and stayed, and you have ${content.amount} of credit for it. It comes off your next charge by itself.`,
    ],
    button: { label: "See my credit", url: content.url },
    after: [],
    reason: friend,
    off: { label: "Switch mails about rewards off in your settings", url: content.offUrl },
  }),
  "reward-reversed": (content, { product }) => ({
    subject: `A ${product} reward was taken back`,
    heading: "A reward was taken back",
    before: [`${reversedBecause[content.cause]} So the ${content.amount} of credit for it is taken back.`],
    button: { label: "See my credit", url: content.url },
    after: [
      "What you have already used of it comes off any other credit of yours. You don't have to pay anything, and your payment method isn't charged.",
    ],
    reason: friend,
    off: { label: "Switch mails about rewards off in your settings", url: content.offUrl },
  }),
  "usage-high": (content, { product }) => ({
    subject: `${content.what}: most of your ${product} limit is used`,
    heading: `${content.what}: most of it is used`,
    before: [`That is ${content.used} of ${content.limit}. Everything works as before.`],
    button: seeUsage(content.url),
    after: ["We write once more this month if all of it gets used."],
    reason: usage,
    off: { label: "Switch mails about usage off in your settings", url: content.offUrl },
  }),
  "usage-full": (content, { product }) => ({
    subject: `${content.what}: all of your ${product} limit is used`,
    heading: `${content.what}: all of it is used`,
    before: [
      `That is ${content.used} of ${content.limit}, all that your plan holds. Stay within it, or choose a larger plan.`,
    ],
    button: seeUsage(content.url),
    after: ["What you have stays as it is. We don't write about this limit again this month."],
    reason: "You get this mail because your account has reached a limit of its plan.",
    off: { label: "Switch mails about usage off in your settings", url: content.offUrl },
  }),
};

export const productEmails: EmailsOf<ProductEmail> = { en };
