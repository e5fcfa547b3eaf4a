/**
 * What the activity log can say. It is the owner's own view of who did what, when and where; it never holds codes, tokens or
 * addresses.
 */
import { newId, type Random } from "#app/domain/kernel/id.ts";

export const activityWords = [
  "signed-up",
  "signed-in",
  "confirmed",
  "signed-out",
  "session-ended",
  "other-sessions-ended",
  "signed-in-by-passkey",
  "confirmed-by-passkey",
  "passkey-added",
  "passkey-removed",
  "passkey-copied",
  "address-changed",
  "address-reverted",
  "data-downloaded",
  "licence-key-rotated",
  "device-added",
  "device-removed",
  "leaving-begun",
  "restored",
] as const;
export type ActivityWord = (typeof activityWords)[number];

export type NewActivity = { id: string; sessionId: string; what: ActivityWord; now: number };

/** A line about what this session does now, for `addActivity`. */
export function newActivity(
  app: { random: Random; clock: () => number },
  sessionId: string,
  what: ActivityWord,
): NewActivity {
  return { id: newId("act", app.random), sessionId, what, now: app.clock() };
}

/** As many as the page shows at first, and when all are asked for. */
export const recentActivities = 5;
export const listedActivitiesMax = 200;
