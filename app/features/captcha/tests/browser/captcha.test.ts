import { beforeEach, describe, expect, test } from "vitest";
import { captchaMessages } from "#app/features/captcha/messages.ts";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { shareWithoutChallenge } from "#app/modules/accounts/codes/challenge.rules.ts";
import { sendsPerNetworkMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { featureSamples } from "#tests/support/features.ts";
import { findings } from "#tests/browser/support/findings.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { type Browsing, open, termsBox } from "#tests/browser/support/steps.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { startTurnstile } from "#app/features/captcha/tests/start-turnstile.ts";

const turnstile = await startTurnstile();
useSiteAndBrowser({ stripe: false, vars: turnstile.variables });
beforeEach(() => {
  turnstile.paths.length = 0;
});

const forms = [
  ["/login", loginMessages.en.email, loginMessages.en.submit],
  ["/signup", signupMessages.en.email, signupMessages.en.submit],
  ...featureSamples.flatMap(({ addressForms = [] }) =>
    addressForms.map(({ path, texts }) => [path, texts.email, texts.submit] as const),
  ),
] as const;
const leadsTo = (path: string) =>
  featureSamples.flatMap(({ addressForms = [] }) => addressForms).find((form) => form.path === path)?.leadsTo;

let people = 0;

/** Uses up what the network of a browser may send without a captcha. */
async function makeSuspicious({ page }: Browsing): Promise<void> {
  for (let nth = 0; nth < sendsPerNetworkMax * shareWithoutChallenge; nth += 1) {
    const form = { email: `other.${(people += 1)}@example.com` };
    const answer = await page.request.post(`${site.origin}/login`, {
      form,
      headers: { Origin: site.origin },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(303);
  }
  // What it remembers of them isn't this visitor's.
  await page.context().clearCookies();
}

/** Everything that went wrong but the answers that ask for a captcha. */
const troublesOf = ({ troubles }: Browsing) => troubles.filter(({ status }) => status !== 429);

describe.each(forms)("the captcha of %s", (path, label, button) => {
  test.each([
    ["light", 1280],
    ["dark", 320],
  ] as const)(
    "in %s at %i pixels keeps what was typed, lets the form through, and stays on its page",
    async (colorScheme, width) => {
      const browsing = await chromium.newPage({ colorScheme, viewport: { width, height: 700 } });
      const { page } = browsing;
      await makeSuspicious(browsing);
      await open(browsing, site.origin + path);
      expect(turnstile.paths).toEqual([]);
      const email = `person.${(people += 1)}@example.com`;
      await page.getByLabel(label, { exact: true }).fill(email);
      if (path === "/signup") await termsBox(page).check();
      await page.getByRole("button", { name: button }).click();
      const group = page.getByRole("group", { name: captchaMessages.en.label });
      await group.waitFor();
      await browsing.alive();
      await page.getByText(captchaMessages.en.why.missing).and(page.locator(":visible")).first().waitFor();
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(email);
      const widget = group.locator("[data-sitekey]");
      await expect.poll(() => page.locator("input[name=captcha]").inputValue()).toMatch(/^token/);
      expect(await widget.getAttribute("data-language")).toBe("en");
      expect(await widget.getAttribute("data-theme")).toBe("auto");
      expect(await widget.getAttribute("data-size")).toBe(width === 320 ? "compact" : "flexible");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(await findings(page)).toEqual([]);
      // By keyboard: the widget is between the fields and the button.
      await page.getByRole("button", { name: button }).press("Enter");
      await page.waitForURL(leadsTo(path) ?? "**/verify?*");
      await browsing.alive();
      expect(await page.evaluate(() => [typeof globalThis.turnstile, document.scripts.length > 0])).toEqual([
        "undefined",
        true,
      ]);
      if (leadsTo(path) === undefined)
        await page
          .getByRole("heading", { name: verifyMessages.en.title[path === "/login" ? "sign-in" : "sign-up"] })
          .waitFor();
      expect(troublesOf(browsing)).toEqual([]);
      await browsing.context.close();
    },
  );

  test("isn't there without JavaScript, where a sentence says when the form can be sent again", async () => {
    const browsing = await chromium.newPage({ javaScript: false, viewport: { width: 320, height: 700 } });
    const { page } = browsing;
    await makeSuspicious(browsing);
    await open(browsing, site.origin + path);
    const email = `person.${(people += 1)}@example.com`;
    await page.getByLabel(label, { exact: true }).fill(email);
    if (path === "/signup") await termsBox(page).check();
    await page.getByRole("button", { name: button }).click();
    const sentence = page.locator("noscript p");
    await sentence.waitFor();
    expect(await sentence.innerText()).toMatch(fillGaps(quotaRefusalMessages.en["challenge-wanted"](gap)));
    expect(await page.getByText(captchaMessages.en.label).isVisible()).toBe(false);
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(email);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(turnstile.paths).toEqual([]);
    expect(troublesOf(browsing)).toEqual([]);
    await browsing.context.close();
  });
});

test("a captcha that can't be loaded says so, and the form stays", async () => {
  const browsing = await chromium.newPage();
  const { page } = browsing;
  await makeSuspicious(browsing);
  await page.route("**/api.js*", (route) => route.abort());
  await open(browsing, `${site.origin}/login`);
  await page.getByLabel(loginMessages.en.email).fill("blocked@example.com");
  await page.getByRole("button", { name: loginMessages.en.submit }).click();
  const broken = page.getByRole("alert").filter({ hasText: fillGaps(captchaMessages.en.broken(gap)) });
  await broken.waitFor();
  await page.getByRole("button", { name: loginMessages.en.submit }).click();
  await broken.waitFor();
  expect(await page.getByLabel(loginMessages.en.email).inputValue()).toBe("blocked@example.com");
  await browsing.context.close();
});

test("the page with a captcha is left by loading a document, so that its script ends", async () => {
  const browsing = await chromium.newPage();
  const { page } = browsing;
  await makeSuspicious(browsing);
  await open(browsing, `${site.origin}/login`);
  await page.getByLabel(loginMessages.en.email).fill("leaving@example.com");
  await page.getByRole("button", { name: loginMessages.en.submit }).click();
  await page.waitForFunction(() => typeof globalThis.turnstile === "object");
  await page.getByRole("link", { name: loginMessages.en.signUpLink }).first().click();
  await page.getByRole("heading", { level: 1, name: signupMessages.en.title }).waitFor();
  expect(await page.evaluate(() => typeof globalThis.turnstile)).toBe("undefined");
  expect(troublesOf(browsing)).toEqual([]);
  await browsing.context.close();
});
