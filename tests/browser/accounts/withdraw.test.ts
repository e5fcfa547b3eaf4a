import { rewriteDocuments } from "#tests/support/database/rewrite-documents.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { orderReceiptMessages } from "#app/routes/settings/orders/receipt/messages.ts";
import { orderDetailMessages } from "#app/routes/settings/orders/order/messages.ts";
import { ordersMessages, orderStateMessages } from "#app/routes/settings/orders/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { findings } from "#tests/browser/support/findings.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

let mara: Visitor;
let order: { id: string; number: string | null };

useSiteAndBrowser();
beforeAll(async () => {
  mara = await subscriber(site, "mara@example.com");
  await vi.waitFor(
    async () => expect((await ordersOfCustomer(site, "mara@example.com"))[0]?.state).toBe("paid"),
    10_000,
  );
  [order = { id: "", number: "" }] = await ordersOfCustomer(site, "mara@example.com");
});

describe.each(javaScriptModes)("$mode", ({ javaScript }) => {
  test("a withdrawal is shown before it is declared, and declared with the second button", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await open(browsing, `${site.origin}/withdraw?order=${order.number}`);
      await page.getByLabel(withdrawMessages.en.form.name).fill("Mara Example");
      await page.getByLabel(withdrawMessages.en.form.email).fill(`mara-${javaScript}@example.com`);
      await page.getByRole("button", { name: withdrawMessages.en.form.submit }).click();
      await page.getByRole("heading", { name: withdrawMessages.en.review.title }).waitFor();
      await browsing.alive();
      expect(await page.getByRole("blockquote").textContent()).toContain(
        withdrawMessages.en.review.declaration("Mara Example", order.number ?? ""),
      );
      if (javaScript) expect(await findings(page)).toEqual([]);
      if (javaScript) {
        // It took the form's place, and has the focus that went with that.
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BLOCKQUOTE");
        // Back in the form, with what was typed.
        await page.getByRole("link", { name: withdrawMessages.en.review.again }).click();
        await expect.poll(() => page.getByLabel(withdrawMessages.en.form.name).inputValue()).toBe("Mara Example");
        await browsing.alive();
        await page.getByLabel(withdrawMessages.en.form.name).fill("Mara E. Example");
        await page.getByRole("button", { name: withdrawMessages.en.form.submit }).click();
        await page.getByText(withdrawMessages.en.review.declaration("Mara E. Example", order.number ?? "")).waitFor();
        await browsing.alive();
      }
      await page.getByRole("button", { name: withdrawMessages.en.review.submit }).click();
      await page.waitForURL("**/withdraw?declared");
      await page.getByRole("heading", { level: 1, name: withdrawMessages.en.declared.title }).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("orders are filtered by the form above the list", async () => {
    await (
      await site.database()
    )
      .prepare(
        `insert or ignore into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
         select 'ord_past', id, 'expired', 'renewal', '${small.id}', 'month', 'EUR', 600, 1700000000000, 0 from accounts`,
      )
      .run();
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(mara, browsing, site.origin);
      const page = await open(browsing, `${site.origin}/settings/orders`);
      expect(await page.getByRole("row").count()).toBe(3);
      await page.getByLabel(ordersMessages.en.filter.year).selectOption("2023");
      await page.getByRole("button", { name: ordersMessages.en.filter.submit }).click();
      await page.waitForURL("**/settings/orders?year=2023&state=");
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      expect(await page.getByRole("link", { name: ordersMessages.en.csv }).getAttribute("href")).toBe(
        "/settings/orders.csv?year=2023",
      );
      expect(browsing.troubles).toEqual([]);
    });
  });
});

test("a receipt is printed without the site around it, on one page", async () => {
  await withBrowser(chromium, { colorScheme: "dark" }, async (browsing) => {
    await lendCookies(mara, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders/receipt?order=${order.id}`);
    let printed = false;
    await page.exposeFunction("notePrinting", () => (printed = true));
    await page.evaluate(() => {
      window.print = () => void (window as unknown as { notePrinting(): void }).notePrinting();
    });
    await page.getByRole("button", { name: orderReceiptMessages.en.print }).click();
    await expect.poll(() => printed).toBe(true);
    await page.emulateMedia({ media: "print" });
    const shown = await page.evaluate(() => document.body.innerText);
    expect(shown).toContain(order.number);
    expect(shown).toContain(orderDetailMessages.en.vatId(product.seller.vatId));
    for (const word of [
      rootMessages.en.signOut,
      rootMessages.en.footer.imprint,
      orderReceiptMessages.en.print,
      orderDetailMessages.en.title.numbered(order.number ?? ""),
    ])
      expect(shown).not.toContain(word);
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(background).toBe("light");
    expect(await pagesOf(page, "A4")).toBe(1);
  });
});

test("an invoice is printed as it was issued, though part of it was refunded since", async () => {
  const address = "print@example.com";
  const customer = await subscriber(site, address);
  const [bought] = await ordersOfCustomer(site, address);
  await site.stripe?.control("refund", { order: bought?.id, amountMinor: 100 });
  await withBrowser(chromium, {}, async (browsing) => {
    await lendCookies(customer, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders/${bought?.id}`);
    const words = [orderStateMessages.en.states["partially-refunded"], orderDetailMessages.en.retained];
    const shown = () => page.evaluate(() => document.body.innerText);
    // The event about the refund is handled after its answer.
    await expect.poll(async () => page.reload().then(shown)).toContain(words[0]);
    expect(await shown()).toContain(words[1]);
    await page.goto(`${site.origin}/settings/orders/receipt?order=${bought?.id}`);
    for (const word of words) expect(await shown()).not.toContain(word);
    await page.emulateMedia({ media: "print" });
    for (const word of words) expect(await shown()).not.toContain(word);
    expect(await shown()).toContain(orderDetailMessages.en.money.invoice);
  });
});

test.each([
  ["A4", "light"],
  ["Letter", "dark"],
] as const)("a receipt of six lines fits on one page of %s", async (format, colorScheme) => {
  const database = await site.database();
  const [periodStartsAt, periodEndsAt] = [Date.UTC(2026, 10, 22), Date.UTC(2026, 11, 22)];
  const lines = Array.from({ length: 6 }, (_, nth) => ({
    label: `Line ${nth} of an invoice, with a long description of what it was for and why`,
    ...{ quantity: 1, netMinor: 84, taxMinor: 16, totalMinor: 100, periodStartsAt, periodEndsAt },
  }));
  const buyer = {
    name: "Lindqvist Design AB",
    address: ["Storgatan 12", "c/o Somebody", "111 51 Stockholm"],
    country: "SE",
    vatIds: ["SE556677889901"],
    paidBy: { method: "visa", last4: "4242" },
  };
  const taxes = [{ name: "VAT", percent: 19, amountMinor: 96, isReverseCharge: false }];
  await rewriteDocuments(
    database,
    database
      .prepare("update documents set lines = ?, buyer = ?, taxes = ? where order_id = ?")
      .bind(JSON.stringify(lines), JSON.stringify(buyer), JSON.stringify(taxes), order.id),
  );
  await withBrowser(chromium, { colorScheme }, async (browsing) => {
    await lendCookies(mara, browsing, site.origin);
    const page = await open(browsing, `${site.origin}/settings/orders/receipt?order=${order.id}`);
    expect(await findings(page)).toEqual([]);
    expect(await page.getByRole("row").count()).toBe(7);
    const shown = await page.getByRole("main").innerText();
    const { number, paidOn } = orderReceiptMessages.en;
    const { taxAt, money } = orderDetailMessages.en;
    for (const text of [number, order.number, paidOn, money.invoice, "Visa ••••\u00a04242", taxAt("VAT", "19%")])
      expect(shown).toContain(text);
    expect(await pagesOf(page, format)).toBe(1);
  });
});

/** How many pages it prints on. */
async function pagesOf(page: Page, format: "A4" | "Letter"): Promise<number> {
  const pdf = (await page.pdf({ format })).toString("latin1");
  return pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
}
