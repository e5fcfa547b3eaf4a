import type { Messages } from "#app/core/messages.ts";

const menu = { menu: "Preferences", brief: "For all your devices" };
const flashes = { "preferences-saved": "Saved. Your devices will pick this up the next time they connect." };
const data = { exported: ["preferences"], erased: ["preferences"] };

export const preferencesMenuMessages: Messages<typeof menu> = { en: menu };
export const preferencesFlashMessages: Messages<typeof flashes> = { en: flashes };
export const preferencesDataMessages: Messages<typeof data> = { en: data };

declare module "#app/http/page/flash.messages.ts" {
  interface FeatureFlashes {
    "preferences-saved": string;
  }
}
