import { describe, expect, test } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { customer, lendCookies } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { mailedCode, mailedLink, open, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("a change of address, $mode", ({ javaScript }) => {
  test("passes through a re-authentication and an error, and returns to its field each time, which has the focus", async () => {
    const address = `ada-${javaScript}@example.com`;
    const visitor = await customer(site, address);
    const database = await site.database();
    await database.exec("update sessions set proven_at = proven_at - 900000; delete from budget_uses");
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(visitor, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const field = page.getByLabel("New address");
      const isThere = (typed: string) =>
        expect.poll(() => field.and(page.locator(":focus")).inputValue(), { timeout: 15_000 }).toBe(typed);
      await field.fill(`wrong-${javaScript}@example.com`);
      await page.getByRole("button", { name: "Change address" }).click();
      await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
      expect(await page.getByRole("button", { name: "Use another address" }).count()).toBe(0);
      await page.getByLabel("Code").fill(await mailedCode(site, address, 2));
      await page.getByRole("button", { name: "Confirm" }).click();
      await isThere(`wrong-${javaScript}@example.com`);

      await page.getByRole("button", { name: "Change address" }).click();
      await page.getByRole("heading", { name: "Confirm your new address" }).waitFor();
      await page.getByRole("button", { name: "Use another address" }).click();
      await isThere(`wrong-${javaScript}@example.com`);

      const right = `bea-${javaScript}@example.com`;
      await field.fill(right);
      await page.getByRole("button", { name: "Change address" }).click();
      await page.getByRole("heading", { name: "Confirm your new address" }).waitFor();
      await page.getByLabel("Code").fill(await mailedCode(site, right));
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByText(`Signed in as ${right}.`).waitFor();
      // The result has the focus, not the empty field for the next one.
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
      await expect.poll(focused, { timeout: 15_000 }).toContain(rootMessages.en.flash["address-changed"]);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("is reverted by the button behind the link, and a second click says that it is done", async () => {
    const address = `cleo-${javaScript}@example.com`;
    const thief = await customer(site, address);
    await thief.post({ intent: "change-email", email: `dora-${javaScript}@example.com` }, "/settings");
    await thief.press("Confirm", { code: await mailedCode(site, `dora-${javaScript}@example.com`) });
    const link = await mailedLink(site, address, "/verify", 2);
    await withBrowser(chromium, { javaScript }, async (owner) => {
      await open(owner, link);
      const { page } = owner;
      const twin = await chromium.newPage({ javaScript, context: owner.context });
      await open(twin, link);
      await page.getByRole("button", { name: "Take the change back" }).click();
      await page.waitForURL(`${site.origin}/login`);
      await page.getByText("Your old address is back, and every browser is signed out.").waitFor();
      await twin.page.getByRole("button", { name: "Take the change back" }).click();
      await twin.page.getByRole("heading", { name: "This change has already been taken back" }).waitFor();
      expect(owner.troubles).toEqual([]);
      // The click, and what the page then reads again.
      const [press, again, ...others] = twin.troubles.map(({ kind, status }) => `${kind} ${status}`);
      expect([press, again ?? press, others]).toEqual(["refused-request 409", "refused-request 409", []]);
    });
    expect((await thief.open("/settings")).path()).toContain("/login");
  });
});
