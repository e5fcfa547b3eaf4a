import type { SiteFacts } from "../../../../scripts/doctor/facts.ts";
import { withHealth } from "../../../../scripts/doctor/health.rules.ts";
import { notChecked, ok, problem, type Verdict } from "../../../../scripts/doctor/verdict.ts";

export function checkCaptcha(facts: Pick<SiteFacts, "health">): Verdict {
  return withHealth(facts, ({ captcha }) => {
    if (captcha === "test")
      return problem(
        "it has Cloudflare's keys for tests, which let everyone pass or no one",
        "Set TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY to those of a widget of your own.",
      );
    if (captcha === "on") return ok("both keys are set, and aren't those for tests");
    return notChecked("CAPTCHA_SERVICE is empty: suspicious forms have quotas alone");
  });
}
