import { expect, test } from "vitest";
import { settingsMenu } from "./menu.ts";

const product = { segment: "kites" };
const all = { devices: true, referral: true, preferences: true };

const on = { isAccountClosed: false, hasPlan: true };

const pathsOf = (...input: Parameters<typeof settingsMenu>) =>
  settingsMenu(...input).flatMap(({ links }) => links.map(({ to }) => to));

test("the menu of the settings leads to every page", () => {
  expect(pathsOf(product, all, on)).toEqual([
    "/settings",
    "/settings/profile",
    "/settings/security",
    "/settings/notifications",
    "/settings/data",
    "/settings/kites/account",
    "/settings/kites/settings",
    "/settings/kites/plan",
    "/settings/upgrade",
    "/settings/orders",
    "/settings/referral",
  ]);
});

test.each([
  ["referral", "/settings/referral"],
  ["devices", "/settings/kites/account"],
  ["preferences", "/settings/kites/settings"],
] as const)("the menu doesn't link to the page of %s while that is off", (feature, path) => {
  const without = pathsOf(product, { ...all, [feature]: false }, on);
  expect(without).toEqual(pathsOf(product, all, on).filter((each) => each !== path));
  expect(without).not.toContain(path);
});

test("the menu has no group of a product that has neither", () => {
  const groups = settingsMenu(product, { ...all, devices: false, preferences: false }, on);
  expect(groups.map(({ label }) => label)).toEqual(["you", "money"]);
});

test("the menu of a closed account contains only the pages that stay open", () => {
  expect(pathsOf(product, all, { ...on, isAccountClosed: true })).toEqual(["/settings", "/settings/orders"]);
});

test.each([
  [true, "upgrade"],
  [false, "choose"],
])("the page of plans is named after what is done there, with a plan (%s) or without", (hasPlan, label) => {
  const links = settingsMenu(product, all, { ...on, hasPlan }).flatMap((group) => group.links);
  expect(links.find(({ to }) => to === "/settings/upgrade")?.label).toBe(label);
});
