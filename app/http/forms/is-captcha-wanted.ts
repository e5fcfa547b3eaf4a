import type { ShownCaptcha } from "#app/client/show-captcha.ts";

/** The form is accepted with a captcha, or later. `typed` refills it. */
export type CaptchaRefusal = {
  reason: "captcha-wanted";
  retryAt: number;
  seconds: number;
  text: string;
  typed: Record<string, string>;
  captcha: ShownCaptcha & { label: string; hint: string; broken: string; withoutScript: string };
};

export function isCaptchaWanted(refusal: { reason: string } | undefined): refusal is CaptchaRefusal {
  return refusal !== undefined && "captcha" in refusal;
}
