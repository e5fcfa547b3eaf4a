/**
 * `npm run gallery`: every page in every state and every email as pictures in `.gallery`, with a page that lists them all and the
 * problems found: axe's findings, overflow, layout shifts, console errors. Exits with 1 if there are any.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { product } from "#app/product/config.ts";
import { startChromium } from "#tests/support/clients/chromium.ts";
import { findTwoFreePorts } from "../site/free-ports.ts";
import { run } from "../run.ts";
import { renderIndexPage } from "./index-page.ts";
import { emailScenes, shootEmails } from "./emails.ts";
import { readOptions } from "./options.ts";
import { ofFeatureSites, ofTestMode, testAccountScenes, ofTheDemo, scenes } from "./scenes.ts";
import type { Scene } from "./scene.ts";
import { type Camera, type Seat, shoot, type Shown, takeSeat } from "./shoot.ts";
import { renderReadmePictures } from "./readme.ts";
import { renderSocialPictures } from "./social.ts";
import { openEmptySite, openTestAccounts, openDemo, openTestMode, type GallerySite } from "./sites.ts";

const { isWanted, themes, folder, picture, ...given } = readOptions(process.argv.slice(2), [...scenes, ...emailScenes]);

// Otherwise every email and every unreachable address would print a line.
process.env["WRANGLER_LOG"] = "error";
const port = given.port ?? (await findTwoFreePorts(8800));
await run("node", ["scripts/site/build.ts", "--if-stale"]);
const chromium = await startChromium();
if (picture === "social") {
  await renderSocialPictures(chromium, await openEmptySite());
  process.exit(0);
}
if (picture === "readme") {
  const site = await openDemo(port);
  await renderReadmePictures(chromium, site);
  await site.close();
  process.exit(0);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const camera: Camera = { chromium, folder, themes };
const shown: Shown[] = [
  ...(await shootOn(openTestAccounts, testAccountScenes)),
  ...(await shootOn(() => openDemo(port), ofTheDemo)),
  ...(await shootOn(openTestMode, ofTestMode)),
  ...(await shootOnFeatureSites()),
  ...(await shootEmails(camera, emailScenes.filter(isWanted), print)),
];
await chromium.close();
writeFileSync(
  join(folder, "index.html"),
  renderIndexPage(`The pages of ${product.name}`, shown, new Date().toISOString()),
);
const wrong = shown.filter(({ found }) => found.length > 0);
console.log(`\n${shown.length} scenes, ${wrong.length} with something wrong: ${join(folder, "index.html")}`);
// Connections that a test site leaves open no longer matter.
process.exit(wrong.length > 0 ? 1 : 0);

async function shootOnFeatureSites(): Promise<Shown[]> {
  const shots: Shown[] = [];
  for (const { open, scenes: own } of ofFeatureSites) shots.push(...(await shootOn(open, own)));
  return shots;
}

/** The scenes of one site, person by person. The site is started only if one of them is wanted. */
async function shootOn(openStage: () => Promise<GallerySite>, itsScenes: Scene[]): Promise<Shown[]> {
  const wanted = itsScenes.filter(isWanted);
  if (wanted.length === 0) return [];
  const site = await openStage();
  try {
    const done = new Map<Scene, Shown>();
    for (const who of new Set(wanted.map((scene) => scene.who))) {
      const seat = await takeSeat(camera, site, who);
      for (const scene of wanted.filter((each) => each.who === who)) done.set(scene, await shootOne(site, seat, scene));
      await Promise.all([seat.lively.context.close(), seat.plain.context.close()]);
    }
    return wanted.flatMap((scene) => done.get(scene) ?? []);
  } finally {
    await site.close();
  }
}

/** A scene that fails to render is a problem; the others are rendered anyway. */
async function shootOne(site: GallerySite, seat: Seat, scene: Scene): Promise<Shown> {
  const result = await shoot(camera, site, seat, scene).catch((error: unknown) => ({
    scene,
    pictures: [],
    found: [`can't be shown: ${String(error)}`],
  }));
  print(result);
  return result;
}

function print({ scene, found }: Shown): void {
  console.log([scene.name, ...found.map((each) => `  - ${each}`)].join("\n"));
}
