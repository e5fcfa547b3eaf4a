import { expect, test } from "vitest";
import { dateFormat, numberFormat } from "./formats.ts";

test("a formatter is made once, and another one for other options", () => {
  expect(numberFormat("de")).toBe(numberFormat("de"));
  expect(numberFormat("de")).not.toBe(numberFormat("fr"));
  const [berlin, tokyo] = ["Europe/Berlin", "Asia/Tokyo"].map((timeZone) => dateFormat("de", { timeZone }));
  expect(berlin).toBe(dateFormat("de", { timeZone: "Europe/Berlin" }));
  expect(tokyo?.resolvedOptions().timeZone).toBe("Asia/Tokyo");
});

test("no more are kept than a Worker has use for", () => {
  const first = numberFormat("de");
  for (let digits = 0; digits < 200; digits++) {
    numberFormat(`de-x-${digits}`);
  }
  expect(numberFormat("de")).not.toBe(first);
});

test("what the runtime refuses is refused each time", () => {
  for (let times = 0; times < 2; times++)
    expect(() => dateFormat("de", { timeZone: "Mars/Olympus" })).toThrow(RangeError);
});
