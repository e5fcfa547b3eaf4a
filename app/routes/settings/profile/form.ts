import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { readTimeZone } from "#app/core/time/time-zone.ts";
import { localesOf, nameLengthMax } from "#app/modules/accounts/rules.ts";
import { inPlace } from "../account-forms/in-place.ts";

const zoneField = v.pipe(
  text({ missing: "time-zone-unknown", malformed: "time-zone-unknown" }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const zone = readTimeZone(dataset.value);
    if (zone) return zone;
    addIssue({ message: "time-zone-unknown" });
    return NEVER;
  }),
);

/** Name, formats and time zone; the theme of this browser. */
export const profileForm = (product: { locale: string }) =>
  v.variant(
    "intent",
    [
      v.object({
        intent: v.literal("profile"),
        name: v.pipe(text({ missing: "name-missing" }), v.maxLength(nameLengthMax, "name-too-long")),
        locale: v.optional(v.picklist(localesOf(product), "locale-unknown")),
        timeZone: zoneField,
      }),
      v.object({
        intent: v.literal("appearance"),
        theme: v.picklist(["system", "light", "dark"], "theme-unknown"),
        inPlace,
      }),
    ],
    "intent-unknown",
  );
