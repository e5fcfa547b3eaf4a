import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { pages, pattern, small } from "#tests/support/billing/catalogue.ts";
import { customer, lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { fillSignUp, open, signUpForSmall, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

/** What a screen reader focuses, and what was announced beside that. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const announcement = (page: Page) => page.locator("main > [role=status]").textContent();

test("a user on the way to pay hears that it is in progress, and can't send it twice", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await signUpForSmall(browsing, site, "handed.over@example.com");
    const button = page.getByRole("button", { name: pattern`^Start ${small.name} for` });
    await button.waitFor();
    let sent = 0;
    await page.route("**/settings/upgrade**", async (route) => {
      if (route.request().method() === "POST") sent += 1;
      // The first click is on its way to this page from here on, and never arrives.
      await (sent === 1 ? route.fulfill({ status: 204 }) : route.continue());
    });
    await button.press("Enter");
    const busy = page.locator("form button[aria-busy]");
    await busy.waitFor();
    expect(await busy.innerText()).toBe("Opening the payment page");
    await page.getByRole("status").getByText("Opening the payment page").waitFor();
    await page.getByRole("progressbar").waitFor();
    await busy.press("Enter");
    await busy.evaluate((pressed: HTMLButtonElement) => pressed.form?.requestSubmit(pressed));
    // A user who comes back finds the page as it was left, and can send it again.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect.poll(() => busy.count()).toBe(0);
    expect(sent).toBe(1);
    await button.press("Enter");
    await page.waitForURL("**/checkout/**");
    expect(sent).toBe(2);
    expect(browsing.troubles).toEqual([]);
  });
});

test("a page that a script navigated to is announced by its name, and starts at its heading", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, site.origin);
    expect(await announcement(page)).toBe("");
    await page
      .getByRole("main")
      .getByRole("link", { name: pattern`^Start .*${small.name}` })
      .first()
      .press("Enter");
    await expect.poll(() => focused(page)).toBe("Create an account");
    expect(await announcement(page)).toBe(await page.title());
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("email");
    expect(browsing.troubles).toEqual([]);
  });
});

test("a link that is still there keeps the focus, and the page beside it is announced", async () => {
  const owner = await payer(site, "rail@example.com", "paid");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings`);
    await page.getByRole("link", { name: "Orders" }).press("Enter");
    await expect.poll(() => announcement(page)).toBe(`Orders · ${product.name}`);
    expect(await focused(page)).toBe("Orders");
    // A choice on a page changes its heading, and no more.
    await page.goto(`${site.origin}/settings/upgrade?interval=year`);
    await browsing.alive();
    await page.getByRole("button", { name: "Change to yearly" }).press("Enter");
    await expect.poll(() => focused(page)).toBe(`${small.name}, paid by the year`);
    expect(browsing.troubles).toEqual([]);
  });
});

test("the result of an action is announced", async () => {
  const owner = await payer(site, "acted@example.com", "paid");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, site.origin + pages.plan);
    await page.getByRole("button", { name: "Cancel at the end of the period" }).press("Enter");
    await expect
      .poll(() => focused(page))
      .toBe("Your plan is cancelled, and ends with its period. Until then nothing changes.");
    expect(browsing.troubles).toEqual([]);
  });
});

test.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("the skip link leads past the navigation of an account, too ($mode)", async ({ javaScript }) => {
  const owner = await customer(site, `skipping-${javaScript}@example.com`);
  await withBrowser(chromium, { javaScript }, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders`);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("See the plans");
  });
});

test.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])(
  "an order that is opened from the list gets the focus, and the list on the way back ($mode)",
  async ({ javaScript }) => {
    const owner = await payer(site, `orders-${javaScript}@example.com`, "paid");
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(owner, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/orders`);
      await page.getByRole("link", { name: "Details" }).press("Enter");
      await expect.poll(() => page.locator("#order:focus").count(), { timeout: 15_000 }).toBe(1);
      await page.getByRole("link", { name: "Back to the list" }).press("Enter");
      await expect.poll(() => page.locator("#orders:focus").count(), { timeout: 15_000 }).toBe(1);
    });
  },
);

test.each([
  { path: "/login", button: "Send me a code", fields: ["email"] },
  { path: "/signup", button: "Send me a code", fields: ["email", "terms"] },
  { path: "/withdraw", button: /^(?!Sign)/, fields: ["name", "order", "email"] },
])(
  "an empty form of $path is answered with the site's own messages, all of them at once",
  async ({ path, button, fields }) => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin + path);
      await page.locator("main").getByRole("button", { name: button }).last().press("Enter");
      const summary = page.locator('[role="alert"]:focus');
      await summary.waitFor();
      const links = await summary.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      expect(links).toEqual(fields.map((field) => `#${field}`));
      for (const field of fields) {
        expect(await page.locator(`#${field}-error`).innerText()).not.toBe("");
        expect(await page.locator(`#${field}`).evaluate((input: HTMLInputElement) => input.required)).toBe(true);
      }
    });
  },
);

test("the field of a code shows the focus, in forced colours, too", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, `${site.origin}/signup`);
    await page.emulateMedia({ forcedColors: "active" });
    await fillSignUp(page, "forced@example.com");
    await page.getByRole("button", { name: "Send me a code" }).press("Enter");
    await page.locator("#code:focus").waitFor();
    const outline = await page
      .locator(".code-box")
      .first()
      .evaluate((box) => getComputedStyle(box).outlineWidth);
    expect(outline).toBe("2px");
  });
});

test("touch targets are large enough for a thumb, also in a row or a rail", async () => {
  const owner = await payer(site, "thumbs@example.com", "paid");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders`);
    const small = () =>
      page
        .locator(".settings-nav a, .table a, .card-footer > a")
        .evaluateAll((links) =>
          links.filter((link) => link.getBoundingClientRect().height < 44).map((link) => link.textContent),
        );
    expect(await small()).toEqual([]);
    const row = await page.locator("tbody tr").first().boundingBox();
    expect(row?.height).toBeLessThan(48);
    await page.getByRole("link", { name: "Details" }).press("Enter");
    await page.getByRole("link", { name: "Back to the list" }).waitFor();
    expect(await small()).toEqual([]);
  });
});
