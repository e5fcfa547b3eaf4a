import type { FeatureServer } from "#app/feature-server.ts";
import { openCaptcha } from "./open-captcha.server.ts";

export const captcha: FeatureServer = {
  name: "captcha",
  openChallenge: openCaptcha,
  health: ({ challenge }) => ({ captcha: challenge === null ? "off" : challenge.isTest ? "test" : "on" }),
};

declare module "#app/core/feature-health.ts" {
  interface FeatureHealth {
    /** `test`: with the provider's keys for tests, which let everyone pass, or no one. */
    captcha?: "on" | "test" | "off";
  }
}
