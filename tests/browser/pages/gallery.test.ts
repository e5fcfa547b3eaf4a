import { afterAll, beforeAll, expect, test } from "vitest";
import { type Chromium, startChromium } from "#tests/support/clients/chromium.ts";
import { axeFindings, shiftsOf, showTheme, tooWide, troublesOf, watchShifts } from "../../../scripts/gallery/check.ts";
import type { Browsing } from "#tests/browser/support/steps.ts";

let chromium: Chromium;
let browsing: Browsing;

beforeAll(async () => {
  chromium = await startChromium();
  browsing = await chromium.newPage();
  await watchShifts(browsing.page);
});
afterAll(() => chromium.close());

/** A page without problems, except those a test adds. */
async function show(body: string, headers: Record<string, string> = {}): Promise<Browsing> {
  const html = `<!doctype html><html lang="en"><title>A page</title><style>html { background: Canvas; color-scheme: light dark }</style>
    <main><h1>A page</h1>${body}</main></html>`;
  await browsing.page.route("https://gallery.example/", (route) =>
    route.fulfill({ body: html, contentType: "text/html", headers }),
  );
  await browsing.page.goto("https://gallery.example/");
  await browsing.page.unroute("https://gallery.example/");
  return browsing;
}

async function everything(shown: Browsing): Promise<string[]> {
  const { page } = shown;
  const found = [...(await shiftsOf(page)), ...troublesOf(shown)];
  for (const theme of ["light", "dark"] as const) {
    await showTheme(page, theme);
    found.push(...(await axeFindings(page, theme)));
  }
  return [...found, ...(await tooWide(shown))];
}

test("the checks find nothing on a page without problems", async () => {
  expect(await everything(await show("<p>Nothing moves.</p>"))).toEqual([]);
});

test("the checks find unreadable text in the theme in which it is unreadable", async () => {
  const found = await everything(await show(`<p style="color: light-dark(#999, #fff)">Pale by day</p>`));
  expect(found).toEqual([expect.stringContaining("axe, light")]);
});

test("the checks find content that is too wide on a small phone, and with large text", async () => {
  expect(await everything(await show(`<p style="inline-size: 400px">Wide</p>`))).toEqual([
    expect.stringContaining("in a window of 320 px"),
  ]);
  expect(
    await everything(await show(`<p style="inline-size: calc(70rem - 840px)">Wide with large letters alone</p>`)),
  ).toEqual([
    expect.stringContaining("640 px with letters twice as large"),
    expect.stringContaining("1280 px with letters twice as large"),
  ]);
});

test("the checks find layout shifts, and messages in the browser's console", async () => {
  const late = `<p id="last">Pushed down</p><script>requestAnimationFrame(() => requestAnimationFrame(() => {
    document.querySelector("h1").insertAdjacentHTML("afterend", "<div style='block-size: 300px'>Late</div>");
  }));</script>`;
  expect(await everything(await show(late))).toEqual([expect.stringMatching(/^moved unexpectedly: .*Pushed down/)]);
  const loud = "<script>console.error('broken'); setTimeout(() => { throw new Error('worse') })</script>";
  expect(await everything(await show(loud))).toEqual([
    "console: broken",
    expect.stringContaining("page-error: Error: worse"),
  ]);
  const forbidden = { "Content-Security-Policy": "script-src 'none'; style-src 'unsafe-inline'" };
  expect(await everything(await show("<script>1</script>", forbidden))).toContainEqual(
    expect.stringContaining("csp: "),
  );
});
