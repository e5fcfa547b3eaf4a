import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Preferences",
  lead: "These apply to all your devices, which update the next time they connect.",
  none: {
    lead: "Preferences for all your devices.",
    title: "No preferences",
    text: (product: string) => `${product} has no preferences to set.`,
  },
  card: "All devices",
  changedAt: "Last changed ",
  save: "Save",
  pending: "Saving",
  saveAgain: "Keep mine",
  range: (min: string, max: string) => `From ${min} to ${max}.`,
  outOfRange: (min: string, max: string) => `Enter a number from ${min} to ${max}.`,
  currentValue: (value: string) => `Current value: ${value}.`,
  taken: "Changed elsewhere since you opened this page.",
  on: "on",
  off: "off",
  changedElsewhere: {
    title: "Changed elsewhere",
    text: "Another browser or device changed these preferences while this page was open. Fields you didn't change show the newer values. Where both changed, you see your value with the current one beside it. Keep yours, or use the newer values.",
    take: "Use the newer values",
  },
  byDevices: {
    title: (device: string) => `Changed on ${device} since you last saved here`,
    gone: "a device you've since removed",
    change: (label: string, from: string, to: string) => `${label}: ${to} (was ${from})`,
    at: "Last changed ",
  },
  problems: {
    "preference-unknown": "Choose one of these.",
    "preference-not-a-number": "Enter a whole number.",
    "preference-out-of-range": "Enter a number in the range shown.",
    "version-malformed": "Something on this page is out of date. Reload it and try again.",
  },
};

export const preferencesMessages: Messages<typeof en> = { en };
