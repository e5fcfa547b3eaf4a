import { afterAll, beforeAll } from "vitest";
import { type Chromium, startChromium } from "#tests/support/clients/chromium.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";

/** A file's own site, and a Chromium to visit it. They exist from its first test on. */
export let site: Site;
export let chromium: Chromium;

export function useSiteAndBrowser(settings?: Parameters<typeof startSite>[0]): void {
  beforeAll(async () => {
    [site, chromium] = await Promise.all([startSite(settings), startChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await site.close();
  });
}
