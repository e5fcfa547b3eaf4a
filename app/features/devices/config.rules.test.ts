import { expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { checkDevices } from "./config.rules.ts";

const plan = { name: "A plan", tagline: "", prices: null, points: [] };
const sound: ProductConfig = {
  ...product,
  plans: [
    { ...plan, id: "small", limits: { devices: 1, storage: 2 } },
    { ...plan, id: "large", limits: { devices: 2, storage: 3 } },
  ],
  meters: [{ key: "storage", label: "Storage", kind: "last", unit: "bytes", limit: "storage" }],
  start: { downloads: [], steps: [] },
};
const found = (config: ProductConfig) => checkDevices(config).map(({ code, path }) => [code, path]);
const withoutDevices = sound.plans.map((each) => ({ ...each, limits: { storage: 2 } }));

test("a config is valid with devices in each plan, and without any", () => {
  expect(found(sound)).toEqual([]);
  expect(found({ ...sound, plans: withoutDevices, meters: [] })).toEqual([]);
});

test("devices in some plans alone are refused", () => {
  const plans = sound.plans.map((each, at) => (at === 1 ? { ...each, limits: { storage: 2 } } : each));
  expect(found({ ...sound, plans })).toEqual([["limit-missing", "plans[1].limits.devices"]]);
});

test("what only devices use is refused without devices", () => {
  const start = { downloads: [], steps: [{ title: "", text: "", needsKey: true }] };
  expect(found({ ...sound, plans: withoutDevices, start })).toEqual(
    ["meters", "start.steps"].map((path) => ["devices-missing", path]),
  );
});
