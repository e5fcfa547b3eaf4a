import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { ordersMessages } from "#app/routes/settings/orders/messages.ts";
import { accountClosingMessages } from "#app/routes/settings/overview/closing.messages.ts";
import { gettingStartedMessages } from "#app/routes/settings/overview/getting-started.messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { expectFocusIn, isInView, section } from "#tests/browser/support/sections.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, reauthenticate, withBrowser } from "#tests/browser/support/steps.ts";
import { departing, lendCookies, outdateReauthentications, payer } from "#tests/browser/support/visitors.ts";
import { aDay, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { signIn, signUp } from "#tests/support/clients/customers.ts";
import { failingAt, whileBroken, without } from "#tests/support/database/damage.ts";

useSiteAndBrowser();

const { profile, email, emails, passkeys, sessions, activity, appearance } = overviewMessages.en;
const { flash } = rootMessages.en;

describe.each(javaScriptModes)("$mode", ({ javaScript }) => {
  test("after an action the focus is in its section, with the result", async () => {
    const mara = await signUp(site, `acts-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await section(page, profile.title).getByRole("button", { name: profile.save }).press("Enter");
      await section(page, profile.title).getByText(flash["profile-saved"]).waitFor();
      await expectFocusIn(page, profile.title);
      await page.getByRole("radio", { name: appearance.dark }).check();
      await section(page, appearance.title).getByRole("button", { name: appearance.save }).press("Enter");
      await section(page, appearance.title).getByText(flash["appearance-saved"]).waitFor();
      await browsing.alive();
      await expectFocusIn(page, appearance.title);
      // The next stop is in this part, not at the top of the page.
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("theme");
      expect(await page.getByText(flash["appearance-saved"]).count()).toBe(1);
      expect(await page.getByText(flash["profile-saved"], { exact: true }).count()).toBe(0);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("the complete log begins where the short one was", async () => {
    const mara = await signUp(site, `log-${javaScript}@example.com`);
    const database = await site.database();
    await database.exec(
      `insert into activities (id, account_id, what, device, place, happened_at) select 'act_' || value || a.id, a.id, 'confirmed', null, null, 1 from accounts a, json_each('[1,2,3,4,5,6]') where email = 'log-${javaScript}@example.com'`,
    );
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await page.getByRole("link", { name: activity.all }).press("Enter");
      await page.waitForURL("**/settings?activity=all#activity");
      await expectFocusIn(page, activity.title);
      await expect.poll(() => section(page, activity.title).getByRole("row").count()).toBe(8);
      expect(await page.getByText(activity.cut(200)).count()).toBe(0);
      await database.exec(
        `insert into activities (id, account_id, what, device, place, happened_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 250) select 'act_' || i || '_' || a.id, a.id, 'confirmed', null, null, 1 from accounts a, n where email = 'log-${javaScript}@example.com'`,
      );
      await page.reload();
      await section(page, activity.title).getByText(activity.cut(200)).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a re-authentication leads back to the section that asked for it, and restoring to the top", async () => {
    const address = `proof-${javaScript}@example.com`;
    const mara = await signUp(site, address);
    await signIn(site, address, 2);
    await outdateReauthentications(site);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await page.getByRole("button", { name: sessions.endOthers }).press("Enter");
      await reauthenticate(browsing, site, address, 3);
      await expectFocusIn(page, sessions.title);
      await section(page, sessions.title).getByText(flash.confirmed).waitFor();
      await page.getByRole("button", { name: sessions.endOthers }).press("Enter");
      await section(page, sessions.title).getByText(flash["other-sessions-ended"]).waitFor();
      await expectFocusIn(page, sessions.title);
      await outdateReauthentications(site);
      await page.locator("summary", { hasText: accountClosingMessages.en.close.open }).press("Enter");
      await page.getByRole("button", { name: accountClosingMessages.en.close.button }).press("Enter");
      await reauthenticate(browsing, site, address, 5);
      await expectFocusIn(page, accountClosingMessages.en.close.title);
      await page.getByRole("button", { name: accountClosingMessages.en.close.button }).press("Enter");
      await section(page, accountClosingMessages.en.page.restore).getByText(flash["leaving-begun"]).waitFor();
      await expectFocusIn(page, accountClosingMessages.en.page.restore);
      await page.getByRole("button", { name: accountClosingMessages.en.page.button }).press("Enter");
      await page.getByText(flash.restored).waitFor();
      const heading = () =>
        page.evaluate(() => document.activeElement?.matches("h1") && document.activeElement.textContent);
      await expect.poll(heading, { timeout: 15_000, interval: 50 }).toBe(overviewMessages.en.title);
      expect(await isInView(page, overviewMessages.en.title)).toBe(true);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("optional emails are switched off and on, and a saved profile doesn't change them", async () => {
    const mara = await signUp(site, `mails-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const isOn = (name: string) => page.getByRole("switch", { name }).isChecked();
      const switches = async () => [
        await isOn(emails.kinds.renewals.label),
        await isOn(emails.kinds.rewards.label),
        await isOn(emails.kinds.usage.label),
      ];
      expect(await switches()).toEqual([true, true, true]);
      await page.getByRole("switch", { name: emails.kinds.rewards.label }).press("Space");
      await section(page, emails.title).getByRole("button", { name: emails.save }).press("Enter");
      await section(page, emails.title).getByText(flash["mails-saved"]).waitFor();
      await expectFocusIn(page, emails.title);
      await section(page, profile.title).getByRole("button", { name: profile.save }).press("Enter");
      await section(page, profile.title).getByText(flash["profile-saved"]).waitFor();
      await open(browsing, `${site.origin}/settings`);
      expect(await switches()).toEqual([true, false, true]);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a phone shows each section as one line until it is opened; an address, a refusal and a completed action open theirs", async () => {
    const mara = await signUp(site, `phone-${javaScript}@example.com`);
    const viewport = { width: 390, height: 844 };
    await withBrowser(chromium, { javaScript, viewport }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const isShown = (name: string) => section(page, name).locator(".card-body").isVisible();
      const folding = [
        gettingStartedMessages.en.title(product.name),
        profile.title,
        email.title,
        emails.title,
        passkeys.title,
        sessions.title,
      ];
      folding.push(
        activity.title,
        appearance.title,
        accountClosingMessages.en.data.title,
        accountClosingMessages.en.close.title,
      );
      for (const name of folding) expect([name, await isShown(name)]).toEqual([name, false]);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2000);
      const summary = section(page, email.title).locator("summary").first();
      expect(await summary.innerText()).toContain(`phone-${javaScript}@example.com`);
      await summary.press("Enter");
      await page.getByLabel(email.label).fill("nobody");
      await page.getByLabel(email.label).evaluate((field) => field.closest("form")?.setAttribute("novalidate", ""));
      await page.getByRole("button", { name: email.submit }).click();
      await page.getByRole("link", { name: overviewMessages.en.problems["email-malformed"] }).click();
      await page.locator("#email:focus").waitFor();
      for (const [fragment, name] of [
        ["leaving", accountClosingMessages.en.close.title],
        ["passkeys", passkeys.title],
      ] as const) {
        await open(browsing, `${site.origin}/legal/privacy`);
        await open(browsing, `${site.origin}/settings#${fragment}`);
        await expect.poll(() => isShown(name)).toBe(true);
        expect(await isShown(profile.title)).toBe(false);
        await expectFocusIn(page, name);
      }
      await open(browsing, `${site.origin}/settings`);
      await section(page, profile.title).locator("summary").first().press("Enter");
      await section(page, profile.title).getByRole("button", { name: profile.save }).press("Enter");
      await section(page, profile.title).getByText(flash["profile-saved"]).waitFor();
      await expectFocusIn(page, profile.title);
      expect(await section(page, profile.title).getByLabel(profile.name).isVisible()).toBe(true);
    });
  });

  test("a wide screen shows all of it, and no section of it can be folded", async () => {
    const mara = await signUp(site, `wide-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      for (const name of [
        gettingStartedMessages.en.title(product.name),
        profile.title,
        sessions.title,
        accountClosingMessages.en.close.title,
      ]) {
        expect(await section(page, name).locator(".card-body").isVisible()).toBe(true);
      }
      expect(await page.locator(".card-folding > details > summary").filter({ visible: true }).count()).toBe(0);
      await page.getByLabel(email.label).focus();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(email.submit);
    });
  });

  test.each([
    { width: 1280, height: 600 },
    { width: 320, height: 600 },
  ])(
    "what a re-authentication returns to is completely visible, from its title to its field, at $width px",
    async (viewport) => {
      const address = `back-${viewport.width}-${javaScript}@example.com`;
      const mara = await signUp(site, address);
      await outdateReauthentications(site);
      await withBrowser(chromium, { javaScript, viewport }, async (browsing) => {
        await lendCookies(mara, browsing, site.origin);
        const page = await open(browsing, `${site.origin}/settings#address`);
        await page.getByLabel(email.label).fill(`new-${address}`);
        await page.getByRole("button", { name: email.submit }).press("Enter");
        await reauthenticate(browsing, site, address, 2);
        const isWhole = () =>
          section(page, email.title).evaluate((card) => {
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
        expect(await page.getByLabel(email.label).inputValue()).toBe(`new-${address}`);
        await page.getByRole("button", { name: email.submit }).press("Enter");
        await page.getByRole("button", { name: verifyMessages.en.change }).click();
        await page.waitForURL("**/settings?continue=**#email");
        await browsing.alive();
        await expect
          .poll(() => section(page, email.title).evaluate((card) => card.getBoundingClientRect().top), {
            timeout: 15_000,
          })
          .toBeGreaterThanOrEqual(0);
        expect(await page.getByLabel(email.label).and(page.locator(":focus")).count()).toBe(1);
      });
    },
  );

  test("a refused form leaves the plain address in the bar", async () => {
    const mara = await signUp(site, `plain-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      await page.getByLabel(email.label).fill(`plain-${javaScript}@example.com`);
      await page.getByRole("button", { name: email.submit }).click();
      await page.getByRole("link", { name: overviewMessages.en.problems["same-address"] }).waitFor();
      expect(page.url()).toBe(`${site.origin}/settings`);
    });
  });

  test("an error in one page leaves the links to the others working", async () => {
    const mara = await signUp(site, `ways-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const rail = page.getByRole("navigation", { name: settingsMessages.en.label });
      await whileBroken(site, without("order_lines"), async () => {
        await rail.getByRole("link", { name: settingsMessages.en.orders }).click();
        await page.getByRole("heading", { name: rootMessages.en.broken.title }).waitFor();
      });
      expect(await page.title()).toBe(`${rootMessages.en.broken.title} · ${product.name}`);
      await rail.getByRole("link", { name: settingsMessages.en.referral }).click();
      await page.getByRole("heading", { level: 1, name: referralMessages.en.title }).waitFor();
      await open(browsing, `${site.origin}/settings/orders?order=ord_of_nobody`);
      await page.getByRole("heading", { name: rootMessages.en.missing.title }).waitFor();
      await rail.getByRole("link", { name: settingsMessages.en.orders }).click();
      await page.getByRole("heading", { level: 1, name: ordersMessages.en.title }).waitFor();
    });
  });
});

describe("what was typed stays", () => {
  test("when a form's command fails: the form still contains it, the message has the focus, and it can be sent again", async () => {
    const mara = await signUp(site, "typed@example.com");
    await withBrowser(chromium, {}, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const name = section(page, profile.title).getByLabel(profile.name);
      const save = section(page, profile.title).getByRole("button", {
        name: profile.save,
      });
      await name.fill("Mara Lindqvist");
      for (const damage of [failingAt("update of name on accounts"), without("sessions")]) {
        await whileBroken(site, damage, async () => {
          await save.click();
          const notice = page.getByRole("alert").and(page.locator(":focus"));
          await notice.getByText(rootMessages.en.unsent.text).waitFor();
          await notice.getByText(fillGaps(rootMessages.en.broken.reference(gap), /\w+/)).waitFor();
          expect(await name.inputValue()).toBe("Mara Lindqvist");
        });
      }
      await save.click();
      await section(page, profile.title).getByText(flash["profile-saved"]).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.reload();
      expect(await name.inputValue()).toBe("Mara Lindqvist");
    });
  });

  test("when the site can't be reached", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, `${site.origin}/login`);
      await page.getByLabel(loginMessages.en.email).fill("offline@example.com");
      await browsing.context.setOffline(true);
      await page.getByRole("button", { name: loginMessages.en.submit }).click();
      await page.getByRole("alert").getByText(rootMessages.en.unreached.text).waitFor();
      expect(await page.getByLabel(loginMessages.en.email).inputValue()).toBe("offline@example.com");
      await browsing.context.setOffline(false);
      await page.getByRole("button", { name: loginMessages.en.submit }).click();
      await page.waitForURL("**/verify?**");
    });
  });
});

describe("dates in sentences have no words of another language in them", () => {
  test.each([
    ["de-DE", /\d+\. \p{L}+ \d{4}, \d\d:\d\d ?/u],
    ["fr-FR", /\d+ \p{L}+ \d{4}, \d\d:\d\d ?/u],
  ])("%s", async (locale, day) => {
    const { until, untilText } = accountClosingMessages.en.page;
    const sentence = new RegExp(pattern`${until.trim()} ${day}\. ${untilText}`, "u");
    const leaving = await departing(site, `${locale}@example.com`);
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
      fillGaps(overviewPlanMessages.en.renews(small.name, price(small), gap), aDay),
    );
  });
});
