import type { Feature } from "#app/feature.ts";
import { captchaFeatureMessages } from "./feature.messages.ts";
import { captchaProblems, captchaSecrets, captchaVariables } from "./services.ts";

/** Suspicious visitors show that they're persons before a form emails an address. CAPTCHA_SERVICE chooses the service. */
export const captcha: Feature = {
  name: "captcha",
  // Without a service there is no challenge, so nothing shows it.
  isOn: () => true,
  variables: {
    deployed: ["CAPTCHA_SERVICE", "TURNSTILE_SITE_KEY"],
    secrets: captchaSecrets,
    localOnly: ["CAPTCHA_API_BASE"],
    needed: (text) => captchaVariables(text("CAPTCHA_SERVICE")),
    problems: captchaProblems,
  },
  messages: captchaFeatureMessages,
};
