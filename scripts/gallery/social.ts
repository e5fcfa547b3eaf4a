import { mkdirSync, writeFileSync } from "node:fs";
import { picturedPages } from "#app/http/page/social-picture.ts";
import { open } from "#tests/browser/support/steps.ts";
import type { Chromium } from "#tests/support/clients/chromium.ts";
import { product } from "#app/product/config.ts";
import { inputsFile, inputsHash } from "../brand/picture-inputs.ts";
import type { GallerySite } from "./sites.ts";

const folder = "app/product/public/social";
/** The size that link previews require: https://ogp.me/#structured */
const size = { width: 1200, height: 630 };
const paths: Record<(typeof picturedPages)[number], string> = {
  landing: "/",
  signup: "/signup",
  login: "/login",
  waitlist: "/waitlist",
};

/** The first screen of each public page, as a visitor sees it, without its footer. To be reviewed and committed. */
export async function renderSocialPictures(chromium: Chromium, site: GallerySite): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const page of picturedPages) {
    // A form would be tiny in so wide a picture, so it is rendered twice as large.
    const zoom = page === "landing" ? 1 : 2;
    const browsing = await chromium.newPage({
      viewport: { width: size.width / zoom, height: size.height / zoom },
      pixelRatio: zoom,
    });
    await open(browsing, site.origin + paths[page]);
    await browsing.page.evaluate(() => document.querySelector("footer")?.remove());
    writeFileSync(`${folder}/${page}.png`, await browsing.page.screenshot({ caret: "hide" }));
    await browsing.context.close();
  }
  writeFileSync(inputsFile, inputsHash(product));
}
