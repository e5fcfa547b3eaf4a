import { segmentPath } from "#app/core/page-paths.ts";
import { product } from "#app/product/config.ts";
import type { FeatureTools } from "../../../../scripts/feature-tools.ts";

const path = segmentPath(product, "settings");

export const preferences: FeatureTools = {
  name: "preferences",
  words: ["preferences?"],
  scenes: {
    ofTestAccounts: [
      { name: "preferences", who: "new", path },
      { name: "preferences, changed by a device", who: "equipped", path },
    ],
    ofDemo: [{ name: "preferences, own", who: "nora", path }],
  },
  lostRows: { preferences: "preferences that were stored" },
  docs: {
    settings: {
      preferences: [
        { key: "{a choice}", label: "", kind: "choice", options: [], default: "" },
        { key: "{a number}", label: "", kind: "number", min: 0, max: 1, default: 0 },
        { key: "{a switch}", label: "", kind: "switch", default: true },
      ],
    },
    namedField: {
      name: "{preference}",
      accepts:
        "one field per key of the config's: one of a choice's options, a number from `min` to `max`, or a switch",
    },
  },
};
