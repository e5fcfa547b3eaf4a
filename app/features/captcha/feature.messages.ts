import type { PrivacyFacts } from "#app/feature.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  pages: {},
  flashes: {},
  data: { exported: [], erased: [] },
  privacy: ({ challenge, addressForms }: PrivacyFacts) =>
    challenge === null
      ? []
      : [
          {
            title: "Automated requests",
            text: [
              `If many emails were asked for from your network, for your address or on this site, the forms for ${addressForms} ask ${challenge} whether you're a person. Only that page loads it. It receives your IP address and what it can tell of your browser, and we send it the result to confirm, but not your email address. This protects you and us from misuse, which is our legitimate interest.`,
              "Without JavaScript, nothing is loaded. You can then ask for fewer emails.",
            ],
          },
        ],
};

export const captchaFeatureMessages: Messages<typeof en> = { en };
