import type { Words } from "#app/ui/language.ts";

const en = {
  title: (product: string) => `${product} preferences`,
  lead: "They hold for all your devices; each follows with its next contact.",
  card: "On every device",
  changedAt: "Last changed ",
  save: "Save",
  pending: "Saving",
  changedElsewhere: {
    title: "Changed somewhere else",
    text: "Another browser or a device changed these preferences since you opened the page. Below is what stands now: choose again and save.",
  },
  problems: {
    "preference-unknown": "Choose one of these.",
    "preference-not-a-number": "Type a whole number.",
    "preference-out-of-range": "That is outside of what can be set.",
    "version-malformed": "This page is damaged. Load it again.",
    "intent-unknown": "This button does not exist any more. Load the page again.",
  },
};

export const preferencesWords: Words<typeof en> = { en };
