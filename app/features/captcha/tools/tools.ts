import type { FeatureTools } from "../../../../scripts/feature-tools.ts";
import { checkCaptcha } from "./checks.ts";
import { captchaSite } from "./gallery.ts";

export const captcha: FeatureTools = {
  name: "captcha",
  words: ["captchas?", "turnstile\\w*", "CAPTCHA_\\w+"],
  scenes: { ofTestAccounts: [], ofDemo: [] },
  site: captchaSite,
  checks: { captcha: checkCaptcha },
  lostRows: {},
};
