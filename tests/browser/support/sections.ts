import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** A part of a page, by its heading. */
export function section(page: Page, heading: string): Locator {
  return page.getByRole("region", { name: heading, exact: true });
}

/** The focus is in this part, for keyboards and screen readers, and its heading is in view. */
export async function expectFocusIn(page: Page, heading: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      // The result is shown in the section that it is about.
      const place = activeElement?.matches(".flash") ? activeElement.closest("section") : activeElement;
      return place?.querySelector("h1, h2, h4")?.textContent ?? "nothing";
    });
  await expect.poll(focused, { timeout: 15_000, interval: 50 }).toBe(heading);
  await expect.poll(() => isInView(page, heading), { timeout: 15_000, interval: 50 }).toBe(true);
}

export function isInView(page: Page, heading: string): Promise<boolean> {
  return page.getByRole("heading", { name: heading, exact: true }).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}
