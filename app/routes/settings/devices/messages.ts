import type { Messages } from "#app/core/messages.ts";

const seats = (count: number) => `${count} ${count === 1 ? "seat" : "seats"}`;
const devices = (count: number) => `${count} ${count === 1 ? "device" : "devices"}`;

const en = {
  title: "Devices and licence",
  lead: (plan: string) => `What ${plan} holds, and how to get it onto your devices.`,
  leadNoPlan: (product: string) => `The devices that ${product} is on, and your licence key.`,
  noPlan: {
    title: "You have no plan",
    text: (product: string) => `Choose a plan first. Then you can activate ${product} on your devices.`,
    idle: (used: number, product: string) =>
      `${product} doesn't work on your ${used === 1 ? "device" : devices(used)} until you choose a plan. With one, you don't have to activate ${used === 1 ? "it" : "them"} again.`,
    choose: "Choose a plan",
  },
  over: {
    title: (used: number, plan: string, of: number) => `You have ${devices(used)}, and ${plan} has ${seats(of)}`,
    text: (product: string, surplus: number, until: string | null) =>
      `${product} keeps working on all of them ${until === null ? "for now" : `until ${until}`}, but on no new one. ${until === null ? "Remove" : "Before then, remove"} ${devices(surplus)} that you can do without, or choose a plan with more seats.`,
    otherwise: (names: string) => `If you do neither, we'll remove those used least recently, which are now: ${names}.`,
    plans: "See the plans",
  },
  devices: {
    title: "Devices",
    seats: "Seats",
    used: (used: number, of: number) => `${used} of ${of} used`,
    name: "Device",
    lastSeen: "Last seen",
    added: "Added",
    goes: (day: string) => `Will be removed on ${day} unless you choose another`,
    remove: "Remove",
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText: (product: string) =>
      `${product} stops working there the next time it connects, within a day at the latest. What it has stored stays. From now on it takes no seat. The device can come back with the licence key; if seats changed hands too often lately, that has to wait for up to a day.`,
    removeNow: "Remove this device",
    removing: "Removing",
    keep: "Keep it",
  },
  none: {
    title: "No device yet",
    text: (product: string) => `As soon as you activate ${product} on a device, it appears here.`,
  },
  key: {
    title: "Licence key",
    text: (product: string) =>
      `It activates ${product} on a device. Whoever has it can use up your seats: keep it to yourself.`,
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
      "You get a new key, and the old one activates nothing any more: not where you have written it down, and not for anybody who knows it. Devices that are active stay active. We tell you by mail.",
    replaceNow: "Replace it now",
    replacing: "Replacing",
    keep: "Keep the old one",
    proof: "We may ask you for a code or a passkey first.",
  },
  usage: {
    title: "Usage and limits",
    titleNoPlan: "Usage",
    none: (limit: string) => `nothing reported yet, up to ${limit}`,
    last: (used: string, limit: string) => `${used} of ${limit}`,
    maximum: (used: string, limit: string) => `up to ${used} this month, of ${limit}`,
    over: {
      last: (by: string) => `That is ${by} over the limit. Nothing is lost; make room, or choose a larger plan.`,
      maximum: (by: string) =>
        `That is ${by} over the limit. Nothing is lost; stay within it, or choose a larger plan.`,
    },
    full: "That is all that your plan holds.",
    reported: "Reported ",
    change: "Change plan",
  },
  problems: {
    "device-unknown": "That device has already been removed.",
    "key-unreadable": "This key can't be shown any more. It goes on working; to see one, replace it.",
  },
  proven: "Thank you. Here is your licence key.",
};

export const devicesMessages: Messages<typeof en> = { en };
