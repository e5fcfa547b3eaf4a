import * as v from "valibot";
import { segmentPath } from "#app/core/page-paths.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import type { FeatureSamples } from "#tests/support/feature-samples.ts";
import { type Preference, preferencesAnswer, preferencesOf } from "../preferences.rules.ts";

const config: ProductConfig = product;

const own = preferencesOf(config);

export const preferencesPage = segmentPath(config, "settings");

/** The fields of the form with every value changed from its default. */
export const chosenPreferences: Record<string, string> = Object.fromEntries(
  own.map((preference) => [preference.key, otherThanDefault(preference)] as const),
);

/** The same as a device sends it. */
export const preferencesOfDevice = Object.fromEntries(
  own.map(({ key, kind }) => {
    const word = chosenPreferences[key] ?? "";
    return [key, kind === "number" ? Number(word) : kind === "switch" ? word === "on" : word] as const;
  }),
);

function otherThanDefault(preference: Preference): string {
  switch (preference.kind) {
    case "choice":
      return preference.options.find(({ value }) => value !== preference.default)?.value ?? preference.default;
    case "number":
      // A plan may limit a number to less.
      return String(preference.default === preference.min ? preference.max : preference.min);
    case "switch":
      return preference.default ? "off" : "on";
  }
}

const oneOfEachKind: Preference[] = [
  { key: "choice", label: "", kind: "choice", options: [{ value: "a", label: "" }], default: "a" },
  { key: "number", label: "", kind: "number", min: 0, max: 99, default: 0 },
  { key: "switch", label: "", kind: "switch", default: true },
];

/** By a limit of the pairwise configs. */
const limited: Preference = {
  key: "alarm",
  label: "Alarm from",
  kind: "number",
  min: 0,
  max: 900,
  limit: "alarm",
  default: 50,
};

export const preferences: FeatureSamples = {
  name: "preferences",
  off: { preferences: [] },
  erasedTables: ["preferences"],
  rows: (mark) => ({
    preferences: [{ chosen: JSON.stringify({ note: `${mark}:preferences` }), before_devices: "{}" }],
  }),
  crowd: (account, at) => [
    `preferences (account_id, chosen, version, updated_at)
     select ${account}, '{"folders":"documents","pause":"off","limit":20}', 3, ${at} from nth`,
  ],
  malformedJson: [
    `select 'preferences ' || account_id from preferences where not json_valid(chosen)
      or (before_devices is not null and not json_valid(before_devices))`,
  ],
  async brokenIn(books) {
    const shape = v.partial(preferencesAnswer(own));
    const known = new Set(own.map(({ key }) => key));
    const unknown = (await books("select chosen from preferences")).filter(({ chosen }) => {
      const values = JSON.parse(String(chosen)) as object;
      return !Object.keys(values).every((key) => known.has(key)) || !v.is(shape, values);
    });
    const broken: Record<string, unknown[]> = {};
    if (unknown.length > 0) broken["preferences are those of the config"] = unknown.slice(0, 3);
    return broken;
  },
  forms: [
    {
      path: preferencesPage,
      good: { intent: "save", ...chosenPreferences },
      malformed: {
        intent: "save",
        ...chosenPreferences,
        [own.find(({ kind }) => kind !== "switch")?.key ?? ""]: "much",
      },
    },
  ],
  schemaArguments: [oneOfEachKind],
  fieldSamples: ['{"choice":"a"}'],
  callBodies: {
    // Another choice each time: a value that is set already isn't written.
    "PUT /settings": (nth) => {
      const number = own.find(({ kind }) => kind === "number");
      const changed = number?.kind === "number" && nth > 0 && { [number.key]: number.min + (nth % 200) };
      return { ...preferencesOfDevice, ...changed };
    },
  },
  operations: ["getSettings", "putSettings"],
  // The page puts both versions together.
  silentRefusals: ["changed-elsewhere"],
  sampleWords: ["a preference", /\b(bandwidthCapMbit|retentionDays|notifyOnFailure)\b/],
  settings: { preferences: oneOfEachKind },
  factors: { preferences: { three: { preferences: [...oneOfEachKind, limited] }, none: null } },
};
