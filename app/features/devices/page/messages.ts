import { formatSpan } from "#app/core/time/time.ts";
import { entitlementLifeMs } from "#app/modules/billing/entitlements/entitlement.rules.ts";
import type { Messages } from "#app/core/messages.ts";
import { givenNameLengthMax } from "#app/features/devices/rules.ts";

const devices = (count: number) => `${count} ${count === 1 ? "device" : "devices"}`;

const en = {
  title: "Devices and licence",
  lead: "Your devices, usage and licence key.",
  leadNoPlan: (product: string) => `Your ${product} devices and licence key.`,
  noPlan: {
    title: "You don't have a plan",
    text: (product: string) => `Choose a plan to activate ${product} on your devices.`,
    idle: (used: number, product: string) =>
      `${product} won't work on your ${used === 1 ? "device" : devices(used)} until you choose a plan. You won't have to activate ${used === 1 ? "it" : "them"} again.`,
    choose: "Choose a plan",
  },
  over: {
    title: (used: number, plan: string, of: number) => `You have ${devices(used)}, but ${plan} includes ${of}`,
    text: (product: string, surplus: number, until: string | null) =>
      `${product} keeps working on all of them ${until === null ? "for now" : `until ${until}`}, but you can't add another. ${until === null ? "Remove" : "Before then, remove"} ${devices(surplus)}, or choose a plan that includes more.`,
    otherwise: (names: string) => `If you do neither, we'll remove those used least recently, which are now: ${names}.`,
    plans: "See plans",
  },
  devices: {
    title: "Devices",
    active: "Active devices",
    another: "Set up another device",
    name: "Device",
    lastSeen: "Last seen",
    added: "Added",
    goes: (day: string) => `Will be removed on ${day} unless you remove a different one`,
    remove: "Remove",
    removeTitle: (name: string) => `Remove “${name}”?`,
    removeText: (product: string) =>
      `${product} stops working on this device within ${formatSpan(entitlementLifeMs)}. Nothing that's stored is deleted. The usage shown may drop, because each device reports its own usage. You can activate the device again with your licence key.`,
    removeNow: "Remove this device",
    removing: "Removing",
    keep: "Keep it",
  },
  rename: {
    open: "Rename",
    title: (name: string) => `Rename ${name}`,
    label: "Name",
    hint: (own: string, max: number) => `Up to ${max} characters. Leave it empty to use the device's own name, ${own}.`,
    button: "Save name",
    pending: "Saving",
    keep: "Cancel",
  },
  none: {
    title: "No devices yet",
    text: (product: string) => `Devices appear here once you activate ${product} on them.`,
  },
  key: {
    title: "Licence key",
    text: (product: string) =>
      `Use this key to activate ${product}. Keep it private: anyone with it can add devices to your plan.`,
    label: "Your licence key",
    hidden: "The key is hidden.",
    show: "Show the key",
    showing: "Showing",
    hide: "Hide the key",
    copy: "Copy",
    copied: "Copied",
    replace: "Replace the key",
    replaceTitle: "Replace the licence key?",
    replaceText:
      "You'll get a new key, and the old one no longer activates devices. Devices that are already active stay active. We'll email you to confirm.",
    replaceNow: "Replace it now",
    replacing: "Replacing",
    keep: "Keep the old key",
    proof: "We may ask you for a code or a passkey first.",
  },
  problems: {
    "device-unknown": "That device has already been removed.",
    "device-name-malformed": "The name can't contain line breaks or invisible characters. Nothing was changed.",
    "device-name-too-long": `Shorten the name to ${givenNameLengthMax} characters. Nothing was changed.`,
    "key-unreadable": "We can no longer show this key. It still works; to see a key, replace it.",
  },
  proven: "Thanks, that's confirmed. Here's your licence key.",
};

export const devicesMessages: Messages<typeof en> = { en };
