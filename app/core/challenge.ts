import type { Embed } from "./embed.ts";

/**
 * What is known of whoever sent a form.
 * - `off`: this site or form has no challenge
 * - `missing`: no answer was sent, as without JavaScript
 * - `refused`: the answer is wrong, expired, used before, or of another site or form
 * - `unavailable`: the provider gave no verdict
 * - `passed`: the provider takes them for a person
 */
export type Proof = "off" | "missing" | "refused" | "unavailable" | "passed";

/** A check that a visitor is a person, which a form asks for once it is suspicious. A feature has one; without it there is none. */
export type Challenge = {
  /** The feature whose field pages show. */
  feature: string;
  /** The company behind it, as the privacy notice names it. */
  provider: string;
  /** Whether the keys are the provider's own for tests, with which everyone passes, or no one. */
  isTest: boolean;
  /** What the page's policy has to allow. */
  embed: Embed;
  /** The name of the form's field with the answer. */
  field: string;
  /** Asks the provider about an answer, which is valid once, and whether it was given in that form. Never throws. */
  check: (answer: string, form: string) => Promise<"passed" | "refused" | "unavailable">;
  /** Why it is asked for, and what its field on the page gets. `wait`: after that the form is accepted without it. */
  show: (asked: { form: string; proof: Proof; wait: string }) => { why: string; field: Record<string, string> };
};
