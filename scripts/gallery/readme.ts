import { mkdirSync, writeFileSync } from "node:fs";
import { pages } from "#tests/support/billing/catalogue.ts";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { open } from "#tests/browser/support/steps.ts";
import type { Chromium } from "#tests/support/clients/chromium.ts";
import type { GallerySite } from "./sites.ts";

const folder = "docs/pictures";
const views = [
  { name: "landing", who: "nobody of the demo", path: "/", colorScheme: "light" },
  { name: "plan", who: "mara", path: pages.plan, colorScheme: "dark" },
  { name: "orders", who: "mara", path: "/settings/orders", colorScheme: "light" },
  { name: "devices", who: "mara", path: pages.account, colorScheme: "dark" },
] as const;

/** The pictures on README's first screen, to be reviewed and committed. */
export async function renderReadmePictures(chromium: Chromium, site: GallerySite): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name, who, path, colorScheme } of views) {
    const browsing = await chromium.newPage({ viewport: { width: 1200, height: 750 }, colorScheme });
    await lendCookies(await site.visitor(who), browsing, site.origin);
    await open(browsing, await site.fill(path, who));
    writeFileSync(`${folder}/${name}.png`, await browsing.page.screenshot({ caret: "hide" }));
    await browsing.context.close();
  }
}
