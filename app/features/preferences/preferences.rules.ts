/**
 * The product's own preferences: one schema in `app/product/config.ts` gives the form, the validation and the defaults. Invariant: only
 * chosen values are stored, so that a later default applies to everyone who never chose. Called from the preferences page and the product
 * API.
 */
import * as v from "valibot";
import { asciiDigits } from "#app/core/text/digits.ts";
import { text } from "#app/core/text/text.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** One of the product's own preferences. */
export type Preference = { key: string; label: string; hint?: string } & (
  | { kind: "choice"; options: readonly { value: string; label: string }[]; default: string }
  /** `limit`: one of the plans' limits, which also caps the number. */
  | { kind: "number"; min: number; max: number; default: number; limit?: string }
  | { kind: "switch"; default: boolean }
);

declare module "#app/modules/catalogue/rules.ts" {
  interface ProductConfig {
    /** The product's own preferences: choices, numbers and switches. Left out, it has none. */
    preferences?: readonly Preference[];
  }
}

/** The config may leave them out. */
export const preferencesOf = ({ preferences = [] }: Pick<ProductConfig, "preferences">): readonly Preference[] =>
  preferences;

export type PreferenceValue = string | number | boolean;
export type Preferences = Record<string, PreferenceValue>;

/**
 * The schema for an account on a plan: a number tied to one of the plan's limits is capped by it. Without a plan the product's own range
 * applies, and stored values are kept for the next plan.
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

/** The stored values over the defaults; keys that the schema no longer has are dropped. */
export function withDefaults(schema: readonly Preference[], chosen: Preferences): Preferences {
  const values: Preferences = {};
  for (const preference of schema) values[preference.key] = fitting(preference, chosen[preference.key]);
  return values;
}

/** The preferences whose values differ. */
export function differing<Of extends Preference>(schema: readonly Of[], one: Preferences, other: Preferences): Of[] {
  const [left, right] = [withDefaults(schema, one), withDefaults(schema, other)];
  return schema.filter(({ key }) => left[key] !== right[key]);
}

/** Merges what a device sends into the stored values. A default that the device merely echoes is not stored as a choice. */
export function mergedPreferences(schema: readonly Preference[], chosen: Preferences, sent: Preferences): Preferences {
  const current = withDefaults(schema, chosen);
  const values = Object.entries(sent)
    .map(([key, value]) => [key, atMost(schema, key, value)] as const)
    .filter(([key, value]) => key in chosen || value !== current[key]);
  return { ...chosen, ...Object.fromEntries(values) };
}

/** A device knows the product's range, but not the plan's cap. */
function atMost(schema: readonly Preference[], key: string, value: PreferenceValue): PreferenceValue {
  const preference = schema.find((candidate) => candidate.key === key);
  return preference?.kind === "number" && typeof value === "number" ? Math.min(value, preference.max) : value;
}

/**
 * Merges the user's form into the present values. A field that the user left as it was rendered takes the present value; a field that
 * both sides changed differently is a conflict. Without the rendered values every field counts as changed.
 */
export function mergeChosen(
  schema: readonly Preference[],
  { shown, chosen, current }: { shown: Preferences | undefined; chosen: Preferences; current: Preferences },
): { merged: Preferences; taken: string[]; inConflict: string[] } {
  const unlikeShown = (values: Preferences) =>
    (shown ? differing(schema, shown, values) : schema).map(({ key }) => key);
  const [touched, changedMeanwhile] = [unlikeShown(chosen), unlikeShown(current)];
  const own = Object.fromEntries(Object.entries(chosen).filter(([key]) => touched.includes(key)));
  const apart = differing(schema, chosen, current).map(({ key }) => key);
  return {
    merged: { ...withDefaults(schema, current), ...own },
    taken: changedMeanwhile.filter((key) => !touched.includes(key)),
    inConflict: apart.filter((key) => touched.includes(key) && changedMeanwhile.includes(key)),
  };
}

/** Whether the value is valid for the preference. */
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

/** What a device sends: any of the keys. Omitted keys stay as they are, so that an older device doesn't reset new ones. */
export function preferencesBody(schema: readonly Preference[]) {
  const entries: Record<string, v.GenericSchema<unknown, PreferenceValue | undefined>> = {};
  for (const preference of schema) entries[preference.key] = v.optional(valueSchema(preference));
  return v.object(entries);
}

/** What a device receives: all keys. */
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

/** The form of the preferences page: a field per key, and what the page was rendered with: the version and the values. */
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

/** Form fields are text: numbers are parsed, and an unchecked checkbox sends nothing. */
function fieldSchema(preference: Preference): v.GenericSchema<unknown, PreferenceValue> {
  switch (preference.kind) {
    case "choice":
      return valueSchema(preference);
    case "number":
      return v.pipe(
        text({ missing: "preference-not-a-number", malformed: "preference-not-a-number" }),
        v.transform(asciiDigits),
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
