import { expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { checkPreferences } from "./config.rules.ts";

const config: ProductConfig = product;
const speed = { key: "speed", label: "Speed", kind: "number", min: 1, max: 9, default: 5 } as const;
const sound: ProductConfig = { ...config, preferences: [speed] };

test("sound preferences, and none, are accepted", () => {
  expect(checkPreferences(sound)).toEqual([]);
  expect(checkPreferences({ ...sound, preferences: [] })).toEqual([]);
  expect(checkPreferences({ ...sound, preferences: undefined })).toEqual([]);
});

test.each<[string, Partial<ProductConfig>, string[]]>([
  [
    "no devices that read them",
    { plans: sound.plans.map((each) => ({ ...each, limits: {} })) },
    ["devices-missing", "preferences"],
  ],
  ["one twice", { preferences: [speed, speed] }, ["name-taken-twice", "preferences[1]"]],
  ["a key that is no word", { preferences: [{ ...speed, key: "a b" }] }, ["name-malformed", "preferences[0]"]],
  [
    "one called like the form's own field",
    { preferences: [{ key: "intent", label: "", kind: "switch", default: true }] },
    ["name-reserved", "preferences[0]"],
  ],
  [
    "a default that can't be chosen",
    { preferences: [{ ...speed, default: 10 }] },
    ["default-not-allowed", "preferences[0].default"],
  ],
  [
    "a number that is held to a limit which the plans don't have",
    { preferences: [{ ...speed, limit: "unheardOf" }] },
    ["limit-missing", "preferences[0].limit"],
  ],
  [
    "a default that can't be chosen on the smallest plan",
    {
      plans: sound.plans.map((each, at) => ({ ...each, limits: { ...each.limits, days: at + 4 } })),
      preferences: [{ ...speed, limit: "days" }],
    },
    ["default-not-allowed", "preferences[0].default"],
  ],
])("a config is refused with %s", (_what, changed, expected) => {
  expect(checkPreferences({ ...sound, ...changed }).map(({ code, path }) => [code, path])).toEqual([expected]);
});
