import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Fault, Suite } from "../../../scripts/seeded-faults/fault.ts";
import { faults } from "../../../scripts/seeded-faults/faults.ts";
import { modules } from "./layers.ts";

/** Where a suite's tests are (vitest.config.ts). */
const testsOf: Record<Suite, RegExp> = {
  unit: /^(app|scripts|workers\/monitoring|tests\/architecture)\/.+\.test\.ts$/,
  integration: /^tests\/integration\/.+\.test\.ts$/,
  http: /^(tests\/http|workers\/stripe-emulator\/tests)\/.+\.test\.ts$/,
  simulate: /^scripts\/simulate\/simulate\.ts$/,
};

test.each(faults)("the seeded fault applies to exactly one place: $name", ({ file, find, replace, suite, tests }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
  expect(existsSync(tests)).toBe(true);
  expect(tests).toMatch(testsOf[suite]);
});

test("each seeded fault has a name of its own", () => {
  const names = faults.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

describe("a seeded fault that CI runs after a change", () => {
  const parts = [
    ...modules.map((name) => `app/modules/${name}`),
    ...["core", "db", "integrations", "http", "workflows", "api"].map((part) => `app/${part}`),
    ...["app.ts", "cron.ts", "monitoring", "stripe-emulator"].map((part) => `workers/${part}`),
  ];
  const uncovered = (from: readonly Fault[]) =>
    parts.filter((part) => !from.some(({ file, suite }) => suite !== "simulate" && `${file}/`.startsWith(`${part}/`)));

  test("exists for every module and part of the code", () => expect(uncovered(faults)).toEqual([]));

  test("is missing where only the simulation has one", () => {
    expect(uncovered(faults.filter(({ file }) => !file.startsWith("app/modules/codes/")))).toEqual([
      "app/modules/codes",
    ]);
    const simulated = faults.map((fault) => ({ ...fault, suite: "simulate" as const, by: "" }));
    expect(uncovered(simulated)).toEqual(parts);
  });
});
