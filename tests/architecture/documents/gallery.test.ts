import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { paymentStatuses } from "#app/modules/billing/orders/states.rules.ts";
import { features, featuresOn } from "#app/features.ts";
import { product } from "#app/product/config.ts";
import { picturedPages } from "#app/http/page/social-picture.ts";
import { featureTools } from "../../../scripts/features.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { everyScene, isOffered, ofTestMode, scenes, slugOf } from "../../../scripts/gallery/scenes.ts";

test.each([
  { off: "referral", pages: /^\/settings\/referral|^\{link of/ },
  { off: "withdrawal", pages: /^\/withdraw/ },
  { off: "cancellation", pages: /^\/cancel/ },
])("exactly the pages of a disabled feature are left out: $off", ({ off, pages }) => {
  const on = {
    gate: true,
    referral: true,
    on: features.map(({ name }) => name),
    withdrawal: true,
    cancellation: true,
  };
  const gone = everyScene.filter((scene) => !isOffered(scene, { ...on, [off]: false }));
  expect(gone.length).toBeGreaterThan(0);
  expect(gone).toEqual(everyScene.filter(({ path }) => pages.test(path)));
  expect(everyScene.filter((scene) => !isOffered(scene, on))).toEqual([]);
});

test.each(features)("the pages of $name are left out when it is off", ({ name }) => {
  const all = { gate: true, referral: true, withdrawal: true, cancellation: true };
  const gone = everyScene.filter(
    (scene) => !isOffered(scene, { ...all, on: features.map((each) => each.name).filter((each) => each !== name) }),
  );
  expect(gone.length).toBeGreaterThan(0);
  expect(gone).toEqual(everyScene.filter(({ feature }) => feature === name));
});

test("every outcome of a payment has a picture", () => {
  const shown = scenes.map(({ path }) => path);
  expect(paymentStatuses.filter((status) => !shown.includes(`/payment/${status}`))).toEqual([]);
});

test("an unconfirmed payment has pictures of each page that mentions it, and the notice of test mode has one", () => {
  const paths = (who: string) => scenes.filter((scene) => scene.who === who).map(({ path }) => path);
  expect(paths("unconfirmed")).toEqual([
    "/settings",
    pages.plan,
    "/settings/orders",
    "/settings/orders/{unconfirmed}",
    "/settings/upgrade",
  ]);
  expect(ofTestMode.map(({ who }) => who)).toEqual(expect.arrayContaining(["nobody", "tester"]));
  expect(scenes).toEqual(expect.arrayContaining(ofTestMode));
});

test("all pictures have distinct names and include every account of the demo", () => {
  const slugs = scenes.map(({ name }) => slugOf(name));
  expect(slugs.filter((slug, at) => slugs.indexOf(slug) !== at)).toEqual([]);
  // The tests' product can show every scene: only scenes of features that are off are left out.
  const own = { ...featuresOf(product, readGate(product, undefined)), on: featuresOn(product).map(({ name }) => name) };
  expect(everyScene.filter((scene) => isOffered(scene, own) && !scenes.includes(scene))).toEqual([]);
});

test.each([...picturedPages, ...featureTools.flatMap(({ pictures }) => Object.keys(pictures?.paths ?? {}))])(
  "the preview of a shared link to %s exists, in the required size and in the light theme",
  (page) => {
    const png = readFileSync(`app/product/public/social/${page}.png`);
    // A PNG's first chunk: https://www.w3.org/TR/png/#11IHDR
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  },
);
