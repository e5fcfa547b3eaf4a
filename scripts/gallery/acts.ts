import type { Page } from "playwright-core";

export type Act = (page: Page) => Promise<void>;

/** Fills fields by their labels and sends the form. */
export function sends(button: string, fields: Record<string, string> = {}): Act {
  return async (page) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).first().fill(text);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: button }).first().click();
    await answered;
    await page.locator(".error-summary, [aria-invalid]").first().waitFor();
  };
}
