import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { text } from "./text.ts";

const name = v.pipe(text({ missing: "name-missing", malformed: "name-malformed" }), v.nonEmpty("name-missing"));
const problemOf = (typed: string) => v.safeParse(name, typed).issues?.[0].message;

describe("a text field", () => {
  test("counts blanks as not typed", () => {
    expect(problemOf(" \t\u00A0\u3000")).toBe("name-missing");
  });

  test.each([
    ["a joiner", "\u200D"],
    ["joiners between blanks", " \u200C \u200D "],
    ["the Hangul filler, which is a letter", "\u3164"],
    ["other fillers", "\u115F\u1160\uFFA0\u17B4\u180B"],
    ["a variation selector", "\uFE0F"],
    ["the combining grapheme joiner", "\u034F"],
    ["the empty Braille pattern", "\u2800"],
  ])("refuses %s alone", (_, typed) => {
    expect(problemOf(typed)).toBe("name-malformed");
  });

  test.each(["می‌خواهم", "क्‍ष", "👩‍👩‍👧", "❤️", "ㅎ", "⠓⠊", "-", "."])("keeps %s as it is", (typed) => {
    expect(v.parse(name, ` ${typed} `)).toBe(typed);
  });

  test.each(["a\nb", "a\u202Eb"])("refuses %j", (typed) => {
    expect(problemOf(typed)).toBe("name-malformed");
  });
});
