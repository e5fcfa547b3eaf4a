/**
 * The product's own preferences: one schema in `app/product/config.ts` gives the form, the check and the defaults. What is
 * stored is only what somebody chose; a default that changes later reaches everybody who never chose.
 */
import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import type { Preference } from "./rules.ts";

export type PreferenceValue = string | number | boolean;
export type Preferences = Record<string, PreferenceValue>;

/**
 * The schema for an account on a plan: a number that names one of the plan's limits is at most that. Without a plan the product's own
 * range remains: what was chosen waits for the next plan.
 */
export function preferencesOn(
  schema: readonly Preference[],
  plan: { limits: { readonly [limit: string]: number } } | null,
): Preference[] {
  return schema.map((preference) => {
    if (preference.kind !== "number" || preference.limit === undefined) return preference;
    return { ...preference, max: Math.min(preference.max, plan?.limits[preference.limit] ?? preference.max) };
  });
}

/** The chosen values over the defaults; what the schema no longer knows is left out. */
export function withDefaults(schema: readonly Preference[], chosen: Preferences): Preferences {
  const values: Preferences = {};
  for (const preference of schema) values[preference.key] = fitting(preference, chosen[preference.key]);
  return values;
}

/** Those that mean something else in one than in the other. */
export function differing<Of extends Preference>(schema: readonly Of[], one: Preferences, other: Preferences): Of[] {
  const [left, right] = [withDefaults(schema, one), withDefaults(schema, other)];
  return schema.filter(({ key }) => left[key] !== right[key]);
}

/** What a device sends of it, over what was chosen. A default that it sends back as it got it is nobody's choice. */
export function mergedPreferences(schema: readonly Preference[], chosen: Preferences, sent: Preferences): Preferences {
  const standing = withDefaults(schema, chosen);
  const said = Object.entries(sent)
    .map(([key, value]) => [key, atMost(schema, key, value)] as const)
    .filter(([key, value]) => key in chosen || value !== standing[key]);
  return { ...chosen, ...Object.fromEntries(said) };
}

/** A device knows the product's range, not what the plan makes of it. */
function atMost(schema: readonly Preference[], key: string, value: PreferenceValue): PreferenceValue {
  const preference = schema.find((candidate) => candidate.key === key);
  return preference?.kind === "number" && typeof value === "number" ? Math.min(value, preference.max) : value;
}

/**
 * What a person chose, over what stands by now: where they left a field as it was shown, what stands is what they want. In conflict is
 * what both sides changed, each to something else. Whoever doesn't say what they were shown wants all that they chose.
 */
export function mergeChosen(
  schema: readonly Preference[],
  { shown, chosen, stands }: { shown: Preferences | undefined; chosen: Preferences; stands: Preferences },
): { merged: Preferences; taken: string[]; inConflict: string[] } {
  const unlikeShown = (values: Preferences) =>
    (shown ? differing(schema, shown, values) : schema).map(({ key }) => key);
  const [touched, moved] = [unlikeShown(chosen), unlikeShown(stands)];
  const own = Object.fromEntries(Object.entries(chosen).filter(([key]) => touched.includes(key)));
  const apart = differing(schema, chosen, stands).map(({ key }) => key);
  return {
    merged: { ...withDefaults(schema, stands), ...own },
    taken: moved.filter((key) => !touched.includes(key)),
    inConflict: apart.filter((key) => touched.includes(key) && moved.includes(key)),
  };
}

/** Can this be chosen? */
export function takes(preference: Preference, value: PreferenceValue): boolean {
  return v.is(valueSchema(preference), value);
}

function fitting(preference: Preference, value: PreferenceValue | undefined): PreferenceValue {
  const parsed = v.safeParse(valueSchema(preference), value);
  return parsed.success ? parsed.output : preference.default;
}

function valueSchema(preference: Preference): v.GenericSchema<unknown, PreferenceValue> {
  switch (preference.kind) {
    case "choice":
      return v.picklist(
        preference.options.map((option) => option.value),
        "preference-unknown",
      );
    case "number":
      return numberSchema(preference.min, preference.max);
    case "switch":
      return v.boolean("preference-not-a-switch");
  }
}

/** What a device sends: any of the keys. What it leaves out stays as it is, so that an old one loses nothing that it doesn't know. */
export function preferencesBody(schema: readonly Preference[]) {
  const entries: Record<string, v.GenericSchema<unknown, PreferenceValue | undefined>> = {};
  for (const preference of schema) entries[preference.key] = v.optional(valueSchema(preference));
  return v.object(entries);
}

/** What a device is told: all of them. */
export function preferencesAnswer(schema: readonly Preference[]) {
  return v.object(Object.fromEntries(schema.map((preference) => [preference.key, valueSchema(preference)])));
}

function numberSchema(min: number, max: number) {
  return v.pipe(
    v.number("preference-not-a-number"),
    v.integer("preference-not-a-number"),
    v.minValue(min, "preference-out-of-range"),
    v.maxValue(max, "preference-out-of-range"),
  );
}

/** The form of the preferences page: a field per key, and what the page was shown with: the version and its values. */
export function preferencesForm(schema: readonly Preference[]) {
  const entries: Record<string, v.GenericSchema<unknown, PreferenceValue>> = {};
  for (const preference of schema) entries[preference.key] = fieldSchema(preference);
  return v.object({
    ...entries,
    intent: v.literal("save", "intent-unknown"),
    version: v.optional(v.pipe(text({ malformed: "version-malformed" }), v.regex(/^\d{1,9}$/, "version-malformed"))),
    shown: v.optional(
      v.pipe(
        text({ malformed: "version-malformed" }),
        v.parseJson(undefined, "version-malformed"),
        v.record(v.string(), v.union([v.string(), v.number(), v.boolean()], "version-malformed"), "version-malformed"),
      ),
    ),
  });
}

/** A form sends words: numbers are read from them, and a switch that is off sends nothing. */
function fieldSchema(preference: Preference): v.GenericSchema<unknown, PreferenceValue> {
  switch (preference.kind) {
    case "choice":
      return valueSchema(preference);
    case "number":
      return v.pipe(
        text({ missing: "preference-not-a-number", malformed: "preference-not-a-number" }),
        v.regex(/^-?\d{1,9}$/, "preference-not-a-number"),
        v.transform((digits) => Number(digits)),
        numberSchema(preference.min, preference.max),
      );
    case "switch":
      return v.pipe(
        v.optional(v.picklist(["on", "off"], "preference-unknown"), "off"),
        v.transform((sent) => sent === "on"),
      );
  }
}
