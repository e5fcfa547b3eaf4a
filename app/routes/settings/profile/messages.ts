import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Profile",
  lead: "Your name, and how dates and times are shown.",
  profile: {
    title: "About you",
    name: "Name",
    nameHint: "Optional. Shown on your invoices, unless you entered another name at checkout.",
    locale: "Date and number format",
    localeHint: "How dates and amounts appear here and in emails.",
    timeZone: "Time zone",
    timeZoneHint: "Used for all times shown here and in emails.",
    save: "Save",
    pending: "Saving",
  },
  appearance: {
    title: "Appearance",
    legend: "In this browser",
    system: "System",
    light: "Light",
    dark: "Dark",
    save: "Save appearance",
    saving: "Saving",
    saved: "Saved.",
  },
};

export const profileMessages: Messages<typeof en> = { en };
