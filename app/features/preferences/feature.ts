import type { Feature } from "#app/feature.ts";
import { hasDevices } from "#app/features/devices/plans.rules.ts";
import { checkPreferences } from "./config.rules.ts";
import { preferencesOf } from "./preferences.rules.ts";
import { preferencesFeatureMessages } from "./feature.messages.ts";

/** The product's own preferences: a customer's choices, which all devices share. */
export const preferences: Feature = {
  name: "preferences",
  needs: ["devices"],
  isOn: (product) => preferencesOf(product).length > 0 && hasDevices(product),
  checkConfig: checkPreferences,
  settingsPages: [
    {
      path: "settings",
      file: "features/preferences/page/route.tsx",
      about: "The product's own preferences, from the config.",
      isFixed: true,
    },
  ],
  messages: preferencesFeatureMessages,
};
