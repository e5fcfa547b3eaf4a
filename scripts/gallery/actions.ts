import type { Page } from "playwright-core";
import { quotesPerMinuteMax } from "#app/modules/checkout/provider-quota.rules.ts";
import { manualRetriesPerDayMax } from "#app/modules/billing-sync/retries.rules.ts";

export type Action = (page: Page) => Promise<void>;

/** Fills in fields by their labels and submits the form. */
export function sends(button: string, fields: Record<string, string> = {}): Action {
  return async (page) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).first().fill(text);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: button }).first().click();
    await answered;
    await page.locator(".error-summary, [aria-invalid]").first().waitFor();
  };
}

/** Opens the page until the site no longer queries Stripe for it. */
export const opensTooOften: Action = async (page) => {
  for (let visit = 0; visit <= quotesPerMinuteMax; visit += 1) {
    const answer = await page.reload();
    if (answer?.status() === 429) return;
  }
};

/** Presses "Pay" on the plan's page until it is refused: each earlier attempt leads to the payment page. */
export const paysTooOften: Action = async (page) => {
  const plan = page.url();
  for (let press = 0; press <= manualRetriesPerDayMax; press += 1) {
    if (page.url() !== plan) await page.goto(plan);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.locator('button[name="intent"][value="retry"]').click();
    if ((await answered).status() === 429) break;
    await page.waitForURL(/\/payment\//);
  }
  await page.locator(".notice-problem").first().waitFor();
};
