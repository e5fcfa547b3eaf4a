import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { dataForm, notificationsForm, overviewForm, profileForm, securityForm } from "./account-forms.rules.ts";
import { locales, localesOf } from "./rules.ts";
import { formIntentsOf } from "#tests/support/site/form-intents.ts";

const german = { locale: "de-DE" };
const english = { locale: "en-US" };
const profile = (locale: string) => ({ intent: "profile", name: "", timeZone: "UTC", locale });

describe("the date formats", () => {
  test("are the three standard ones, preceded by the product's own if it differs", () => {
    expect(localesOf(english)).toEqual(locales);
    expect(localesOf(german)).toEqual(["de-DE", ...locales]);
  });

  test.each([profileForm, overviewForm])("are accepted if the product's list contains them", (form) => {
    expect(v.is(form(german), profile("de-DE"))).toBe(true);
    expect(v.is(form(english), profile("de-DE"))).toBe(false);
    for (const locale of locales) expect(v.is(form(german), profile(locale))).toBe(true);
  });
});

test("the overview accepts exactly the forms of the four pages", () => {
  const pages = [profileForm(english), securityForm, notificationsForm, dataForm];
  expect([...new Set(formIntentsOf(overviewForm(english)))].toSorted()).toEqual(
    pages.flatMap((form) => [...new Set(formIntentsOf(form))]).toSorted(),
  );
});
