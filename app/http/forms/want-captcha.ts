import { data } from "react-router";
import type { App } from "#app/app.ts";
import type { CaptchaForm, CaptchaProof } from "#app/modules/accounts/codes/captcha.rules.ts";
import { captchaMessages } from "./captcha.messages.ts";
import { refusalMessages } from "./form-refusal.messages.ts";
import type { CaptchaRefusal } from "./is-captcha-wanted.ts";
import { sayWait } from "./refuse-until.ts";

/** The captcha's part of a form's answer: which form asks, what is known of its token, and what was typed. */
type AskedCaptcha = {
  form: CaptchaForm;
  proof: CaptchaProof;
  typed: Record<string, string | undefined>;
};

/**
 * Answers 429 with what was typed in the form, and with a captcha that lets it through. The header says when the form would be accepted
 * without one. Only this page may load the captcha.
 */
export function wantCaptcha(
  app: Pick<App, "captcha" | "embeds" | "clock">,
  refusal: { retryAt: number },
  { form, proof, typed }: AskedCaptcha,
) {
  const waiting = sayWait({ reason: "captcha-wanted" as const, retryAt: refusal.retryAt }, app.clock());
  const messages = captchaMessages.en;
  const wait = refusalMessages.en.wait(waiting.seconds);
  if (app.captcha) app.embeds.push(app.captcha.embed);
  const filled = Object.entries(typed).filter((field): field is [string, string] => field[1] !== undefined);
  const wanted: CaptchaRefusal = {
    ...waiting,
    text: proof === "refused" || proof === "unavailable" ? messages.why[proof] : messages.why.missing,
    typed: Object.fromEntries(filled),
    captcha: {
      script: app.captcha?.widget.script ?? "",
      siteKey: app.captcha?.widget.siteKey ?? "",
      action: form,
      label: messages.label,
      hint: messages.hint,
      broken: messages.broken(wait),
      withoutScript: waiting.text,
    },
  };
  return data(wanted, { status: 429, headers: { "Retry-After": String(waiting.seconds) } });
}
