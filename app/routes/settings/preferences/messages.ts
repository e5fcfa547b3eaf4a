import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (product: string) => `${product} preferences`,
  lead: "They apply to all your devices; each device takes them over the next time it connects.",
  none: {
    lead: "Whatever can be set for all your devices is here.",
    title: "Nothing to set here",
    text: (product: string) => `${product} has no preferences of its own.`,
  },
  card: "On every device",
  changedAt: "Last changed ",
  save: "Save",
  pending: "Saving",
  saveAgain: "Save these",
  range: (min: string, max: string) => `From ${min} to ${max}.`,
  outOfRange: (min: string, max: string) => `Enter a number from ${min} to ${max}.`,
  stands: (value: string) => `Now set to: ${value}.`,
  taken: "Changed elsewhere in the meantime.",
  on: "on",
  off: "off",
  changedElsewhere: {
    title: "Changed somewhere else",
    text: "Another browser or a device changed these preferences since you opened the page. Nothing is lost: fields that you left alone have the newer values. A field that both of you changed has yours, and says what is set now. Save them like this, or take what is set.",
    take: "Take what is set now",
  },
  byDevices: {
    title: (device: string) => `Changed on ${device} since you last saved here`,
    gone: "a device that is gone by now",
    change: (label: string, from: string, to: string) => `${label}: ${to} (before: ${from})`,
    at: "Last changed ",
  },
  problems: {
    "preference-unknown": "Choose one of these.",
    "preference-not-a-number": "Enter a whole number.",
    "preference-out-of-range": "Enter a number that is in the range.",
    "version-malformed": "This page is damaged. Load it again.",
  },
};

export const preferencesMessages: Messages<typeof en> = { en };
