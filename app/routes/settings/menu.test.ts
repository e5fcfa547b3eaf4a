import { expect, test } from "vitest";
import { settingsMenu } from "./menu.ts";

const product = { segment: "kites" };
const all = { referral: true, preferences: true };

const pathsOf = (...wish: Parameters<typeof settingsMenu>) =>
  settingsMenu(...wish).flatMap(({ links }) => links.map(({ to }) => to));

test("the menu of the settings leads to every page", () => {
  expect(pathsOf(product, all, false)).toEqual([
    "/settings",
    ...["/settings/kites/account", "/settings/kites/settings"],
    ...["/settings/kites/plan", "/settings/upgrade", "/settings/orders", "/settings/referral"],
  ]);
});

test.each([
  ["referral", "/settings/referral"],
  ["preferences", "/settings/kites/settings"],
] as const)("it doesn't lead to the page of %s while that is off", (feature, path) => {
  const without = pathsOf(product, { ...all, [feature]: false }, false);
  expect(without).toEqual(pathsOf(product, all, false).filter((each) => each !== path));
  expect(without).not.toContain(path);
});

test("while an account is leaving, only what stays open is in it", () => {
  expect(pathsOf(product, all, true)).toEqual(["/settings", "/settings/orders"]);
});
