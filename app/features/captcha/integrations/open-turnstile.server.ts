import { secondMs } from "#app/core/time/time.ts";
import type { Challenge } from "#app/core/challenge.ts";
import { captchaMessages } from "../messages.ts";
import { isTurnstileTestKey } from "../services.ts";

type Settings = {
  siteKey: string;
  secretKey: string;
  /** The host that the widget has to have run on: a token of a page that shows our site key elsewhere is refused. */
  hostname: string;
  /** Where a stand-in listens, in tests. */
  base: string | null;
  report: (error: unknown) => void;
};

/** Characters of a token, the longest that Turnstile issues. */
const tokenLengthMax = 2048;
/** How long a visitor waits for the verdict. It usually takes a tenth of a second. */
const answerWithinMs = 3 * secondMs;

/** Errors that say something about the token; all others are about our keys or the service. */
const aboutToken: ReadonlySet<string> = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
]);

/**
 * Cloudflare Turnstile. https://developers.cloudflare.com/turnstile/get-started/server-side-validation/. We send only the token and our
 * secret. The visitor's address is optional, and for visitors with IPv4 and IPv6 it differs between the widget's connection and ours.
 */
export function openTurnstile({ siteKey, secretKey, hostname, base, report }: Settings): Challenge {
  const origin = base ?? "https://challenges.cloudflare.com";
  const isTest = isTurnstileTestKey(secretKey) || isTurnstileTestKey(siteKey);
  return {
    feature: "captcha",
    provider: "Cloudflare Turnstile",
    field: "captcha",
    embed: { policy: { "script-src": [origin], "frame-src": [origin] } },
    isTest,
    show: ({ form, proof, wait }) => {
      const { why, label, hint, broken } = captchaMessages.en;
      return {
        why: proof === "refused" || proof === "unavailable" ? why[proof] : why.missing,
        field: {
          script: `${origin}/turnstile/v0/api.js?render=explicit`,
          siteKey,
          action: form,
          label,
          hint,
          broken: broken(wait),
        },
      };
    },
    check: async (token, form) => {
      if (token.length > tokenLengthMax) return "refused";
      const answer = await askSiteverify(`${origin}/turnstile/v0/siteverify`, { secret: secretKey, response: token });
      const verdict = verdictOf(answer, isTest ? null : { hostname, action: form });
      // Reports the codes alone, never the token.
      if (verdict === "unavailable") report(new TurnstileUnavailable(answer));
      return verdict;
    },
  };
}

type Verified = { success: boolean; hostname: unknown; action: unknown; errors: string[] };

/** `wanted` is where the widget has to have run. It is null for test keys, whose verdicts name no real place. */
function verdictOf(answer: Verified | string, wanted: { hostname: string; action: string } | null) {
  if (typeof answer === "string") return "unavailable";
  if (!answer.success) return answer.errors.every((code) => aboutToken.has(code)) ? "refused" : "unavailable";
  const isOurs = wanted === null || (answer.hostname === wanted.hostname && answer.action === wanted.action);
  return isOurs ? "passed" : "refused";
}

/** Cloudflare's answer, or the reason why there is none. */
async function askSiteverify(url: string, body: { secret: string; response: string }): Promise<Verified | string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      // The secret must not follow a redirect.
      redirect: "manual",
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (typeof answer !== "object" || answer === null || !("success" in answer)) return `status ${response.status}`;
    const errors: unknown = "error-codes" in answer ? answer["error-codes"] : [];
    return {
      success: answer.success === true,
      hostname: "hostname" in answer ? answer.hostname : null,
      action: "action" in answer ? answer.action : null,
      errors: Array.isArray(errors) ? errors.map(String) : [],
    };
  } catch (error) {
    return error instanceof Error ? error.name : "unknown";
  }
}

class TurnstileUnavailable extends Error {
  constructor(answer: Verified | string) {
    super(`Turnstile gave no verdict: ${typeof answer === "string" ? answer : answer.errors.join(", ")}`);
  }
}
