import type { Page } from "playwright-core";
import { findings } from "#tests/browser/support/findings.ts";
import type { Browsing } from "#tests/browser/support/steps.ts";

/** The looks of a page: `contrast` is a system with its own colours. */
export const themes = ["light", "dark", "contrast"] as const;
export type Theme = (typeof themes)[number];

/** Call before a browser's first page: records every layout shift from then on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // TypeScript has no type for it yet: https://wicg.github.io/layout-instability/
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Node | null }[];
        };
        const shifted = sources.map(
          ({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? "?",
        );
        if (!hadRecentInput)
          shifts.push(`${value.toFixed(4)}: ${shifted.map((html) => html.slice(0, 120)).join(" and ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Layout shifts since the page was opened. */
export async function shiftsOf(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(async () => {
    await document.fonts.ready;
    // A shift is reported with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return "shifts" in window && Array.isArray(window.shifts) ? window.shifts.map(String) : [];
  });
  return shifts.map((shift) => `moved unexpectedly: ${shift}`);
}

export async function showTheme(page: Page, theme: Theme): Promise<void> {
  const forcedColors = theme === "contrast" ? "active" : "none";
  await page.emulateMedia({ colorScheme: theme === "dark" ? "dark" : "light", reducedMotion: "reduce", forcedColors });
}

/** axe's findings in a theme. A system's own colours aren't checked. */
export async function axeFindings(page: Page, theme: Theme, without: string[] = []): Promise<string[]> {
  if (theme === "contrast") return [];
  return (await findings(page, without)).map((found) => `axe, ${theme}: ${JSON.stringify(found)}`);
}

/** Elements wider than the window: on the narrowest phone, and with text twice as large. */
export async function tooWide({ page, context }: Browsing): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  const devTools = await context.newCDPSession(page);
  const found: string[] = [];
  const measure = async (how: string, width: number) => {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) found.push(`${wide} px wide in a window of ${how}`);
  };
  await measure("320 px", 320);
  await devTools.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  await measure("640 px with letters twice as large", 640);
  await measure("1280 px with letters twice as large", 1280);
  await devTools.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
  await devTools.detach();
  await page.setViewportSize(before);
  return found;
}

/** The browser's console errors; the scene's own response isn't one. */
export function troublesOf({ troubles }: Browsing, status = 200): string[] {
  return troubles
    .splice(0)
    .flatMap((trouble) => (trouble.status === status ? [] : [`${trouble.kind}: ${trouble.text}`]));
}
