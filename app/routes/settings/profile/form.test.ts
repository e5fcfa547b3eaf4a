import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { profileForm } from "./form.ts";
import { locales, localesOf } from "#app/modules/accounts/rules.ts";

const german = { locale: "de-DE" };
const english = { locale: "en-US" };
const profile = (locale: string) => ({ intent: "profile", name: "", timeZone: "UTC", locale });

describe("the date formats", () => {
  test("are the three standard ones, preceded by the product's own if it differs", () => {
    expect(localesOf(english)).toEqual(locales);
    expect(localesOf(german)).toEqual(["de-DE", ...locales]);
  });

  test("are accepted if the product's list contains them", () => {
    expect(v.is(profileForm(german), profile("de-DE"))).toBe(true);
    expect(v.is(profileForm(english), profile("de-DE"))).toBe(false);
    for (const locale of locales) expect(v.is(profileForm(german), profile(locale))).toBe(true);
  });
});
