import { loginMessages } from "#app/routes/login/messages.ts";
import { shareWithoutChallenge } from "#app/modules/accounts/codes/challenge.rules.ts";
import { sendsPerNetworkMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import type { FeatureTools } from "../../../../scripts/feature-tools.ts";

type Site = NonNullable<FeatureTools["site"]>;
type Action = NonNullable<Site["scenes"][number]["action"]>;

/** Forms that ask a suspicious network for a captcha. Its service is a stand-in, whose widget is a picture of the real one's size. */
export const captchaSite: Site = {
  open: async () => {
    const { openGallerySite } = await import("../../../../scripts/gallery/sites.ts");
    const { startTurnstile } = await import("../tests/start-turnstile.ts");
    const turnstile = await startTurnstile();
    return openGallerySite({ stripe: false, vars: turnstile.variables }, turnstile.close);
  },
  scenes: [
    {
      name: "log-in, a captcha",
      who: "nobody",
      path: "/login",
      status: 429,
      action: sendsSuspiciously(loginMessages.en.submit, loginMessages.en.email),
    },
    {
      name: "sign-up, a captcha",
      who: "nobody",
      path: "/signup",
      status: 429,
      action: sendsSuspiciously(signupMessages.en.submit, signupMessages.en.email),
    },
  ],
};

/** Sends a form from a network that has sent too many, so that the page asks for a captcha. */
function sendsSuspiciously(button: string, label: string): Action {
  return async (page) => {
    const { origin } = new URL(page.url());
    for (let nth = 0; nth < sendsPerNetworkMax * shareWithoutChallenge; nth += 1) {
      const form = { email: `${crypto.randomUUID()}@example.com` };
      await page.request.post(`${origin}/login`, { form, headers: { Origin: origin }, maxRedirects: 0 });
    }
    await page.getByLabel(label, { exact: true }).fill("cara@example.com");
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: button }).click();
    await page.locator("iframe, noscript p").first().waitFor();
  };
}
