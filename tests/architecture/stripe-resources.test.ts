import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The build empties what of Stripe's SDK isn't on the list in vite.config.ts. TypeScript doesn't know, and neither do
 * tests that run without a build: a resource that is missing on the list breaks only in production.
 */
const [, list = ""] = /const askedOfStripe = \[([\s\S]*?)\n\];/.exec(readFileSync("vite.config.ts", "utf8")) ?? [];
const kept = [...list.matchAll(/"(\w+)[./]"/g)].map(([, name]) => name);

const sources = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => readFileSync(`app/${path}`, "utf8"));
/** Not in the SDK's `resources`. */
const others = ["Webhooks", "Errors"];
const used = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/\bstripe\.([a-z])(\w+)\.\w/g)].map(([, first = "", rest = ""]) => first.toUpperCase() + rest),
  ),
);

test("the build keeps every resource of Stripe's SDK that the app uses", () => {
  expect(kept.length).toBeGreaterThan(5);
  expect([...used].filter((name) => !kept.includes(name) && !others.includes(name)).toSorted()).toEqual([]);
});

test("and no other", () => {
  expect(kept.filter((name) => name && !used.has(name))).toEqual([]);
});
