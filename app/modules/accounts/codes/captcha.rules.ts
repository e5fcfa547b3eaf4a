/**
 * Decides when a form that emails a stranger's address begins to ask for a captcha. Invariants: never at first, only once the emails or
 * wrong codes of the last hour make it suspicious; a captcha never gives more than the quotas that everyone has without one; someone who
 * can't solve it has smaller quotas, and no dead end. Called from the commands for sign-up, sign-in and the waitlist; what it counts is
 * counted anyway.
 */
import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { type Quota, type QuotaReason, quotaWindowMs } from "./email-quotas.rules.ts";

/**
 * What is known of a request's captcha.
 * - `off`: this site or form has none
 * - `missing`: no token was sent, as without JavaScript
 * - `refused`: the token isn't valid
 * - `unavailable`: the provider gave no verdict
 * - `passed`: the provider takes the user for a person
 */
export type CaptchaProof = "off" | "missing" | "refused" | "unavailable" | "passed";

export type CaptchaForm = "sign-up" | "sign-in" | "waitlist";

/** Characters of a token, the longest that Turnstile issues (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/). */
const tokenLengthMax = 2048;

/** The captcha's token, in a form that may ask for one. */
export const captchaField = v.optional(v.pipe(text(), v.maxLength(tokenLengthMax, "too-long")));

/** How many fewer emails to a mailbox there are in an hour, in all and from one network, without a captcha. */
export const sendsOnlyWithCaptcha = 1;
/** Wrong codes for an address in an hour, after which another code needs a captcha. */
export const triesWithoutCaptchaMax = 5;
/** The same with a token that couldn't be checked. */
export const triesUncheckedMax = 8;
/** The part of a network's and of the site's quota of emails that needs no captcha. */
export const shareWithoutCaptcha = 1 / 4;
/** The same with a token that couldn't be checked: an outage of the provider leaves room. */
export const shareUnchecked = 1 / 2;

type SuspicionQuota = Quota<"captcha-wanted">;

/**
 * The smaller quotas of a request, named like the full ones, so that they count the same uses. Empty if only the full ones apply. `tries`
 * is the name under which the address's wrong codes are counted, null where the answer mustn't depend on the address.
 */
export function suspicionQuotas(proof: CaptchaProof, quotas: readonly Quota[], tries: string | null): SuspicionQuota[] {
  if (proof === "off" || proof === "passed") return [];
  const isUnchecked = proof === "unavailable";
  const share = isUnchecked ? shareUnchecked : shareWithoutCaptcha;
  const maxOf: Record<QuotaReason, (max: number) => number | null> = {
    // The half minute between two emails applies to everyone.
    "too-soon": () => null,
    "too-many-emails": (max) => (tries === null ? null : max - sendsOnlyWithCaptcha),
    "too-many-from-network": (max) => Math.floor(max * share),
    "too-many-from-site": (max) => Math.floor(max * share),
    "captcha-wanted": () => null,
  };
  const smaller = quotas.flatMap(({ name, max, windowMs, reason }) => {
    const own = maxOf[reason](max);
    return own === null ? [] : [{ name, max: own, windowMs, reason: "captcha-wanted" as const }];
  });
  if (tries === null) return smaller;
  const max = isUnchecked ? triesUncheckedMax : triesWithoutCaptchaMax;
  return [...smaller, { name: tries, max, windowMs: quotaWindowMs, reason: "captcha-wanted" }];
}
