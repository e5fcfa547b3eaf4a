import { existsSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Each page has its own profile. */
export async function startChromium() {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  return {
    newPage: async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      return page;
    },
    close: () => browser.close(),
  };
}

/** What axe reports about the page as it is. */
export async function findings(page: Page): Promise<object[]> {
  // The rule on target sizes is WCAG 2.2's, and off by default. The pages have no frames, which the slow mode is for.
  const options = { resultTypes: ["violations" as const], rules: { "target-size": { enabled: true } } };
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options(options).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html: html.slice(0, 200), why: failureSummary })),
  );
}

/** CHROMIUM_PATH, what Linux distributions install, or what Playwright downloaded. */
function findChromium(): string {
  const candidates = [
    process.env["CHROMIUM_PATH"],
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    chromium.executablePath(),
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return found;
  throw new Error("These tests need Chromium: `npx playwright-core install chromium`, or name one in CHROMIUM_PATH.");
}
