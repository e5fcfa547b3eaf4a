import { expect, test } from "vitest";
import { dateFormat, numberFormat } from "./formats.ts";

test("a formatter is created once for each set of options", () => {
  expect(numberFormat("de")).toBe(numberFormat("de"));
  expect(numberFormat("de")).not.toBe(numberFormat("fr"));
  const [berlin, tokyo] = ["Europe/Berlin", "Asia/Tokyo"].map((timeZone) => dateFormat("de", { timeZone }));
  expect(berlin).toBe(dateFormat("de", { timeZone: "Europe/Berlin" }));
  expect(tokyo?.resolvedOptions().timeZone).toBe("Asia/Tokyo");
});

test("the number of cached formatters is limited", () => {
  const first = numberFormat("de");
  for (let digits = 0; digits < 200; digits++) {
    numberFormat(`de-x-${digits}`);
  }
  expect(numberFormat("de")).not.toBe(first);
});

test("options that the runtime refuses are refused each time", () => {
  for (let times = 0; times < 2; times++)
    expect(() => dateFormat("de", { timeZone: "Mars/Olympus" })).toThrow(RangeError);
});
