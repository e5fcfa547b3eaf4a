import type { App } from "#app/app.ts";
import type { CaptchaForm, CaptchaProof } from "#app/modules/codes/captcha.rules.ts";

/** What the captcha's token of a form proves. Asked only where there is a token, which only a suspicious form's page has. */
export async function proveHuman(
  { captcha }: Pick<App, "captcha">,
  form: CaptchaForm,
  token: string | undefined,
): Promise<CaptchaProof> {
  if (captcha === null) return "off";
  return token ? captcha.check(token, form) : "missing";
}
