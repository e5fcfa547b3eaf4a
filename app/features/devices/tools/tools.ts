import { segmentPath } from "#app/core/page-paths.ts";
import { product } from "#app/product/config.ts";
import type { FeatureTools } from "../../../../scripts/feature-tools.ts";
import { deviceEmails } from "../emails.messages.ts";

const path = segmentPath(product, "account");

export const devices: FeatureTools = {
  name: "devices",
  words: ["devices", "licen[cs]e keys?", "seats?"],
  scenes: {
    ofTestAccounts: [
      { name: "devices, none", who: "new", path },
      { name: "devices, too many, and the key", who: "equipped", path: `${path}?key` },
    ],
    ofDemo: [
      { name: "devices, one of them renamed", who: "mara", path },
      { name: "devices, some of which will be removed", who: "ylva", path },
      { name: "devices, locked", who: "viktor", path },
    ],
  },
  emails: { title: "Devices", texts: deviceEmails.en },
  lostRows: {
    devices: "devices: the product activates itself again with its licence key",
    licence_keys: "licence keys that were shown for the first time: their owners get another one",
  },
};
