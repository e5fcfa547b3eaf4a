import { afterAll, beforeAll } from "vitest";
import { type Chromium, startChromium } from "#tests/support/clients/chromium.ts";
import { type Site, type SiteOptions, startSite } from "#tests/support/site/site.ts";

/** A file's own site, and a Chromium to visit it. They exist from its first test on. */
export let site: Site;
export let chromium: Chromium;

/** Options that depend on something that is started before the site are a function. */
export function useSiteAndBrowser(options: SiteOptions | (() => SiteOptions) = {}): void {
  beforeAll(async () => {
    const start = () => startSite(typeof options === "function" ? options() : options);
    [site, chromium] = await Promise.all([start(), startChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await site.close();
  });
}
