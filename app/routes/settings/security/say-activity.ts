import type { ActivityName, ActivityResult } from "#app/modules/accounts/activities.rules.ts";
import { activityMessages } from "./activity.messages.ts";

/** What was done, or what was tried and why it was refused. `refused` is null if it was done. */
export function sayActivity(what: ActivityName, result: ActivityResult, reason: string | null) {
  const { did, tried, refused, reasons } = activityMessages.en;
  if (result === "done") return { what: did[what], refused: null };
  const why = reasons[reason ?? ""];
  return { what: tried[what], refused: why ? `${refused}: ${why}` : refused };
}
