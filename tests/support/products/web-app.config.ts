import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { withoutDevices } from "#tests/configs/factors.ts";
import { product } from "./renamed-product/config.ts";

/** What a team makes of the sample that sells a web app, in another currency and locale. */
export const webApp: ProductConfig = {
  ...withoutDevices(product),
  resources: "night-desk",
  segment: "atelier",
  currency: "SEK",
  locale: "sv-SE",
  timeZone: "Europe/Stockholm",
  tax: { rate: 25, name: "Moms" },
  start: {
    downloads: [],
    steps: [{ title: "Open it", text: "In any browser." }],
    activationUrl: "https://app.night-desk.se",
  },
  seller: { name: "Night Desk AB", address: ["Storgatan 3", "111 22 Stockholm", "Sweden"], vatId: "SE556677889901" },
  support: "hej@night-desk.se",
  statusUrl: "https://status.night-desk.se",
};
