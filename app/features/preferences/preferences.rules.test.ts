import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  type Preference,
  differing,
  mergeChosen,
  mergedPreferences,
  preferencesForm,
  preferencesOn,
  withDefaults,
  type Preferences,
} from "./preferences.rules.ts";

const schema: Preference[] = [
  {
    key: "rhythm",
    kind: "choice",
    label: "",
    options: [
      { value: "slow", label: "" },
      { value: "fast", label: "" },
    ],
    default: "slow",
  },
  { key: "cap", kind: "number", label: "", min: 0, max: 10, default: 5 },
  { key: "loud", kind: "switch", label: "", default: true },
];

describe("preferences", () => {
  test("are the defaults until the owner chooses", () => {
    expect(withDefaults(schema, {})).toEqual({ rhythm: "slow", cap: 5, loud: true });
    expect(withDefaults(schema, { cap: 7, loud: false })).toEqual({ rhythm: "slow", cap: 7, loud: false });
  });

  test("omit what the schema no longer contains, and fall back to the default if a value is no longer valid", () => {
    expect(withDefaults(schema, { gone: "x", rhythm: "medium", cap: 11 })).toEqual({
      rhythm: "slow",
      cap: 5,
      loud: true,
    });
  });

  test("that a device returns unchanged aren't a choice, and those it omits stay", () => {
    expect(mergedPreferences(schema, {}, { rhythm: "slow", cap: 7, loud: true })).toEqual({ cap: 7 });
    expect(mergedPreferences(schema, { cap: 7, loud: false }, { cap: 5 })).toEqual({ cap: 5, loud: false });
  });

  test("differ if their meaning differs, defaults included", () => {
    const keys = (one: object, other: object) => differing(schema, { ...one }, { ...other }).map(({ key }) => key);
    expect(keys({}, { rhythm: "slow", cap: 5, loud: true, gone: 1 })).toEqual([]);
    expect(keys({ cap: 6 }, { loud: false })).toEqual(["cap", "loud"]);
  });

  test("from an outdated page take stored values where the owner changed nothing, and report conflicts", () => {
    const shown = { rhythm: "slow", cap: 5, loud: true };
    const merge = (chosen: object, current: object, before: Preferences | undefined = shown) =>
      mergeChosen(schema, { shown: before, chosen: { ...shown, ...chosen }, current: { ...current } });
    expect(merge({ loud: false }, { cap: 7 })).toEqual({
      merged: { rhythm: "slow", cap: 7, loud: false },
      taken: ["cap"],
      inConflict: [],
    });
    expect(merge({ cap: 6 }, { cap: 7, rhythm: "fast" })).toEqual({
      merged: { rhythm: "fast", cap: 6, loud: true },
      taken: ["rhythm"],
      inConflict: ["cap"],
    });
    // Both chose the same value: no conflict.
    expect(merge({ cap: 7 }, { cap: 7 })).toMatchObject({ merged: { ...shown, cap: 7 }, taken: [], inConflict: [] });
  });

  test("of a form that doesn't include the shown values are all its sender's", () => {
    const chosen = { rhythm: "slow", cap: 6, loud: true };
    expect(mergeChosen(schema, { shown: undefined, chosen, current: { cap: 7 } })).toEqual({
      merged: chosen,
      taken: [],
      inConflict: ["cap"],
    });
  });

  test.each(["", "{", "[1]x", '"text"', '{"cap":{}}'])("are refused as not shown with %j", (sent) => {
    const fields = { intent: "save", rhythm: "fast", cap: "3", shown: sent };
    const parsed = v.safeParse(preferencesForm(schema), fields);
    expect(parsed.issues?.map((issue) => issue.message)).toEqual(["version-malformed"]);
  });

  test("are read from form fields, including a switch that is off", () => {
    const parsed = v.safeParse(preferencesForm(schema), { intent: "save", rhythm: "fast", cap: "3" });
    expect(parsed.output).toMatchObject({ rhythm: "fast", cap: 3, loud: false });
  });

  test.each(["٣", "۳", "３"])("are read in other scripts' digits: %s", (cap) => {
    const parsed = v.safeParse(preferencesForm(schema), { intent: "save", rhythm: "fast", cap });
    expect(parsed.output).toMatchObject({ cap: 3 });
  });

  test.each([
    [{ rhythm: "fast", cap: "11" }, "preference-out-of-range"],
    [{ rhythm: "fast", cap: "many" }, "preference-not-a-number"],
    [{ rhythm: "medium", cap: "1" }, "preference-unknown"],
  ])("%j is refused", (fields, problem) => {
    const parsed = v.safeParse(preferencesForm(schema), { intent: "save", ...fields });
    expect(parsed.issues?.map((issue) => issue.message)).toEqual([problem]);
  });
});

describe("a number with a limit from the plan", () => {
  const days: Preference = { key: "days", kind: "number", label: "", min: 1, max: 90, default: 5, limit: "days" };
  const on = (limit: number) => preferencesOn([days, ...schema], { limits: { devices: 1, days: limit } });

  test("is at most the plan's limit, and never outside its own range", () => {
    expect(on(30)).toEqual([{ ...days, max: 30 }, ...schema]);
    expect(on(365)).toEqual([days, ...schema]);
  });

  test("has its own range without a plan", () => {
    expect(preferencesOn([days, ...schema], null)).toEqual([days, ...schema]);
  });

  test("returns to the default on a smaller plan, and to the chosen value on a larger one", () => {
    const chosen = { days: 60 };
    expect([withDefaults(on(30), chosen)["days"], withDefaults(on(90), chosen)["days"]]).toEqual([5, 60]);
  });

  test("is reduced to the plan's limit if a device sends more", () => {
    expect(mergedPreferences(on(30), {}, { days: 60 })).toEqual({ days: 30 });
  });
});
