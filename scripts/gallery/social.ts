import { mkdirSync, writeFileSync } from "node:fs";
import { featureTools } from "../features.ts";
import type { picturedPages } from "#app/http/page/social-picture.ts";
import { open } from "#tests/browser/support/steps.ts";
import type { Chromium } from "#tests/support/clients/chromium.ts";
import { product } from "#app/product/config.ts";
import { inputsFile, inputsHash } from "../brand/picture-inputs.ts";
import type { GallerySite } from "./sites.ts";

const folder = "app/product/public/social";
/** The size that link previews require: https://ogp.me/#structured */
const size = { width: 1200, height: 630 };
const ofCore: Record<(typeof picturedPages)[number], string> = { landing: "/", signup: "/signup", login: "/login" };
const paths: Record<string, string> = Object.assign(
  { ...ofCore },
  ...featureTools.map(({ pictures }) => pictures?.paths),
);

/** The first screen of each public page, as a visitor sees it, without its footer. To be reviewed and committed. */
export async function renderSocialPictures(chromium: Chromium, site: GallerySite): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [page, path] of Object.entries(paths)) {
    // A form would be tiny in so wide a picture, so it is rendered twice as large.
    const zoom = page === "landing" ? 1 : 2;
    const browsing = await chromium.newPage({
      viewport: { width: size.width / zoom, height: size.height / zoom },
      pixelRatio: zoom,
    });
    await open(browsing, site.origin + path);
    await browsing.page.evaluate(() => document.querySelector("footer")?.remove());
    writeFileSync(`${folder}/${page}.png`, await browsing.page.screenshot({ caret: "hide" }));
    await browsing.context.close();
  }
  writeFileSync(inputsFile, inputsHash(product));
}
