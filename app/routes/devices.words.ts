import type { Words } from "#app/ui/language.ts";

const en = {
  title: "Devices and licence",
  lead: (plan: string) => `What ${plan} holds, and how to get it onto your devices.`,
  limits: {
    title: "What your plan holds",
    devices: "Devices",
    seats: (used: number, of: number) => `${used} of ${of} used`,
    upTo: (amount: string) => `up to ${amount}`,
    change: "Change plan",
  },
  problems: {
    "device-unknown": "That device is removed already.",
    "key-unreadable": "This key can't be shown any more. It goes on working; to see one, replace it.",
  },
  none: { title: "No device yet", text: "As soon as you sign in on a device, it stands here." },
};

export const devicesWords: Words<typeof en> = { en };
