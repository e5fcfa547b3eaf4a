import { describe, expect, test } from "vitest";
import { readSearchTerm, spellings } from "./find.rules.ts";

const word = (length: number) => "a".repeat(length);

describe("a search", () => {
  test.each(["mara@example.com", " MARA@Example.com "])("for the address %j uses its canonical form", (typed) => {
    expect(readSearchTerm(typed, ["boa"])).toEqual({ kind: "address", canonical: "mara@example.com" });
  });

  test("for an address that begins like an id finds the address", () => {
    expect(readSearchTerm("acc_123@example.com", ["boa"])).toEqual({
      kind: "address",
      canonical: "acc_123@example.com",
    });
  });

  test.each([
    ["2026-000041", 2026, 41],
    ["#2026-000041", 2026, 41],
    ["2026-1", 2026, 1],
    ["2026-123456789", 2026, 123_456_789],
  ])("for the number %s finds an order of that year, with or without zeros", (typed, year, inYear) => {
    expect(readSearchTerm(typed, ["boa"])).toEqual({ kind: "number", year, inYear });
  });

  test.each([
    ["ord_1a2b3c", "order"],
    ["acc_1a2b3c", "account"],
    ["cus_NffrFeUfNV2Hib", "customer"],
    ["sub_1MowQVLkdIwHu7ixeRlqHVzs", "subscription"],
    ["in_1MtHbELkdIwHu7ixl4OzzPMv", "invoice"],
    ["cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u", "checkout"],
    ["evt_1NG8Du2eZvKYlo2CUI79vXWy", "event"],
    ["cbtxn_1MrU9qLkdIwHu7ixhdjxGBgI", "credit"],
    ["pi_3MtwBwLkdIwHu7ix28a3tqPa", "payment"],
    ["ch_3MmlLrLkdIwHu7ix0snN0B15", "payment"],
    ["py_1GMKJsCZ6qsJgndJAbTZYiJp", "payment"],
    ["re_1Nispe2eZvKYlo2Cd31jOCgZ", "payment"],
    ["pyr_1Nispe2eZvKYlo2Cd31jOCg", "payment"],
    ["du_1MtJUT2eZvKYlo2CNaw2HvEv", "payment"],
    ["dp_1MtJUT2eZvKYlo2CNaw2HvEv", "payment"],
  ])("for %s finds the %s, by the id as it was typed", (typed, kind) => {
    expect(readSearchTerm(typed, ["boa"])).toEqual({ kind, id: typed });
  });

  test("for an id of a feature finds it by its prefix", () => {
    expect(readSearchTerm("boa_1a2b3c", ["boa"])).toEqual({ kind: "feature", prefix: "boa", id: "boa_1a2b3c" });
    expect(readSearchTerm("boa_1a2b3c", [])).toEqual({ kind: "name", name: "boa_1a2b3c" });
  });

  test.each([
    ["of three characters", "in_123", "invoice"],
    ["of two", "in_12", "name"],
    ["of two hundred", `in_${word(200)}`, "invoice"],
    ["of more", `in_${word(201)}`, "name"],
  ])("for an id %s after its prefix accepts only plausible lengths", (_what, typed, kind) => {
    expect(readSearchTerm(typed, ["boa"]).kind).toBe(kind);
  });

  test.each([
    "Mara",
    "mara lind",
    "mara@",
    "2026",
    "2026-",
    "##2026-1",
    "26-1",
    "20260-1",
    "2026-1234567890",
    "2026-1 ",
    "ACC_1a2b3c",
    "acc-1a2b3c",
    "acc_1a2b3c!",
    "my acc_1a2b3c",
    "pm_1a2b3c",
    "line_1a2b3c",
    "office_imac",
    "_1a2b3c",
    "%%%",
    "___",
  ])("for %j is a search for a name", (typed) => {
    expect(readSearchTerm(typed, ["boa"])).toEqual({ kind: "name", name: typed });
  });
});

describe("a search for a name", () => {
  test.each([
    ["Mara LIND", "mara lind"],
    ["attic iMac", "attic imac"],
    ["2nd phone", "2nd phone"],
  ])("uses one spelling where SQLite ignores the case: %s", (name, spelled) => {
    expect(spellings(name)).toEqual({ typed: spelled, capitals: spelled });
  });

  test.each([
    ["åsa", "åsa", "Åsa"],
    ["Élodie öberg", "Élodie öberg", "Élodie Öberg"],
    ["Anne-éva\tæsa", "anne-éva\tæsa", "anne-Éva\tÆsa"],
    ["жанна", "жанна", "Жанна"],
    ["noë d'ångström", "noë d'ångström", "noë d'ångström"],
  ])(
    "uses the typed form, and each word capitalised, where SQLite doesn't ignore the case: %j",
    (name, typed, capitals) => {
      expect(spellings(name)).toEqual({ typed, capitals });
    },
  );

  test.each([
    ["as typed", "åsa lind", "Åsa Lind"],
    ["without capitals", "ÅSA LIND", "ÅSA Lind"],
  ])("typed %s finds the name, although SQLite lower-cases ASCII alone", (_how, typed, stored) => {
    const { typed: as, capitals } = spellings(typed);
    const lowered = stored.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    expect([as, capitals]).toContain(lowered);
  });
});
