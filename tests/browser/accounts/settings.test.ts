import { segmentPath } from "#app/core/page-paths.ts";
import { featuresOn } from "#app/features.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { ordersMessages } from "#app/routes/settings/orders/messages.ts";
import { accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { notificationsMessages } from "#app/routes/settings/notifications/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { expectFocusIn, isInView, section } from "#tests/browser/support/sections.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, reauthenticate, withBrowser } from "#tests/browser/support/steps.ts";
import { departing, lendCookies, outdateReauthentications, payer } from "#tests/browser/support/visitors.ts";
import { aDay, pages, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { signIn, signUp } from "#tests/support/clients/customers.ts";
import { failingAt, whileBroken, without } from "#tests/support/database/damage.ts";

useSiteAndBrowser();

const { profile, appearance } = profileMessages.en;
const { email, passkeys, sessions, activity } = securityMessages.en;
const { emails } = notificationsMessages.en;
const flash = flashMessages.en;

describe.each(javaScriptModes)("$mode", ({ javaScript }) => {
  test("an action moves the focus to its section, with the result", async () => {
    const mara = await signUp(site, `acts-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/profile`);
      await section(page, profile.title).getByRole("button", { name: profile.save }).press("Enter");
      await section(page, profile.title).getByText(flash["profile-saved"]).waitFor();
      await expectFocusIn(page, profile.title);
      await browsing.alive();
      // The next stop is in this part, not at the top of the page.
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("name");
      const dark = page.getByRole("radio", { name: appearance.dark });
      await dark.check();
      const save = section(page, appearance.title).getByRole("button", { name: appearance.save });
      expect(await save.count()).toBe(javaScript ? 0 : 1);
      if (javaScript) {
        await section(page, appearance.title).getByText(appearance.saved).waitFor();
        expect(await dark.and(page.locator(":focus")).count()).toBe(1);
        expect(page.url()).toBe(`${site.origin}/settings/profile#profile`);
      } else {
        await save.press("Enter");
        await section(page, appearance.title).getByText(flash["appearance-saved"]).waitFor();
        await expectFocusIn(page, appearance.title);
        expect(await page.getByText(flash["appearance-saved"]).count()).toBe(1);
        expect(await page.getByText(flash["profile-saved"], { exact: true }).count()).toBe(0);
      }
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("the complete log continues where the short one ends", async () => {
    const mara = await signUp(site, `log-${javaScript}@example.com`);
    const database = await site.database();
    await database.exec(
      `insert into activities (id, account_id, what, device, country, happened_at) select 'act_' || value || a.id, a.id, 'confirmed', null, null, 1 from accounts a, json_each('[1,2,3,4,5,6]') where email = 'log-${javaScript}@example.com'`,
    );
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/security`);
      await page.getByRole("link", { name: activity.all }).press("Enter");
      await page.waitForURL("**/settings/security?activity=all#activity");
      await expectFocusIn(page, activity.title);
      await expect.poll(() => section(page, activity.title).getByRole("row").count()).toBe(8);
      expect(await page.getByText(activity.cut(200)).count()).toBe(0);
      await database.exec(
        `insert into activities (id, account_id, what, device, country, happened_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 250) select 'act_' || i || '_' || a.id, a.id, 'confirmed', null, null, 1 from accounts a, n where email = 'log-${javaScript}@example.com'`,
      );
      await page.reload();
      await section(page, activity.title).getByText(activity.cut(200)).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a re-authentication returns to the section that asked for it, and restoring the account to the top", async () => {
    const address = `proof-${javaScript}@example.com`;
    const mara = await signUp(site, address);
    await signIn(site, address, 2);
    await outdateReauthentications(site);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/security`);
      await page.getByRole("button", { name: sessions.endOthers }).press("Enter");
      await reauthenticate(browsing, site, address, 3);
      await expectFocusIn(page, sessions.title);
      await section(page, sessions.title).getByText(flash.confirmed).waitFor();
      await page.getByRole("button", { name: sessions.endOthers }).press("Enter");
      await section(page, sessions.title).getByText(flash["other-sessions-ended"]).waitFor();
      await expectFocusIn(page, sessions.title);
      await outdateReauthentications(site);
      await open(browsing, `${site.origin}/settings/data`);
      await page.locator("summary", { hasText: accountClosingMessages.en.close.open }).press("Enter");
      await page.getByRole("button", { name: accountClosingMessages.en.close.button }).press("Enter");
      await reauthenticate(browsing, site, address, 5);
      await expectFocusIn(page, accountClosingMessages.en.close.title);
      await page.getByRole("button", { name: accountClosingMessages.en.close.button }).press("Enter");
      await section(page, accountClosingMessages.en.page.restore).getByText(flash["account-closed"]).waitFor();
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

  test("optional emails are switched off and on in place, and saving the profile doesn't change them", async () => {
    const mara = await signUp(site, `mails-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/notifications`);
      const isOn = (name: string) => page.getByRole("switch", { name }).isChecked();
      const switches = async () => [
        await isOn(emails.kinds.renewals.label),
        await isOn(emails.kinds.rewards.label),
        await isOn(emails.kinds.usage.label),
      ];
      expect(await switches()).toEqual([true, true, true]);
      const rewards = page.getByRole("switch", { name: emails.kinds.rewards.label });
      await rewards.press("Space");
      const save = section(page, emails.title).getByRole("button", { name: emails.save });
      expect(await save.count()).toBe(javaScript ? 0 : 1);
      if (javaScript) {
        await page.getByRole("status").getByText(emails.saved).waitFor();
        expect(await rewards.and(page.locator(":focus")).count()).toBe(1);
        expect(page.url()).toBe(`${site.origin}/settings/notifications`);
      } else {
        await save.press("Enter");
        await section(page, emails.title).getByText(flash["mails-saved"]).waitFor();
        await expectFocusIn(page, emails.title);
      }
      await open(browsing, `${site.origin}/settings/profile`);
      await section(page, profile.title).getByRole("button", { name: profile.save }).press("Enter");
      await section(page, profile.title).getByText(flash["profile-saved"]).waitFor();
      await open(browsing, `${site.origin}/settings/notifications`);
      expect(await switches()).toEqual([true, false, true]);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("a phone shows each section as one line until it is opened; an address, a refusal and a completed action open theirs", async () => {
    const mara = await signUp(site, `phone-${javaScript}@example.com`);
    const viewport = { width: 390, height: 844 };
    await withBrowser(chromium, { javaScript, viewport }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/security`);
      const isShown = (name: string) => section(page, name).locator(".card-body").isVisible();
      for (const { title } of [email, passkeys, sessions, activity]) {
        expect([title, await isShown(title)]).toEqual([title, false]);
      }
      const summary = section(page, email.title).locator("summary").first();
      expect(await summary.innerText()).toContain(`phone-${javaScript}@example.com`);
      expect(await section(page, passkeys.title).locator("summary").first().innerText()).toContain(passkeys.brief([]));
      await summary.press("Enter");
      await page.getByLabel(email.label).fill("nobody");
      await page.getByLabel(email.label).evaluate((field) => field.closest("form")?.setAttribute("novalidate", ""));
      await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
      await page.getByText(accountMessages.en.problems["email-malformed"]).waitFor();
      await page.locator("#email:focus").waitFor();
      await open(browsing, `${site.origin}/legal/privacy`);
      await open(browsing, `${site.origin}/settings/security#passkeys`);
      await expect.poll(() => isShown(passkeys.title)).toBe(true);
      expect(await isShown(email.title)).toBe(false);
      await expectFocusIn(page, passkeys.title);
      await open(browsing, `${site.origin}/settings/profile`);
      await section(page, appearance.title).locator("summary").first().press("Enter");
      await page.getByRole("radio", { name: appearance.dark }).check();
      if (javaScript) {
        await section(page, appearance.title).getByText(appearance.saved).waitFor();
      } else {
        await section(page, appearance.title).getByRole("button", { name: appearance.save }).press("Enter");
        await section(page, appearance.title).getByText(flash["appearance-saved"]).waitFor();
        await expectFocusIn(page, appearance.title);
      }
      expect(await section(page, appearance.title).getByRole("radio").first().isVisible()).toBe(true);
    });
  });

  test("on a phone, the overview leads to each of the account's pages, with its current setting, and to the orders", async () => {
    const mara = await signUp(site, `rows-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript, viewport: { width: 390, height: 844 } }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const rows = page.getByRole("navigation", { name: overviewMessages.en.pages.label });
      expect(
        await rows.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
      ).toEqual([
        "/settings/profile",
        "/settings/security",
        "/settings/notifications",
        "/settings/data",
        ...featuresOn(product).flatMap(({ settingsPages = [] }) =>
          settingsPages.map(({ path }) => segmentPath(product, path)),
        ),
        pages.plan,
        "/settings/orders",
        ...(product.referral.state === "open" ? ["/settings/referral"] : []),
      ]);
      expect(await rows.innerText()).toContain(overviewMessages.en.pages.security(0, 1));
      await rows.getByRole("link", { name: settingsMessages.en.security }).press("Enter");
      await page.getByRole("heading", { level: 1, name: securityMessages.en.title }).waitFor();
      await page.setViewportSize({ width: 1280, height: 844 });
      await open(browsing, `${site.origin}/settings`);
      expect(await rows.isVisible()).toBe(false);
    });
  });

  test("a wide screen shows all sections, and none can be folded", async () => {
    const mara = await signUp(site, `wide-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/security`);
      for (const { title } of [email, passkeys, sessions, activity]) {
        expect(await section(page, title).locator(".card-body").isVisible()).toBe(true);
      }
      expect(await page.locator(".card-folding > details > summary").filter({ visible: true }).count()).toBe(0);
      await page.getByLabel(email.label).focus();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(
        accountMessages.en.changeAddress,
      );
    });
  });

  test.each([
    { width: 1280, height: 600 },
    { width: 320, height: 600 },
  ])(
    "the section that a re-authentication returns to is completely visible, from its title to its field, at $width px",
    async (viewport) => {
      const address = `back-${viewport.width}-${javaScript}@example.com`;
      const mara = await signUp(site, address);
      await outdateReauthentications(site);
      await withBrowser(chromium, { javaScript, viewport }, async (browsing) => {
        await lendCookies(mara, browsing, site.origin);
        const page = await open(browsing, `${site.origin}/settings/security#address`);
        await page.getByLabel(email.label).fill(`new-${address}`);
        await page.getByRole("button", { name: accountMessages.en.changeAddress }).press("Enter");
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
        await page.getByRole("button", { name: accountMessages.en.changeAddress }).press("Enter");
        await page.getByRole("button", { name: verifyMessages.en.change }).click();
        await page.waitForURL("**/settings/security?continue=**#email");
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

  test("a refused form leaves the plain address in the address bar, and a form of one field shows its error only there", async () => {
    const mara = await signUp(site, `plain-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/security`);
      await page.getByLabel(email.label).fill(`plain-${javaScript}@example.com`);
      await page.getByRole("button", { name: accountMessages.en.changeAddress }).click();
      await page.getByText(accountMessages.en.problems["same-address"]).waitFor();
      expect(await page.getByText(accountMessages.en.problems["same-address"]).count()).toBe(1);
      await page.locator("#email:focus").waitFor();
      expect(page.url()).toBe(`${site.origin}/settings/security`);
    });
  });

  test("an error on one page leaves the links to the others working", async () => {
    const mara = await signUp(site, `ways-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings`);
      const rail = page.getByRole("navigation", { name: settingsMessages.en.label });
      await whileBroken(site, without("passkeys"), async () => {
        await rail.getByRole("link", { name: settingsMessages.en.security }).click();
        await page.getByRole("heading", { name: rootMessages.en.broken.title }).waitFor();
      });
      expect(await page.title()).toBe(`${rootMessages.en.broken.title} · ${product.name}`);
      await rail.getByRole("link", { name: settingsMessages.en.referral }).click();
      await page.getByRole("heading", { level: 1, name: referralMessages.en.title }).waitFor();
      await open(browsing, `${site.origin}/settings/orders/ord_of_nobody`);
      await page.getByRole("heading", { name: rootMessages.en.missing.title }).waitFor();
      await rail.getByRole("link", { name: settingsMessages.en.orders }).click();
      await page.getByRole("heading", { level: 1, name: ordersMessages.en.title }).waitFor();
    });
  });
});

describe("the typed text is kept", () => {
  test("when a form's command fails: the form still contains it, the message has the focus, and the form can be sent again", async () => {
    const mara = await signUp(site, "typed@example.com");
    await withBrowser(chromium, {}, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/profile`);
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

describe("sentences with dates contain no words of another language", () => {
  test.each([
    ["de-DE", /\d+\. \p{L}+ \d{4}, \d\d:\d\d ?/u],
    ["fr-FR", /\d+ \p{L}+ \d{4}, \d\d:\d\d ?/u],
  ])("in %s", async (locale, day) => {
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

  test("on the plan's card, which is a complete sentence", async () => {
    const paying = await payer(site, "sentence@example.com", "paid");
    expect((await paying.open("/settings")).text()).toMatch(
      fillGaps(
        overviewPlanMessages.en.renews(price(small), overviewPlanMessages.en.onDay(gap), "Visa •••• 4242"),
        aDay,
      ),
    );
  });
});
