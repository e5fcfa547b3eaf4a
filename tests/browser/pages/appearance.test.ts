import { featureSamples } from "#tests/support/features.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { type Browsing, open, signUp, withBrowser } from "#tests/browser/support/steps.ts";
import { deviceOwner, lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { signUp as signUpVisitor } from "#tests/support/clients/customers.ts";
import type { Site } from "#tests/support/site/site.ts";

useSiteAndBrowser();

describe.each(javaScriptModes)("the choice of light or dark, $mode", ({ javaScript }) => {
  test("is in the first byte of every page, survives a reload, and can be undone", async () => {
    await withBrowser(chromium, { javaScript, colorScheme: "light" }, async (browsing) => {
      const page = await signUp(browsing, site, `dark-${javaScript}@example.com`);
      const light = await ground(browsing);
      await choose(browsing, profileMessages.en.appearance.dark);
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      const dark = await ground(browsing);
      expect(dark).not.toBe(light);
      expect(await firstTag(browsing, "/settings")).toBe('<html lang="en" data-theme="dark">');
      expect(await firstTag(browsing, "/")).toBe('<html lang="en" data-theme="dark">');
      // Scrollbars and form controls follow, before any stylesheet is there.
      expect(await page.locator('meta[name="color-scheme"]').getAttribute("content")).toBe("dark");

      await page.reload();
      await browsing.alive();
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      expect(await ground(browsing)).toBe(dark);
      expect(await page.getByRole("radio", { name: profileMessages.en.appearance.dark }).isChecked()).toBe(true);

      await choose(browsing, profileMessages.en.appearance.system);
      expect(await firstTag(browsing, "/settings")).toBe('<html lang="en">');
      expect(await ground(browsing)).toBe(light);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await ground(browsing)).toBe(dark);
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a light choice applies on a dark system from the first paint", async () => {
  await withBrowser(chromium, { colorScheme: "dark" }, async (browsing) => {
    const page = await signUp(browsing, site, "light@example.com");
    const dark = await ground(browsing);
    await choose(browsing, profileMessages.en.appearance.light);
    const light = await ground(browsing);
    expect(light).not.toBe(dark);
    // Every background that the page was painted with, from the first paint on.
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      const look = () => {
        if (document.body) seen.add(getComputedStyle(document.documentElement).backgroundColor);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.reload();
    await browsing.alive();
    await page.waitForFunction(() => "seen" in window && window.seen instanceof Set && window.seen.size > 0);
    const seen = await page.evaluate(() => ("seen" in window && window.seen instanceof Set ? [...window.seen] : []));
    expect(seen).toEqual([light]);
  });
});

test("with forced colours, each button has a border, the main one is filled, and the focus is visible", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, `${site.origin}/login`);
    await page.emulateMedia({ forcedColors: "active" });
    const look = async (name: string) =>
      page.getByRole("button", { name }).evaluate((button) => {
        const { backgroundColor: ground, borderTopColor: frame, outlineStyle: focus } = getComputedStyle(button);
        return { ground, frame, focus };
      });
    const paper = await ground(browsing);
    const [other, main] = [await look(loginMessages.en.passkey), await look(loginMessages.en.submit)];
    expect([other.ground, main.ground === paper, other.frame === paper]).toEqual([paper, false, false]);
    await page.getByLabel(loginMessages.en.email).focus();
    await page.keyboard.press("Tab");
    expect([main.focus, (await look(loginMessages.en.submit)).focus]).toEqual(["none", "solid"]);
  });
});

async function choose({ page, alive }: Browsing, name: string): Promise<void> {
  await page.goto(`${site.origin}/settings/profile`);
  await alive();
  await page.getByRole("radio", { name }).check();
  const save = page.getByRole("button", { name: profileMessages.en.appearance.save });
  if ((await save.count()) === 0) {
    await page.getByText(profileMessages.en.appearance.saved).waitFor();
    return;
  }
  const loaded = page.waitForEvent("load");
  await save.click();
  await loaded;
  await alive();
  await page.getByText(flashMessages.en["appearance-saved"]).waitFor();
}

function ground({ page }: Browsing): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

/** What the server sends first, requested with this browser's cookies. */
async function firstTag({ context }: Browsing, path: string): Promise<string> {
  const answer = await context.request.get(site.origin + path);
  return /^<!DOCTYPE html>(<html[^>]*>)/i.exec(await answer.text())?.[1] ?? "none";
}

test.each([320, 390])("text of double size doesn't overlap the landing page's picture at %i px", async (width) => {
  await withBrowser(chromium, { viewport: { width, height: 844 } }, async (browsing) => {
    const page = await open(browsing, `${site.origin}/`);
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    const beyond = await page.locator('.opening [role="img"] :is(div, p, li, span, svg)').evaluateAll((parts) =>
      parts.flatMap((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < 0 || right > innerWidth + 0.5 ? [`${part.className} ${part.tagName} ${left} ${right}`] : [];
      }),
    );
    expect(beyond).toEqual([]);
  });
});

const ofDevices = [
  "/settings",
  "/settings/profile",
  "/settings/security",
  "/settings/notifications",
  "/settings/data",
  pages.account,
  ...featureSamples.flatMap(({ forms }) => forms.map(({ path }) => path)),
  "/settings/referral",
];
const ofPayer = [
  "/settings",
  pages.plan,
  "/settings/upgrade",
  "/settings/orders",
  "/settings/orders/{order}",
  "/settings/referral",
];

test.each([
  ["of someone with devices", "large.text@example.com", deviceOwner, ofDevices],
  ["of someone who pays", "pays.for.large.text@example.com", (on: Site, to: string) => payer(on, to, "paid"), ofPayer],
] as const)("text of double size fits 320 pixels on the settings pages %s", async (_, address, setUp, paths) => {
  const owner = await setUp(site, address);
  const friend = `friend.${address}`;
  await signUpVisitor(site, friend);
  const database = await site.database();
  await database
    .prepare(
      `insert into referrals (id, referrer_id, friend_id, state, signed_up_at, waits_until)
      select 'ref_' || f.id, a.id, f.id, 'under-review', ?1, ?1 from accounts a, accounts f
      where a.email_canonical = ?2 and f.email_canonical = ?3`,
    )
    .bind(Date.now(), address, friend)
    .run();
  await database
    .prepare(
      `insert into ledger_lines (id, account_id, kind, amount_minor, currency, why, happened_at)
      select 'led_' || id, id, 'earned', 500, ?2, 'given', ?1 from accounts where email_canonical = ?3`,
    )
    .bind(Date.now(), product.currency, address)
    .run();
  const order = new URL(owner.url).searchParams.get("order") ?? "";
  await withBrowser(chromium, { viewport: { width: 320, height: 700 } }, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const widths: [string, number, string[]][] = [];
    for (const path of paths) {
      const page = await open(browsing, site.origin + path.replace("{order}", order));
      await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
      widths.push([path, ...(await widthOf(page))]);
    }
    expect(widths).toEqual(paths.map((path) => [path, 320, []]));
  });
});

/** How wide the page is, and what reaches beyond the window. */
function widthOf(page: Page): Promise<[number, string[]]> {
  return page.evaluate(() => {
    const isCut = (part: Element): boolean => {
      const { overflowX, position } = getComputedStyle(part);
      return (
        overflowX !== "visible" || position === "fixed" || (part.parentElement ? isCut(part.parentElement) : false)
      );
    };
    const beyond = [...document.querySelectorAll("main *, header *, footer *")].filter(
      (part) =>
        part.getBoundingClientRect().right > innerWidth + 0.5 && part.parentElement && !isCut(part.parentElement),
    );
    return [
      document.documentElement.scrollWidth,
      beyond.map((part) => `${part.tagName} ${part.getAttribute("class")} ${part.textContent?.slice(0, 20)}`),
    ];
  });
}
