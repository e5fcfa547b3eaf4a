import type { ProductEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "../texts.rules.ts";

const friend = "You're receiving this email because you invited a friend.";
const fewerDevices = "You're receiving this email because your plan includes fewer devices than before.";
const seeUsage = (url: string) => ({ label: "See my usage", url });

const reversedBecause = {
  "money-back": "A friend you invited got their payment back",
  "own-card": "A friend you invited paid with one of your cards",
};

const devicesOf = (count: number) => `${count} ${count === 1 ? "device" : "devices"}`;
const named = ({ devices, more }: { devices: string; more: number }) =>
  more === 0 ? devices : `${devices} and ${more} more`;

const en: EmailTextFor<ProductEmail> = {
  "seats-reduced": (content, { product }) => ({
    subject: `Choose which devices keep ${product}`,
    heading: "You have more devices than your plan allows",
    before: [
      `Your plan now includes ${devicesOf(content.seats)}, and ${product} is active on ${content.used}. All of them keep working until ${content.removed}.`,
      `Before then, remove the devices you no longer need, or choose a larger plan. Otherwise we'll remove the devices used least recently. As of today, that would be: ${named(content)}.`,
    ],
    button: { label: "Choose devices", url: content.url },
    after: ["Removing a device doesn't delete what it has stored."],
    reason: fewerDevices,
  }),
  "seats-released": (content, { product }) => ({
    subject: `We removed devices from your ${product} account`,
    heading: "We removed devices over your limit",
    before: [
      `Your plan includes ${devicesOf(content.seats)}. As we told you, we removed the devices used least recently: ${named(content)}.`,
      "What they've stored hasn't been deleted. To activate one again with your licence key, choose a larger plan or remove another device.",
    ],
    button: { label: "See my devices", url: content.url },
    after: [],
    reason: fewerDevices,
  }),
  "reward-earned": (content, { product }) => ({
    subject: `You've earned ${product} credit`,
    heading: `You've earned ${content.amount}`,
    before: [
      `A friend you invited is now a paying customer, so you get ${content.amount} of credit. It comes off your next payment automatically.`,
    ],
    button: { label: "See my credit", url: content.url },
    after: [],
    reason: friend,
    off: { label: "Turn off credit emails", url: content.offUrl },
  }),
  "reward-reversed": (content, { product }) => ({
    subject: `${product} credit was reversed`,
    heading: "Credit was reversed",
    before: [`${reversedBecause[content.cause]}, so we've reversed your credit of ${content.amount}.`],
    button: { label: "See my credit", url: content.url },
    after: [
      "If you've already used some of it, we deduct that from your other credit. We never charge your payment method for it.",
    ],
    reason: friend,
    off: { label: "Turn off credit emails", url: content.offUrl },
  }),
  "usage-high": (content, { product }) => ({
    subject: `${content.what}: you're close to your ${product} limit`,
    heading: `${content.what}: you're close to your limit`,
    before: [`You're at ${content.used} of ${content.limit}. Everything still works as usual.`],
    button: seeUsage(content.url),
    after: ["We'll email you once more this month if you reach the limit."],
    reason: "You're receiving this email because your account is close to a limit of its plan.",
    off: { label: "Turn off limit emails", url: content.offUrl },
  }),
  "usage-full": (content, { product }) => ({
    subject: `${content.what}: you've reached your ${product} limit`,
    heading: `${content.what}: you've reached your limit`,
    before: [`You're at ${content.used}, and your plan includes ${content.limit}. Use less, or choose a larger plan.`],
    button: seeUsage(content.url),
    after: ["What you've already stored isn't affected. We won't email you about this limit again this month."],
    reason: "You're receiving this email because your account has reached a limit of its plan.",
    off: { label: "Turn off limit emails", url: content.offUrl },
  }),
};

export const productEmails: EmailsOf<ProductEmail> = { en };
