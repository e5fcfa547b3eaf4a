import type { Embed } from "#app/core/embed.ts";

/** `refused`: wrong, expired, used before, or of another site or form. `unavailable`: the provider gave no verdict. */
type CaptchaVerdict = "passed" | "refused" | "unavailable";

/** What the browser needs to show the check. */
type CaptchaWidget = { script: string; siteKey: string };

/** A check that a visitor is a person, by a company behind it. */
export type Captcha = {
  /** As the privacy notice names it. */
  name: string;
  widget: CaptchaWidget;
  /** What the page's policy has to allow for the widget. */
  embed: Embed;
  /** The provider's keys for tests, with which everyone passes, or no one. */
  isTest: boolean;
  /** Asks the provider about a token, which is valid once, and whether the widget was of that form. Never throws. */
  check: (token: string, form: string) => Promise<CaptchaVerdict>;
};
