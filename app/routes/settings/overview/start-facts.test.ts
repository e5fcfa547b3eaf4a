import { expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { withoutDevices } from "#tests/configs/factors.ts";
import { startFacts } from "./start-facts.ts";

const installed: ProductConfig = product;
const webApp = withoutDevices(installed);

test("an installed product's start leads to the licence key, a web app's doesn't", () => {
  expect(startFacts(installed, false)?.keyPath).toContain(`/${installed.segment}/account#`);
  expect(startFacts(webApp, false)).toMatchObject({ keyPath: null, downloads: [] });
});

test("below something more urgent, a web app has a start only if a link opens it", () => {
  expect(startFacts(webApp, true)).toBeNull();
  const start = { ...webApp.start, activationUrl: "https://app.example.com" };
  expect(startFacts({ ...webApp, start }, true)).toMatchObject({ steps: [], activationUrl: start.activationUrl });
});
