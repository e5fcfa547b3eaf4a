import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { dataSentence, isDataKept, lastDayOfData, sayData } from "./data-sentence.rules.ts";

const reader = { locale: "en-GB", timeZone: "UTC" };
const ended = Date.UTC(2026, 10, 24);
const kept = { dataWhenSmaller: "Download the rest by {day}.", dataKeptDays: 30 };

test("the sentence has the day that is as many days after the change as the product keeps the data", () => {
  const day = lastDayOfData(kept, ended, reader);
  expect(day?.replaceAll("\u00a0", " ")).toBe("24 December 2026");
  expect(dataSentence(kept, ended, reader)).toBe(`Download the rest by ${day}.`);
});

test("days are counted by the calendar where the clocks go back in between", () => {
  const inBerlin = { locale: "en-GB", timeZone: "Europe/Berlin" };
  const early = Date.UTC(2026, 9, 17, 22, 30);
  const day = lastDayOfData(kept, early, inBerlin);
  expect(day?.replaceAll("\u00a0", " ")).toBe("17 November 2026");
});

test("a sentence with a day isn't said where that is unknown, and one without a day always is", () => {
  expect(dataSentence(kept, null, reader)).toBeNull();
  expect(sayData(kept.dataWhenSmaller, null)).toBeNull();
  const plain = { dataWhenSmaller: "The rest is deleted." };
  expect([dataSentence(plain, null, reader), dataSentence(plain, ended, reader)]).toEqual([
    "The rest is deleted.",
    "The rest is deleted.",
  ]);
  expect([dataSentence({}, ended, reader), lastDayOfData({}, ended, reader)]).toEqual([null, null]);
});

test("the data is kept until that day", () => {
  const last = ended + 30 * dayMs;
  expect([isDataKept(kept, ended, last - 1), isDataKept(kept, ended, last), isDataKept({}, ended, ended)]).toEqual([
    true,
    false,
    false,
  ]);
});
