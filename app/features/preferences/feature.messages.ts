import type { Messages } from "#app/core/messages.ts";

const en = {
  pages: { settings: { menu: "Preferences", brief: "For all your devices" } },
  flashes: { "preferences-saved": "Saved. Your devices will pick this up the next time they connect." },
  data: { exported: ["preferences"], erased: ["preferences"] },
};

export const preferencesFeatureMessages: Messages<typeof en> = { en };

declare module "#app/http/page/flash.messages.ts" {
  interface Flashes {
    "preferences-saved": string;
  }
}
