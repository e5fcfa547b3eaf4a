import type { Words } from "#app/ui/language.ts";

const en = {
  title: "You",
  lead: (email: string) => `Signed in as ${email}.`,
  plan: {
    title: "Plan",
    free: (plan: string) => `You are on ${plan}. Nothing to pay.`,
    renews: (plan: string) => `${plan}. Next charge `,
    ends: (plan: string) => `${plan}, until `,
    manage: "See your plan",
    upgrade: "See the plans",
  },
  start: {
    title: (product: string) => `Get ${product}`,
    downloads: "Download",
    activate: (product: string) => `Already installed? Open ${product}`,
  },
  profile: {
    title: "Profile",
    name: "Name",
    nameHint: "Stands on what we write to you. You may leave it empty.",
    timeZone: "Time zone",
    timeZoneHint: "Every time on these pages is shown in it.",
    save: "Save",
    pending: "Saving",
  },
  appearance: {
    title: "Appearance",
    legend: "Light or dark",
    system: "As the system",
    light: "Light",
    dark: "Dark",
    save: "Apply",
  },
  sessions: {
    title: "Signed-in browsers",
    browser: "Browser",
    place: "Country",
    lastUsed: "Last used",
    thisOne: "this one",
    unknownPlace: "unknown",
    signOut: "Sign out of this browser",
  },
  problems: {
    "name-missing": "Type a name, or leave the field empty.",
    "name-too-long": "A name has up to 80 letters here.",
    "time-zone-unknown": "Choose a time zone from the list.",
  },
};

export const youWords: Words<typeof en> = { en };
