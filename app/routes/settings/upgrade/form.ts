import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { intervals } from "#app/core/time/interval.ts";

export const upgradeForm = v.object({
  plan: v.pipe(text({ missing: "plan-missing", malformed: "plan-unknown" }), v.maxLength(100, "plan-unknown")),
  interval: v.optional(v.picklist(intervals, "interval-unknown"), "month"),
  intent: v.picklist(["quote", "confirm", "use-card"], "intent-unknown"),
  quote: v.optional(v.pipe(text({ malformed: "quote-malformed" }), v.maxLength(200, "quote-malformed"))),
});
