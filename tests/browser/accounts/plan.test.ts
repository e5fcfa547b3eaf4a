import { flashMessages } from "#app/http/page/flash.messages.ts";
import { expect, test, describe } from "vitest";
import {
  planMessages,
  askReasonMessages,
  reasonProblemMessages,
  endingMessages,
} from "#app/routes/settings/plan/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { section } from "#tests/browser/support/sections.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { open, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookies, payer } from "#tests/browser/support/visitors.ts";
import { pages, small } from "#tests/support/billing/catalogue.ts";

useSiteAndBrowser();

const { en: messages } = planMessages;
const { en: why } = askReasonMessages;

describe.each(javaScriptModes)("$mode", ({ javaScript }) => {
  test("a plan is cancelled from the first screen, and the reason can be skipped, given later, and given again", async () => {
    const address = `cancels-${javaScript}@example.com`;
    const visitor = await payer(site, address, "paid");
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await lendCookies(visitor, browsing, site.origin);
      await browsing.page.setViewportSize({ width: 1280, height: 800 });
      const page = await open(browsing, site.origin + pages.plan);
      await section(page, `${small.name} ${messages.states.active}`).waitFor();
      const cancel = page.getByRole("button", { name: endingMessages.en.cancel.button });
      const box = await cancel.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);

      await cancel.press("Enter");
      await section(page, why.title).waitFor();
      await page.getByRole("link", { name: why.skip, exact: true }).press("Enter");
      await section(page, why.title).waitFor({ state: "detached" });

      await page.getByRole("link", { name: messages.why }).press("Enter");
      await page.getByRole("textbox", { name: why.comment }).fill("Two lines\nof words");
      await page.getByRole("button", { name: why.button }).press("Enter");
      // Nothing was chosen: the comment is still there.
      await page.locator("#reason-error").getByText(reasonProblemMessages.en["reason-missing"]).waitFor();
      expect(await page.getByRole("textbox", { name: why.comment }).inputValue()).toBe("Two lines\nof words");
      await page.getByRole("radio", { name: why.reasons.unused }).check();
      await page.getByRole("button", { name: why.button }).press("Enter");
      await page.getByText(flashMessages.en["reason-given"]).waitFor();
      expect(await page.getByRole("link", { name: messages.why }).count()).toBe(0);
      const database = await site.database();
      const stored = await database
        .prepare(
          "select reason, comment from cancellation_reasons r join accounts a on a.id = r.account_id where email = ?",
        )
        .bind(address)
        .all();
      expect(stored.results).toEqual([{ reason: "unused", comment: "Two lines\nof words" }]);

      await page.getByRole("button", { name: endingMessages.en.resume.button }).press("Enter");
      await section(page, `${small.name} ${messages.states.active}`).waitFor();
      // The refused answer, and the browser's own line about it.
      expect(browsing.troubles.filter(({ text, status }) => status !== 422 && !text.includes("422"))).toEqual([]);
    });
  });
});
