import type { Challenge } from "#app/core/challenge.ts";
import { openTurnstile } from "./integrations/open-turnstile.server.ts";
import { readCaptchaService } from "./services.ts";

type CaptchaEnv = Pick<Env, "CAPTCHA_SERVICE" | "CAPTCHA_API_BASE" | "TURNSTILE_SITE_KEY" | "TURNSTILE_SECRET_KEY">;

/** Opens the service that CAPTCHA_SERVICE names. Null if there is no check. */
export function openCaptcha(env: CaptchaEnv, origin: string, report: (error: unknown) => void): Challenge | null {
  switch (readCaptchaService(env.CAPTCHA_SERVICE ?? "")) {
    case "turnstile":
      return openTurnstile({
        siteKey: env.TURNSTILE_SITE_KEY,
        secretKey: env.TURNSTILE_SECRET_KEY,
        hostname: new URL(origin).hostname,
        // Tests set a stand-in. A deployed Worker refuses to have one.
        base: env.CAPTCHA_API_BASE || null,
        report,
      });
    case null:
      return null;
  }
}
