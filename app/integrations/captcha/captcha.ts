import type { Embed } from "#app/core/embed.ts";

/** A `refused` token is wrong, expired, used before, or of another site or form. `unavailable` means that the provider gave no verdict. */
type CaptchaVerdict = "passed" | "refused" | "unavailable";

/** What the browser needs to show the check. */
type CaptchaWidget = { script: string; siteKey: string };

/** A check that a visitor is a person, by a company behind it. */
export type Captcha = {
  /** The provider, as the privacy notice names it. */
  name: string;
  widget: CaptchaWidget;
  /** What the page's policy has to allow for the widget. */
  embed: Embed;
  /** Whether the keys are the provider's own for tests, with which everyone passes, or no one. */
  isTest: boolean;
  /** Asks the provider about a token, which is valid once, and whether the widget was of that form. Never throws. */
  check: (token: string, form: string) => Promise<CaptchaVerdict>;
};
