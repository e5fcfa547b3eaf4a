import { flashMessages } from "#app/http/page/flash.messages.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { orderDetailMessages } from "#app/routes/settings/orders/order/messages.ts";
import { ordersMessages } from "#app/routes/settings/orders/messages.ts";
import { endingMessages } from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { featureSamples } from "#tests/support/features.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { fillSignUp, open, signUpForSmall, startButton, startLink, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { signUp } from "#tests/support/clients/customers.ts";

useSiteAndBrowser();

/** What a screen reader focuses, and what was announced beside that. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const announcement = (page: Page) => page.locator("main > [role=status]").textContent();

test("a payment in progress is announced to the user, who can't send it twice", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await signUpForSmall(browsing, site, "handed.over@example.com");
    const button = startButton(page);
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
    expect(await busy.innerText()).toBe(upgradeMessages.en.confirm.pending);
    await page.getByRole("status").getByText(upgradeMessages.en.confirm.pending).waitFor();
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

test("a page that a script navigates to is announced by its name, and starts at its heading", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, site.origin);
    expect(await announcement(page)).toBe("");
    await startLink(page).press("Enter");
    await expect.poll(() => focused(page)).toBe(signupMessages.en.title);
    expect(await announcement(page)).toBe(await page.title());
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("email");
    expect(browsing.troubles).toEqual([]);
  });
});

test("a link that remains on the page keeps the focus, and the new page beside it is announced", async () => {
  const owner = await payer(site, "rail@example.com", "paid");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings`);
    await page.getByRole("link", { name: settingsMessages.en.orders }).press("Enter");
    await expect.poll(() => announcement(page)).toBe(`${ordersMessages.en.title} · ${product.name}`);
    expect(await focused(page)).toBe(settingsMessages.en.orders);
    // A choice on a page changes its heading, and no more.
    await page.goto(`${site.origin}/settings/upgrade?interval=year`);
    await browsing.alive();
    await page.getByRole("button", { name: upgradeMessages.en.changeInterval.year }).press("Enter");
    await expect.poll(() => focused(page)).toBe(changeMessages.en.titleYearly);
    expect(browsing.troubles).toEqual([]);
  });
});

test("the result of an action is announced", async () => {
  const owner = await payer(site, "acted@example.com", "paid");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, site.origin + pages.plan);
    await page.getByRole("button", { name: endingMessages.en.cancel.button }).press("Enter");
    await expect.poll(() => focused(page)).toBe(flashMessages.en["plan-cancelled"]);
    expect(browsing.troubles).toEqual([]);
  });
});

test.each(javaScriptModes)(
  "the skip link also leads past the navigation of an account ($mode)",
  async ({ javaScript }) => {
    const owner = await signUp(site, `skipping-${javaScript}@example.com`);
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(owner, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/orders`);
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(rootMessages.en.skip);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(ordersMessages.en.empty.link);
    });
  },
);

test.each(javaScriptModes)(
  "a row of the orders leads to its order's page, which leads back to the list ($mode)",
  async ({ javaScript }) => {
    const owner = await payer(site, `orders-${javaScript}@example.com`, "paid");
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(owner, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/orders`);
      // Anywhere in the row: the link covers its cells, so they don't receive the click themselves.
      await page.getByRole("row").last().getByRole("cell").last().click({ force: true });
      await page.waitForURL("**/settings/orders/ord_*");
      await page.locator("#content").getByRole("link", { name: orderDetailMessages.en.back }).press("Enter");
      await page.waitForURL("**/settings/orders");
      await page.getByRole("row").getByRole("link").press("Enter");
      await page.getByRole("link", { name: orderDetailMessages.en.invoice }).waitFor();
    });
  },
);

test.each([
  { path: "/login", button: loginMessages.en.submit, message: loginMessages.en.problems["email-missing"] },
  ...featureSamples.flatMap(({ addressForms = [] }) =>
    addressForms.map(({ path, texts }) => ({ path, button: texts.submit, message: texts.missing })),
  ),
])(
  "the one field of $path shows its error, has the focus, and has no summary above it",
  async ({ path, button, message }) => {
    for (const { javaScript } of javaScriptModes) {
      await withBrowser(chromium, { javaScript }, async (browsing) => {
        const page = await open(browsing, site.origin + path);
        await page.getByRole("main").getByRole("button", { name: button }).press("Enter");
        await page.locator("#email-error", { hasText: message }).waitFor();
        await page.locator("#email:focus").waitFor();
        expect(await page.locator("#email").getAttribute("aria-describedby")).toContain("email-error");
        expect(await page.getByText(message).count()).toBe(1);
        expect(await page.getByRole("alert").count()).toBe(0);
      });
    }
  },
);

test.each([
  { path: "/signup", button: signupMessages.en.submit, fields: ["email", "terms"] },
  { path: "/withdraw", button: withdrawMessages.en.form.submit, fields: ["name", "order", "email"] },
])(
  "an empty form of $path is answered with the site's own messages, all at the same time",
  async ({ path, button, fields }) => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin + path);
      await page.getByRole("main").getByRole("button", { name: button }).press("Enter");
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

test("the code field shows the focus, in forced colours, too", async () => {
  await withBrowser(chromium, {}, async (browsing) => {
    const page = await open(browsing, `${site.origin}/signup`);
    await page.emulateMedia({ forcedColors: "active" });
    await fillSignUp(page, "forced@example.com");
    await page.getByRole("button", { name: signupMessages.en.submit }).press("Enter");
    await page.locator("#code:focus").waitFor();
    const outline = await page
      .locator(".code-box")
      .first()
      .evaluate((box) => getComputedStyle(box).outlineWidth);
    expect(outline).toBe("2px");
  });
});

test("touch targets are large enough for a thumb, also in rows and navigation", async () => {
  const owner = await payer(site, "thumbs@example.com", "paid");
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(owner, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders`);
    const small = () =>
      page
        .locator(".settings-nav a, .page-back, .table a, .card-footer > a")
        .evaluateAll((links) =>
          links.filter((link) => link.getBoundingClientRect().height < 44).map((link) => link.textContent),
        );
    expect(await small()).toEqual([]);
    const row = await page.locator("tbody tr").first().boundingBox();
    expect(row?.height).toBeLessThan(48);
    await page.getByRole("row").getByRole("link").press("Enter");
    await page.getByRole("link", { name: orderDetailMessages.en.invoice }).waitFor();
    expect(await small()).toEqual([]);
  });
});
