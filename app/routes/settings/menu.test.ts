import { expect, test } from "vitest";
import { featuresOn } from "#app/features.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { settingsMessages } from "./messages.ts";
import { settingsMenu } from "./menu.ts";

const config: ProductConfig = product;
const all: ProductConfig = { ...config, segment: "kites", referral: { ...config.referral, state: "open" } };
const gate = { kind: "none" } as const;
const on = { isAccountClosed: false, hasPlan: true };

const pathsOf = (of: ProductConfig, state = on) =>
  settingsMenu(of, gate, state).flatMap(({ links }) => links.map(({ to }) => to));
const ofFeatures = featuresOn(all)
  .flatMap(({ settingsPages = [] }) => settingsPages)
  .map(({ path }) => `/settings/kites/${path}`);

test("the menu of the settings leads to every page", () => {
  expect(pathsOf(all)).toEqual([
    "/settings",
    "/settings/profile",
    "/settings/security",
    "/settings/notifications",
    "/settings/data",
    ...ofFeatures,
    "/settings/kites/plan",
    "/settings/upgrade",
    "/settings/orders",
    "/settings/referral",
  ]);
});

const withoutDevices = { ...all, plans: all.plans.map((plan) => ({ ...plan, limits: {} })) };

test.each<[string, ProductConfig, string]>([
  ["referral", { ...all, referral: { ...all.referral, state: "off" } }, "/settings/referral"],
  ["devices", withoutDevices, "/settings/kites/account"],
])("the menu doesn't link to the page of %s while that is off", (_feature, without, path) => {
  expect(pathsOf(all)).toContain(path);
  expect(pathsOf(without)).not.toContain(path);
});

test("the menu has no group of a product that has neither devices nor pages of features", () => {
  const groups = settingsMenu(withoutDevices, gate, on);
  expect(featuresOn(withoutDevices).flatMap(({ settingsPages = [] }) => settingsPages)).toEqual([]);
  expect(groups.map(({ label }) => label)).toEqual([settingsMessages.en.you, settingsMessages.en.money]);
});

test("the menu of a closed account contains only the pages that stay open", () => {
  expect(pathsOf(all, { ...on, isAccountClosed: true })).toEqual(["/settings", "/settings/orders"]);
});

test.each([
  [true, settingsMessages.en.upgrade],
  [false, settingsMessages.en.choose],
])("the page of plans is named after what is done there, with a plan (%s) or without", (hasPlan, label) => {
  const links = settingsMenu(all, gate, { ...on, hasPlan }).flatMap((group) => group.links);
  expect(links.find(({ to }) => to === "/settings/upgrade")?.label).toBe(label);
});
