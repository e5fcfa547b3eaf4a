import { flashMessages } from "#app/http/page/flash.messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { describe, expect, test } from "vitest";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { verifyMessages, verifyRevertMessages } from "#app/routes/verify/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { enterCode, emailedLink, open, reauthenticate, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies, outdateReauthentications } from "#tests/browser/support/visitors.ts";
import { askForChange, signUp, typeCode } from "#tests/support/clients/customers.ts";

useSiteAndBrowser();

describe.each(javaScriptModes)("a change of address, $mode", ({ javaScript }) => {
  test("requires a re-authentication, shows an error, and focuses its field on each return", async () => {
    const address = `ada-${javaScript}@example.com`;
    const visitor = await signUp(site, address);
    await outdateReauthentications(site);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(visitor, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/security`);
      const field = page.getByLabel(securityMessages.en.email.label);
      const isThere = (typed: string) =>
        expect.poll(() => field.and(page.locator(":focus")).inputValue(), { timeout: 15_000 }).toBe(typed);
      await field.fill(`wrong-${javaScript}@example.com`);
      await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
      await page.getByRole("heading", { name: verifyMessages.en.title["reauthentication"] }).waitFor();
      expect(await page.getByRole("button", { name: verifyMessages.en.change }).count()).toBe(0);
      await reauthenticate(browsing, site, address, 2);
      await isThere(`wrong-${javaScript}@example.com`);

      await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
      await page.getByRole("heading", { name: verifyMessages.en.title["change-email"] }).waitFor();
      await page.getByRole("button", { name: verifyMessages.en.change }).click();
      await isThere(`wrong-${javaScript}@example.com`);

      const right = `bea-${javaScript}@example.com`;
      await field.fill(right);
      await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
      await page.getByRole("heading", { name: verifyMessages.en.title["change-email"] }).waitFor();
      await enterCode(page, await site.codeTo(right), "change-email");
      await page.getByRole("strong").getByText(right).waitFor();
      expect(await field.inputValue()).toBe("");
      // The result has the focus, not the empty field for the next one.
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
      await expect.poll(focused, { timeout: 15_000 }).toContain(flashMessages.en["address-changed"]);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("is reverted by the button behind the link, and a second click says that it was reverted", async () => {
    const address = `cleo-${javaScript}@example.com`;
    const thief = await signUp(site, address);
    await askForChange(thief, `dora-${javaScript}@example.com`);
    await typeCode(thief, await site.codeTo(`dora-${javaScript}@example.com`));
    const link = await emailedLink(site, address, "/verify", 2);
    await withBrowser(chromium, { javaScript }, async (owner) => {
      await open(owner, link);
      const { page } = owner;
      const twin = await chromium.newPage({ javaScript, context: owner.context });
      await open(twin, link);
      await page.getByRole("button", { name: verifyRevertMessages.en.submit }).click();
      await page.waitForURL(`${site.origin}/login`);
      await page.getByText(flashMessages.en["address-reverted"]).waitFor();
      await twin.page.getByRole("button", { name: verifyRevertMessages.en.submit }).click();
      await twin.page.getByRole("heading", { name: verifyRevertMessages.en.over["link-used"].title }).waitFor();
      expect(owner.troubles).toEqual([]);
      // The click, and what the page then reads again.
      const [press, again, ...others] = twin.troubles.map(({ kind, status }) => `${kind} ${status}`);
      expect([press, again ?? press, others]).toEqual(["refused-request 409", "refused-request 409", []]);
    });
    expect((await thief.open("/settings")).path()).toContain("/login");
  });
});
