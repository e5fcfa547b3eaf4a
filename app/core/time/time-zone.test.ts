import { describe, expect, test } from "vitest";
import { firstTimeZone, listTimeZones, readTimeZone } from "./time-zone.ts";

describe("a time zone", () => {
  test("is recognised by each of its past names and stored under its current one", () => {
    expect(["Asia/Calcutta", "Asia/Kolkata", "asia/kolkata"].map(readTimeZone)).toEqual(Array(3).fill("Asia/Kolkata"));
    expect(["Europe/Kiev", "Europe/Kyiv"].map(readTimeZone)).toEqual(["Europe/Kyiv", "Europe/Kyiv"]);
    expect(["UTC", "Etc/UTC", "US/Eastern"].map(readTimeZone)).toEqual(["UTC", "UTC", "America/New_York"]);
    expect(["Mars/Olympus", "", "Europe/Berlin\n"].map(readTimeZone)).toEqual([null, null, null]);
  });

  test("is refused if the runtime knows it but no place is in it, and taken as a fixed offset", () => {
    expect(["SystemV/EST5", "Factory", "Etc/Unknown"].map(readTimeZone)).toEqual([null, null, null]);
    const offsets = ["Etc/GMT+5", "+05:30", "-03:30"];
    expect(offsets.map(readTimeZone)).toEqual(offsets);
  });

  test("is offered under its current name, UTC included, without duplicates and sorted", () => {
    const zones = listTimeZones("Europe/Berlin");
    expect(zones).toEqual(expect.arrayContaining(["UTC", "Asia/Kolkata", "Europe/Kyiv", "Europe/Berlin"]));
    expect(zones).not.toContain("Asia/Calcutta");
    expect(zones).toEqual([...new Set(zones)].sort());
    // Every time zone a form accepts is in the list that the page shows next, and each choice is stored as submitted.
    expect(zones.map(readTimeZone)).toEqual(zones);
  });

  test("of an account is offered even if the runtime doesn't list it", () => {
    expect(listTimeZones("+05:30")).toContain("+05:30");
    expect(listTimeZones("UTC").filter((zone) => zone === "UTC")).toHaveLength(1);
  });

  test("is taken from the first source that names one", () => {
    expect(firstTimeZone(undefined, "Mars/Olympus", null, "Asia/Calcutta", "Europe/Berlin")).toBe("Asia/Kolkata");
    expect(firstTimeZone(undefined, "Mars/Olympus")).toBeNull();
  });
});
