import * as v from "valibot";

/** The overview of a closed account has no form but the one that restores it. */
export const restoreForm = v.variant("intent", [v.object({ intent: v.literal("restore") })], "intent-unknown");
