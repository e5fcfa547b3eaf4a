import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { lendCookies } from "#tests/browser/support/visitors.ts";
import { type Browsing, open } from "#tests/browser/support/steps.ts";
import type { Chromium } from "#tests/support/clients/chromium.ts";
import { axeFindings, shiftsOf, showTheme, type Theme, tooWide, troublesOf, watchShifts } from "./check.ts";
import { slugOf } from "./scenes.ts";
import type { Scene } from "./scene.ts";
import type { GallerySite } from "./sites.ts";

export const widths = [1280, 390] as const;
export type Picture = { file: string; theme: Theme; width: number; plain: boolean };
export type Shown = { scene: Scene; pictures: Picture[]; found: string[] };

export type Camera = { chromium: Chromium; folder: string; themes: Theme[] };
/** One person's two browsers, with and without JavaScript. */
export type Seat = { lively: Browsing; plain: Browsing };

export async function takeSeat({ chromium }: Camera, site: GallerySite, who: string): Promise<Seat> {
  const visitor = await site.visitor(who);
  const [lively, plain] = await Promise.all([chromium.newPage(), chromium.newPage({ javaScript: false })]);
  await watchShifts(lively.page);
  await Promise.all([lively, plain].map((browsing) => lendCookies(visitor, browsing, site.origin)));
  return { lively, plain };
}

/** Takes every theme and width of a scene, with all checks on the way. */
export async function shoot(camera: Camera, site: GallerySite, seat: Seat, scene: Scene): Promise<Shown> {
  const url = await site.fill(scene.path, scene.who);
  const found: string[] = [];
  const shots = new Map<string, Buffer>();
  const { page } = seat.lively;
  for (const width of widths) {
    await showTheme(page, "light");
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await open(seat.lively, url);
    if (new URL(page.url()).pathname !== new URL(url).pathname) found.push(`leads to ${page.url()}`);
    // Checked before the scene's action, which may well move the rest of the page.
    found.push(...(await shiftsOf(page)));
    await scene.action?.(page);
    found.push(...troublesOf(seat.lively, scene.status));
    for (const theme of camera.themes) {
      await showTheme(page, theme);
      if (width === 1280) found.push(...(await axeFindings(page, theme)));
      shots.set(`${theme}.${width}`, await picture(page));
    }
  }
  found.push(...(await tooWide(seat.lively)));
  found.push(...(await shootPlain(seat.plain, scene, url, shots)));
  return { scene, pictures: keep(camera.folder, scene, shots), found };
}

/** Takes the scene without JavaScript, in light, and keeps the picture if it looks different. */
async function shootPlain(plain: Browsing, scene: Scene, url: string, shots: Map<string, Buffer>): Promise<string[]> {
  for (const width of widths) {
    await plain.page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await plain.page.goto(url);
    await scene.action?.(plain.page);
    const shot = await picture(plain.page);
    if (!shots.get(`light.${width}`)?.equals(shot)) shots.set(`light.${width}.plain`, shot);
  }
  return troublesOf(plain, scene.status);
}

function picture(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" });
}

function keep(folder: string, scene: Scene, shots: Map<string, Buffer>): Picture[] {
  return [...shots].map(([name, shot]) => {
    const file = `${slugOf(scene.name)}.${name}.png`;
    writeFileSync(join(folder, file), shot);
    const [theme = "", width, plain] = name.split(".");
    // The names are ours, a few lines above.
    return { file, theme: theme as Theme, width: Number(width), plain: plain !== undefined };
  });
}
