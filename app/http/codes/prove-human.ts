import type { App } from "#app/app.ts";
import type { CaptchaForm, CaptchaProof } from "#app/modules/accounts/codes/captcha.rules.ts";

/** What a form's captcha token proves. The provider is asked only about a token, and only a suspicious form's page has one. */
export async function proveHuman(
  { captcha }: Pick<App, "captcha">,
  form: CaptchaForm,
  token: string | undefined,
): Promise<CaptchaProof> {
  if (captcha === null) return "off";
  return token ? captcha.check(token, form) : "missing";
}
