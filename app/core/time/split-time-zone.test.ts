import { expect, test } from "vitest";
import { placeOfTimeZone, splitTimeZone } from "./split-time-zone.ts";

test.each([
  ["Europe/Stockholm", "Europe", ["Stockholm"], "Stockholm"],
  ["America/Argentina/Buenos_Aires", "America", ["Argentina", "Buenos Aires"], "Buenos Aires"],
  ["Antarctica/DumontDUrville", "Antarctica", ["Dumont d'Urville"], "Dumont d'Urville"],
  ["UTC", "UTC", [], "UTC"],
])("%s is named as its places are spelled", (zone, region, places, place) => {
  expect(splitTimeZone(zone)).toEqual({ region, places });
  expect(placeOfTimeZone(zone)).toBe(place);
});

test("no zone's name has two words written as one, except a surname", () => {
  const joined = Intl.supportedValuesOf("timeZone").filter((zone) => /[a-z][A-Z]/.test(placeOfTimeZone(zone)));
  expect(joined).toEqual(["Antarctica/McMurdo"]);
});
