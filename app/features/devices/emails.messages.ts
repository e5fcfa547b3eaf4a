import type { Messages } from "#app/core/messages.ts";
import { accountNoticeMessages } from "#app/modules/email/messages/endings.messages.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

export type DeviceEmail =
  /** The licence key was replaced. */
  | { template: "licence-key-rotated" }
  /** The licence key was shown; once per re-authentication. */
  | { template: "licence-key-shown"; device: string }
  /** More devices than seats. `devices` names the first of those that will be removed, `more` counts the others. */
  | {
      template: "seats-reduced";
      used: number;
      seats: number;
      removed: string;
      devices: string;
      more: number;
      url: string;
    }
  /** Devices over the limit were removed. */
  | { template: "seats-released"; seats: number; devices: string; more: number; url: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    devices: DeviceEmail;
  }
}

const fewerDevices = "You're receiving this email because your plan includes fewer devices than before.";

const devicesOf = (count: number) => `${count} ${count === 1 ? "device" : "devices"}`;
const named = ({ devices, more }: { devices: string; more: number }) =>
  more === 0 ? devices : `${devices} and ${more} more`;

const { yours, notYou } = accountNoticeMessages.en;

const en: EmailTextFor<DeviceEmail> = {
  "licence-key-rotated": (_content, { product }) => ({
    subject: `Your ${product} licence key was replaced`,
    heading: "Licence key replaced",
    before: [
      "Your account has a new licence key, and the old one no longer works. Devices you've already activated aren't affected.",
      "You'll find the new key in your account. We never send keys by email.",
    ],
    after: [notYou],
    reason: yours,
  }),
  "licence-key-shown": (content, { product }) => ({
    subject: `Your ${product} licence key was shown`,
    heading: "Your licence key was shown",
    before: [
      `Your licence key was shown in ${content.device}. Anyone with the key can add devices to your plan, so replace it in your account if someone else has seen it.`,
    ],
    after: ["If it was you, there's nothing you need to do.", notYou],
    reason: yours,
  }),
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
};

const names: EmailNames<DeviceEmail> = {
  "licence-key-rotated": "Licence key replaced",
  "licence-key-shown": "Licence key shown",
  "seats-reduced": "Too many devices",
  "seats-released": "Devices removed",
};

export const deviceEmails: EmailsOf<DeviceEmail> = { en };
export const deviceEmailNames: Messages<EmailNames<DeviceEmail>> = { en: names };
