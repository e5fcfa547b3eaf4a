import type { FeatureSamples } from "#tests/support/feature-samples.ts";

export const captcha: FeatureSamples = {
  name: "captcha",
  off: {},
  erasedTables: [],
  forms: [],
  health: { captcha: "on" },
};
