import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewPages } from "../mail-preview/pages.ts";
import type { Scene } from "./scene.ts";
import type { Camera, Picture, Shown } from "./shoot.ts";
import { axeFindings, showTheme, troublesOf } from "./check.ts";

/** The widths at which email clients show them: on a desktop and on a phone. */
const widths = [600, 390];

/** axe's rules about landmarks, left out because an email client has its own interface around each email. */
const landmarks = ["landmark-one-main", "region"];

const files = previewPages();

/** Every email with its sample facts, by its name in `npm run mail:preview`. */
export const emailScenes: Scene[] = [...files.keys()].flatMap((file) => {
  const name = /^(.+)\.light\.html$/.exec(file)?.[1];
  return name ? [{ name: `email, ${name}`, path: name, who: "mara" }] : [];
});

export async function shootEmails(camera: Camera, chosen: Scene[], print: (result: Shown) => void): Promise<Shown[]> {
  const browsing = await camera.chromium.newPage();
  const { page } = browsing;
  const shown: Shown[] = [];
  for (const scene of chosen) {
    const pictures: Picture[] = [];
    const found: string[] = [];
    for (const theme of camera.themes.filter((each) => each !== "contrast")) {
      await showTheme(page, theme);
      await page.setContent(files.get(`${scene.path}.${theme}.html`) ?? "");
      for (const width of widths) {
        await page.setViewportSize({ width, height: 700 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) found.push(`${wide} px wide in a window of ${width} px`);
        const file = `${scene.name.replaceAll(/[^a-z0-9]+/g, "-")}.${theme}.${width}.png`;
        writeFileSync(join(camera.folder, file), await page.screenshot({ fullPage: true }));
        pictures.push({ file, theme, width, plain: false });
      }
      found.push(...(await axeFindings(page, theme, landmarks)));
    }
    const result = { scene, pictures, found: [...found, ...troublesOf(browsing)] };
    print(result);
    shown.push(result);
  }
  await browsing.context.close();
  return shown;
}
