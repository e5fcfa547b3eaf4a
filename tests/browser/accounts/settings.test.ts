import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { failingAt, whileBroken, without } from "#tests/support/database/damage.ts";
import { aDay, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { customer, leaver, lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { type Browsing, mailedCode, open, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

/** A part of the page, by its heading. */
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Where the focus is, for keyboards and screen readers. */
async function standsIn(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      // The result is shown in the section that it is about.
      const place = activeElement?.matches(".flash") ? activeElement.closest("section") : activeElement;
      return place?.querySelector("h1, h2")?.textContent ?? "nothing";
    });
  await expect.poll(focused, { timeout: 15_000, interval: 50 }).toBe(name);
  await expect.poll(() => isInView(page, name), { timeout: 15_000, interval: 50 }).toBe(true);
}

function isInView(page: Page, name: string): Promise<boolean> {
  return page.getByRole("heading", { name, exact: true }).evaluate((heading) => {
    const { top, bottom } = heading.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

async function outdateReauthentications(): Promise<void> {
  const database = await site.database();
  await database.exec("update sessions set proven_at = proven_at - 900000; delete from codes; delete from budget_uses");
}

async function confirm({ page, alive }: Browsing, address: string, nth: number): Promise<void> {
  await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
  await page.getByLabel("Code").fill(await mailedCode(site, address, nth));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/settings?continue=**");
  await alive();
}

/** Signed in elsewhere, too: there is a browser to sign out. */
async function signInElsewhere(address: string, nth: number): Promise<Visitor> {
  await (await site.database()).exec("delete from budget_uses");
  const other = await site.visitor().open("/login");
  await other.press("Send me a code", { email: address });
  return other.press("Sign in", { code: await mailedCode(site, address, nth) });
}

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("$mode", ({ javaScript }) => {
  test("after an action the focus is in its section, with the result", async () => {
    const mara = await customer(site, `acts-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await part(page, "Profile").getByRole("button", { name: "Save" }).press("Enter");
      await part(page, "Profile").getByText("Saved.").waitFor();
      await standsIn(page, "Profile");
      await page.getByRole("radio", { name: "Dark" }).check();
      await page.getByRole("button", { name: "Apply" }).press("Enter");
      await part(page, "Appearance").getByText("Saved for this browser.").waitFor();
      await browsing.alive();
      await standsIn(page, "Appearance");
      // The next stop is in this part, not at the top of the page.
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("theme");
      expect(await page.getByText("Saved").count()).toBe(1);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("the complete log begins where the short one was", async () => {
    const mara = await customer(site, `log-${javaScript}@example.com`);
    const database = await site.database();
    await database.exec(
      `insert into activities (id, account_id, what, device, place, happened_at) select 'act_' || value || a.id, a.id, 'confirmed', null, null, 1 from accounts a, json_each('[1,2,3,4,5,6]') where email = 'log-${javaScript}@example.com'`,
    );
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await page.getByRole("link", { name: "Show all of it" }).press("Enter");
      await page.waitForURL("**/settings?activity=all#activity");
      await standsIn(page, "Recent activity");
      await expect.poll(() => part(page, "Recent activity").getByRole("row").count()).toBe(8);
      expect(await page.getByText("These are the newest").count()).toBe(0);
      await database.exec(
        `insert into activities (id, account_id, what, device, place, happened_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 250) select 'act_' || i || '_' || a.id, a.id, 'confirmed', null, null, 1 from accounts a, n where email = 'log-${javaScript}@example.com'`,
      );
      await page.reload();
      await part(page, "Recent activity").getByText("These are the newest 200.").waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a re-authentication leads back to the section that asked for it, and restoring to the top", async () => {
    const address = `proof-${javaScript}@example.com`;
    const mara = await customer(site, address);
    await signInElsewhere(address, 2);
    await outdateReauthentications();
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await page.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
      await confirm(browsing, address, 3);
      await standsIn(page, "Signed-in browsers");
      await part(page, "Signed-in browsers").getByText("Thank you. Now send what you were about to send.").waitFor();
      await page.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
      await part(page, "Signed-in browsers").getByText("Every other browser is signed out.").waitFor();
      await standsIn(page, "Signed-in browsers");
      await outdateReauthentications();
      await page.locator("summary", { hasText: "Close my account" }).press("Enter");
      await page.getByRole("button", { name: "Close it now" }).press("Enter");
      await confirm(browsing, address, 5);
      await standsIn(page, "Close your account");
      await page.getByRole("button", { name: "Close it now" }).press("Enter");
      await part(page, "Restore your account").getByText("Your account is closed.").waitFor();
      await standsIn(page, "Restore your account");
      await page.getByRole("button", { name: "Restore my account" }).press("Enter");
      await page.getByText("Your account is back.").waitFor();
      const heading = () =>
        page.evaluate(() => document.activeElement?.matches("h1") && document.activeElement.textContent);
      await expect.poll(heading, { timeout: 15_000, interval: 50 }).toBe("You");
      expect(await isInView(page, "You")).toBe(true);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("optional emails are switched off and on, and a saved profile doesn't change them", async () => {
    const mara = await customer(site, `mails-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const isOn = (name: string) => page.getByRole("switch", { name }).isChecked();
      const switches = async () => [await isOn("Renewals"), await isOn("Rewards for friends"), await isOn("Limits")];
      expect(await switches()).toEqual([true, true, true]);
      await page.getByRole("switch", { name: "Rewards for friends" }).press("Space");
      await part(page, "Optional mails").getByRole("button", { name: "Save" }).press("Enter");
      await part(page, "Optional mails").getByText("Saved.").waitFor();
      await standsIn(page, "Optional mails");
      await part(page, "Profile").getByRole("button", { name: "Save" }).press("Enter");
      await part(page, "Profile").getByText("Saved.").waitFor();
      await open(browsing, `${site.origin}/settings`);
      expect(await switches()).toEqual([true, false, true]);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a phone shows each section as one line until it is opened; an address, a refusal and a completed action open theirs", async () => {
    const mara = await customer(site, `phone-${javaScript}@example.com`);
    const viewport = { width: 390, height: 844 };
    await withBrowser(chromium, { javaScript, viewport }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const isShown = (name: string) => part(page, name).locator(".card-body").isVisible();
      const folding = [
        `Get ${product.name}`,
        "Profile",
        "E-mail address",
        "Optional mails",
        "Passkeys",
        "Signed-in browsers",
      ];
      folding.push("Recent activity", "Appearance", "All my data", "Close your account");
      for (const name of folding) expect([name, await isShown(name)]).toEqual([name, false]);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2000);
      const summary = part(page, "E-mail address").locator("summary").first();
      expect(await summary.innerText()).toContain(`phone-${javaScript}@example.com`);
      await summary.press("Enter");
      await page.getByLabel("New address").fill("nobody");
      await page.getByLabel("New address").evaluate((field) => field.closest("form")?.setAttribute("novalidate", ""));
      await page.getByRole("button", { name: "Change address" }).click();
      await page.getByRole("link", { name: "That is not a whole e-mail address." }).click();
      await page.locator("#email:focus").waitFor();
      for (const [fragment, name] of [
        ["leaving", "Close your account"],
        ["passkeys", "Passkeys"],
      ] as const) {
        await open(browsing, `${site.origin}/legal/privacy`);
        await open(browsing, `${site.origin}/settings#${fragment}`);
        await expect.poll(() => isShown(name)).toBe(true);
        expect(await isShown("Profile")).toBe(false);
        await standsIn(page, name);
      }
      await open(browsing, `${site.origin}/settings`);
      await part(page, "Profile").locator("summary").first().press("Enter");
      await part(page, "Profile").getByRole("button", { name: "Save" }).press("Enter");
      await part(page, "Profile").getByText("Saved.").waitFor();
      await standsIn(page, "Profile");
      expect(await part(page, "Profile").getByLabel("Name").isVisible()).toBe(true);
    });
  });

  test("a wide screen shows all of it, and no section of it can be folded", async () => {
    const mara = await customer(site, `wide-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      for (const name of [`Get ${product.name}`, "Profile", "Signed-in browsers", "Close your account"]) {
        expect(await part(page, name).locator(".card-body").isVisible()).toBe(true);
      }
      expect(await page.locator(".card-folding > details > summary").filter({ visible: true }).count()).toBe(0);
      await page.getByLabel("New address").focus();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Change address");
    });
  });

  test.each([
    { width: 1280, height: 600 },
    { width: 320, height: 600 },
  ])(
    "what a re-authentication returns to is completely visible, from its title to its field, at $width px",
    async (viewport) => {
      const address = `back-${viewport.width}-${javaScript}@example.com`;
      const mara = await customer(site, address);
      await outdateReauthentications();
      await withBrowser(chromium, { javaScript, viewport }, async (browsing) => {
        await lendCookies(mara, browsing, site.origin);
        const page = await open(browsing, `${site.origin}/settings#address`);
        await page.getByLabel("New address").fill(`new-${address}`);
        await page.getByRole("button", { name: "Change address" }).press("Enter");
        await confirm(browsing, address, 2);
        const isWhole = () =>
          part(page, "E-mail address").evaluate((card) => {
            const field = card.querySelector("input");
            const flash = card.querySelector(".flash");
            const title = [...card.querySelectorAll("h2")].find((heading) => heading.checkVisibility());
            return (
              document.activeElement === field &&
              [title, flash, field].every((part) => {
                const { top, bottom } = part?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
                return top >= 0 && bottom <= innerHeight;
              })
            );
          });
        await expect.poll(isWhole, { timeout: 15_000 }).toBe(true);
        expect(await page.getByLabel("New address").inputValue()).toBe(`new-${address}`);
        await page.getByRole("button", { name: "Change address" }).press("Enter");
        await page.getByRole("button", { name: "Use another address" }).click();
        await page.waitForURL("**/settings?continue=**#email");
        await browsing.alive();
        await expect
          .poll(() => part(page, "E-mail address").evaluate((card) => card.getBoundingClientRect().top), {
            timeout: 15_000,
          })
          .toBeGreaterThanOrEqual(0);
        expect(await page.getByLabel("New address").and(page.locator(":focus")).count()).toBe(1);
      });
    },
  );

  test("a refused form leaves the plain address in the bar", async () => {
    const mara = await customer(site, `plain-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await page.getByLabel("New address").fill(`plain-${javaScript}@example.com`);
      await page.getByRole("button", { name: "Change address" }).click();
      await page.getByRole("link", { name: "Your account already has this address." }).waitFor();
      expect(page.url()).toBe(`${site.origin}/settings`);
    });
  });

  test("an error in one page leaves the links to the others working", async () => {
    const mara = await customer(site, `ways-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const rail = page.getByRole("navigation", { name: "Settings" });
      await whileBroken(site, without("order_lines"), async () => {
        await rail.getByRole("link", { name: "Orders" }).click();
        await page.getByRole("heading", { name: "Something broke on our side" }).waitFor();
      });
      expect(await page.title()).toBe(`Something broke on our side · ${product.name}`);
      await rail.getByRole("link", { name: "Invite friends" }).click();
      await page.getByRole("heading", { level: 1, name: "Invite friends" }).waitFor();
      await open(browsing, `${site.origin}/settings/orders?order=ord_of_nobody`);
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      await rail.getByRole("link", { name: "Orders" }).click();
      await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
    });
  });
});

describe("what was typed stays", () => {
  test("when a form's command fails: the form still contains it, the message has the focus, and it can be sent again", async () => {
    const mara = await customer(site, "typed@example.com");
    await withBrowser(chromium, {}, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const name = part(page, "Profile").getByLabel("Name");
      const save = part(page, "Profile").getByRole("button", { name: "Save" });
      await name.fill("Mara Lindqvist");
      for (const damage of [failingAt("update of name on accounts"), without("sessions")]) {
        await whileBroken(site, damage, async () => {
          await save.click();
          const notice = page.getByRole("alert").and(page.locator(":focus"));
          await notice.getByText("What you typed is still here").waitFor();
          await notice.getByText(/this helps us find it: \w+/).waitFor();
          expect(await name.inputValue()).toBe("Mara Lindqvist");
        });
      }
      await save.click();
      await part(page, "Profile").getByText("Saved.").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.reload();
      expect(await name.inputValue()).toBe("Mara Lindqvist");
    });
  });

  test("when the site can't be reached", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, `${site.origin}/login`);
      await page.getByLabel("E-mail address").fill("offline@example.com");
      await browsing.context.setOffline(true);
      await page.getByRole("button", { name: "Send me a code" }).click();
      await page.getByRole("alert").getByText("Your connection or our site is down.").waitFor();
      expect(await page.getByLabel("E-mail address").inputValue()).toBe("offline@example.com");
      await browsing.context.setOffline(false);
      await page.getByRole("button", { name: "Send me a code" }).click();
      await page.waitForURL("**/verify?**");
    });
  });
});

describe("dates in sentences have no words of another language in them", () => {
  test.each([
    ["de-DE", /until \d+\. \p{L}+ \d{4}, \d\d:\d\d ?\. Everything/u],
    ["fr-FR", /until \d+ \p{L}+ \d{4}, \d\d:\d\d ?\. Everything/u],
  ])("%s", async (locale, sentence) => {
    const leaving = await leaver(site, `${locale}@example.com`);
    const database = await site.database();
    await database
      .prepare("update accounts set locale = ? where email = ?")
      .bind(locale, `${locale}@example.com`)
      .run();
    expect((await leaving.open("/settings")).text()).toMatch(sentence);
  });

  test("and the plan's card is a complete sentence", async () => {
    const paying = await payer(site, "sentence@example.com", "paid");
    expect((await paying.open("/settings")).text()).toMatch(
      pattern`You are on ${small.name}\. The next charge is ${price(small)} on ${aDay}\.`,
    );
  });
});
