import { expect, test } from "vitest";
import { fixedTax } from "./tax.rules.ts";

const total = { totalMinor: 1190, currency: "EUR" };

test("a fixed rate is part of the total, rounded to the currency's step", () => {
  expect(fixedTax({ rate: 19, name: "VAT" }, total)).toEqual({ name: "VAT", percent: 19, amountMinor: 190 });
  expect(fixedTax({ rate: 10, name: "Tax" }, { totalMinor: 1005, currency: "JPY" })?.amountMinor).toBe(91);
});

test.each(["stripe", { exempt: "No VAT (§ 19 UStG)" }] as const)("%o: nothing that the config knows", (setting) => {
  expect(fixedTax(setting, total)).toBeNull();
});
