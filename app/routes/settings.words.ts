import type { Words } from "#app/ui/language.ts";

const en = {
  label: "Settings",
  you: "You",
  overview: "Overview",
  devices: "Devices and licence",
  preferences: "Preferences",
  money: "Money",
  plan: "Plan",
  upgrade: "Change plan",
  orders: "Orders",
  referral: "Invite friends",
};

export const settingsWords: Words<typeof en> = { en };
