import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { open } from "#tests/browser/support/steps.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { startChromium } from "#tests/support/clients/chromium.ts";
import { startThirdParty } from "#tests/support/site/start-third-party.ts";

/** One that every visitor meets, and one of the account. A third is declared nowhere. */
const [counting, chat, undeclared] = await Promise.all([startThirdParty(), startThirdParty(), startThirdParty()]);

const declared = (origin: string) => ({
  name: origin,
  purpose: "Counts visits.",
  privacyUrl: "https://skua.example/privacy",
  stores: [],
  scripts: [{ src: `${origin}/script.js`, attributes: { "data-domain": "site.example" } }],
  inline: "document.documentElement.dataset.inline = 'ran'",
  stylesheets: [`${origin}/style.css`],
  policy: { "connect-src": [origin], "img-src": [origin], "frame-src": [origin] },
});

useSiteAndBrowser({
  stripe: false,
  thirdParties: [declared(counting.origin), { ...declared(chat.origin), pages: "account" }],
});
afterAll(() => Promise.all([counting, chat, undeclared].map(({ close }) => close())));
beforeEach(() => {
  for (const { requests } of [counting, chat, undeclared]) requests.length = 0;
});

const everything = ["/beacon?at=/", "/frame", "/pixel", "/script.js", "/second.js", "/style.css"];

describe("a declared service", () => {
  test("runs on the landing page as its company wrote it, and the policy blocks none of it", async () => {
    const browsing = await chromium.newPage();
    const page = await open(browsing, `${site.origin}/`);
    await expect.poll(() => counting.paths().toSorted()).toEqual(everything);
    const root = page.locator("html");
    expect(await root.getAttribute("data-runs")).toBe("2");
    expect(await root.getAttribute("data-domain")).toBe("site.example");
    expect(await root.getAttribute("data-inline")).toBe("ran");
    await page.waitForFunction(() => document.documentElement.dataset["second"] === "ran");
    const styled = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--third-party"),
    );
    expect(styled).toBe("loaded");
    expect(browsing.troubles).toEqual([]);
    // It learns the page's address from its own script, and nothing from the browser.
    expect(counting.requests.map(({ referrer, cookie }) => [referrer, cookie])).toEqual(
      everything.map(() => [undefined, undefined]),
    );
    await browsing.context.close();
  });

  test("doesn't follow a visitor to the page for signing in, nor back into the document", async () => {
    const browsing = await chromium.newPage();
    const page = await open(browsing, `${site.origin}/`);
    await page.getByRole("link", { name: rootMessages.en.signIn }).first().click();
    await page.getByRole("heading", { level: 1, name: loginMessages.en.title }).waitFor();
    await browsing.alive();
    expect(await page.locator("[data-third-party]").count()).toBe(0);
    expect(await page.locator("html").getAttribute("data-runs")).toBeNull();
    await page.getByRole("link", { name: rootMessages.en.signUp }).first().click();
    await page.waitForURL("**/signup");
    await page.goBack();
    await page.goBack();
    await page.waitForFunction(() => document.documentElement.dataset["runs"] === "2");
    expect(browsing.troubles).toEqual([]);
    await browsing.context.close();
  });

  test("of the account runs there, and stops where an action asks for a code", async () => {
    const customer = await signUp(site, "customer@example.com", "");
    const database = await site.database();
    await database.prepare("update sessions set proven_at = proven_at - 86400000").run();
    const browsing = await chromium.newPage();
    await lendCookies(customer, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings`);
    await page.waitForFunction(() => document.documentElement.dataset["runs"] === "1");
    expect(counting.requests).toEqual([]);
    await page.getByRole("link", { name: settingsMessages.en.security }).first().click();
    await page.waitForURL("**/settings/security");
    await browsing.alive();
    await page.waitForFunction(() => document.documentElement.dataset["runs"] === "1");
    await page.getByLabel(securityMessages.en.email.label).fill("next@example.com");
    await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
    await page.waitForURL("**/verify?*");
    await browsing.alive();
    expect(await page.locator("html").getAttribute("data-runs")).toBeNull();
    expect(browsing.troubles).toEqual([]);
    await browsing.context.close();
  });

  test("of the account stops where a form of an ended session leads to signing in", async () => {
    const customer = await signUp(site, "ended@example.com", "");
    const browsing = await chromium.newPage();
    await lendCookies(customer, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/security`);
    await page.waitForFunction(() => document.documentElement.dataset["runs"] === "1");
    await browsing.alive();
    await (await site.database()).prepare("delete from sessions").run();
    await page.getByLabel(securityMessages.en.email.label).fill("next@example.com");
    await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
    await page.waitForURL("**/login?*");
    await browsing.alive();
    expect(await page.locator("html").getAttribute("data-runs")).toBeNull();
    expect(browsing.troubles).toEqual([]);
    await browsing.context.close();
  });
});

test("what isn't declared is refused, on the same page", async () => {
  // A document that a test has changed comes from no address, and Chromium would ask before it connects to this machine.
  const lenient = await startChromium(["--disable-features=LocalNetworkAccessChecks"]);
  const browsing = await lenient.newPage();
  const { origin } = undeclared;
  const markup =
    `<script src="${origin}/script.js"></script><script>fetch("${origin}/beacon")</script>` +
    `<link rel="stylesheet" href="${origin}/style.css"><img src="${origin}/pixel" alt=""><iframe src="${origin}/frame"></iframe>`;
  await browsing.page.route(`${site.origin}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace("</body>", `${markup}</body>`) });
  });
  await open(browsing, `${site.origin}/`);
  await expect.poll(() => counting.paths()).toContain("/beacon?at=/");
  const blocked = () => browsing.troubles.flatMap(({ kind, text }) => (kind === "csp" ? [text.split(" ")[0]] : []));
  await expect
    .poll(() => blocked())
    .toEqual(expect.arrayContaining(["script-src-elem", "style-src-elem", "img-src", "frame-src"]));
  expect(undeclared.requests).toEqual([]);
  await lenient.close();
});
