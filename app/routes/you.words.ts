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
    locale: "Dates and amounts",
    localeHint: "How they are written; the words stay as they are.",
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
    end: "Sign out",
    endOthers: "Sign out everywhere else",
  },
  activity: {
    title: "What happened lately",
    what: "What",
    where: "Where",
    when: "When",
    all: "Show all of it",
    did: {
      "signed-up": "Account created",
      "signed-in": "Signed in with a mailed code",
      confirmed: "Confirmed with a mailed code",
      "signed-out": "Signed out",
      "session-ended": "Another browser signed out",
      "other-sessions-ended": "All other browsers signed out",
    },
  },
  problems: {
    "name-missing": "Type a name, or leave the field empty.",
    "name-too-long": "A name has up to 80 letters here.",
    "locale-unknown": "Choose a way of writing from the list.",
    "session-unknown": "That browser is signed out already.",
    "time-zone-unknown": "Choose a time zone from the list.",
  },
};

export const youWords: Words<typeof en> = { en };
