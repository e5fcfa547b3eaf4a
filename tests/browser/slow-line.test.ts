import { afterAll, beforeAll, expect, test } from "vitest";
import { type Chromium, startChromium } from "#tests/support/chromium.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { type SlowLine, startSlowLine } from "#tests/support/slow-line.ts";
import { shiftsOf, watchShifts } from "../../scripts/gallery/check.ts";

let site: Site;
let line: SlowLine;
let chromium: Chromium;

beforeAll(async () => {
  [site, chromium] = await Promise.all([startSite({ stripe: false }), startChromium()]);
  line = await startSlowLine(site.origin);
});
afterAll(async () => {
  await Promise.all([chromium.close(), line.close()]);
  await site.close();
});

const windows = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
/** A hundredth of what a visitor would notice (0.1): a word that is centred anew by a part of a pixel. */
const unseen = 0.001;

test.each(
  windows.flatMap((viewport) => ["/", "/signup", "/login", "/waitlist", "/legal"].map((path) => ({ path, viewport }))),
)("$path stands still while it arrives in pieces, $viewport.width px wide", async ({ path, viewport }) => {
  const { page, context, alive } = await chromium.newPage({ viewport });
  await watchShifts(page);
  await page.goto(line.origin + path);
  await alive();
  await expect(page.locator(".site-footer").count()).resolves.toBe(1);
  expect((await shiftsOf(page)).filter((shift) => Number(/\d\.\d+/.exec(shift)?.[0]) >= unseen)).toEqual([]);
  await context.close();
});
