import type { Feature } from "#app/feature.ts";
import { hasDevices } from "./plans.rules.ts";
import { checkDevices } from "./config.rules.ts";
import { devicesFeatureMessages } from "./feature.messages.ts";

/** Installations of the product, activated by a licence key: as many as the plan has seats. */
export const devices: Feature = {
  name: "devices",
  isOn: hasDevices,
  checkConfig: checkDevices,
  settingsPages: [
    {
      path: "account",
      file: "features/devices/page/route.tsx",
      about: "Devices, seats, licence key and usage.",
      isFixed: true,
    },
  ],
  counted: { limit: "devices", path: "account" },
  keyPath: "account#licence",
  usagePath: "account#usage",
  messages: devicesFeatureMessages,
};
