import { beforeAll, describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { devicesMessages } from "#app/features/devices/page/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { findings } from "#tests/browser/support/findings.ts";
import { open } from "#tests/browser/support/steps.ts";
import { deviceOwner, lendCookies } from "#tests/browser/support/visitors.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { free, pages, small } from "#tests/support/billing/catalogue.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

let stranger: Visitor;
let newcomer: Visitor;
/** Their plan ended, with a device. */
let former: Visitor;

useSiteAndBrowser({ freePlan: "none" });
beforeAll(async () => {
  stranger = site.visitor();
  newcomer = await signUp(site, "newcomer@example.com");
  former = await payerOfThePast("former@example.com");
});

async function payerOfThePast(address: string): Promise<Visitor> {
  const visitor = await deviceOwner(site, address, true);
  const ended =
    "update subscriptions set state = 'ended', ended_at = started_at where account_id = (select id from accounts where email = ?)";
  await (await site.database()).prepare(ended).bind(address).run();
  return visitor;
}

describe.each([
  ["light", true],
  ["dark", false],
] as const)("a product without a free plan, in %s with scripts: %s", (colorScheme, javaScript) => {
  test.each([
    ["the landing page", () => stranger, "/", landingMessages.en.start(small.name)],
    ["the overview", () => newcomer, "/settings", overviewPlanMessages.en.choose],
    ["the overview after the plan ended", () => former, "/settings", overviewPlanMessages.en.choose],
    ["the page of devices", () => newcomer, pages.account, devicesMessages.en.noPlan.choose],
    ["the page of devices after the plan ended", () => former, pages.account, devicesMessages.en.noPlan.choose],
    ["the plan page", () => newcomer, pages.plan, planMessages.en.noPlan.choose],
    ["the page of plans", () => former, "/settings/upgrade", upgradeMessages.en.choose(small.name)],
  ] as const)("%s has one main action, and fits 320 pixels", async (_, who, path, action) => {
    const viewport = { width: 320, height: 640 };
    const browsing = await chromium.newPage({ colorScheme, javaScript, viewport });
    await lendCookies(who(), browsing, site.origin);
    const page = await open(browsing, site.origin + path);
    await page.locator(".button-primary", { hasText: action }).first().waitFor();
    expect(await page.getByText(free.tagline).count()).toBe(0);
    expect((await page.locator("html").boundingBox())?.width).toBe(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    if (javaScript) expect(await findings(page)).toEqual([]);
    expect(browsing.troubles).toEqual([]);
    await browsing.context.close();
  });
});

test("the main action of the overview leads to a paid plan", async () => {
  const browsing = await chromium.newPage();
  await lendCookies(newcomer, browsing, site.origin);
  const page = await open(browsing, `${site.origin}/settings`);
  await page.locator("#content").getByRole("link", { name: overviewPlanMessages.en.choose }).click();
  await page.getByRole("heading", { level: 1, name: upgradeMessages.en.titleNoPlan }).waitFor();
  expect(await page.title()).toContain(upgradeMessages.en.titleNoPlan);
  await page.getByRole("button", { name: upgradeMessages.en.choose(small.name) }).click();
  await page.getByRole("heading", { level: 1, name: upgradeMessages.en.confirm.title(small.name) }).waitFor();
  expect(browsing.troubles).toEqual([]);
  expect(await page.title()).toContain(product.name);
});
