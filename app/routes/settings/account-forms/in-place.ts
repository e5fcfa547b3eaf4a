import * as v from "valibot";

/** The script that saves a field as it changes sends this, so that the answer isn't a redirect. */
export const inPlace = v.optional(v.literal("on", "switch-unknown"));
