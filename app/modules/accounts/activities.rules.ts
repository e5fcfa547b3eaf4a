/**
 * The activity log: every sensitive action of an account and every refused attempt at one, for its owner to see. Invariants: a row says
 * what was done, with which result, by which method, from which device, country and abbreviated network; it never holds codes, tokens or
 * addresses. Read by the settings, the data export and the operators' call about a person.
 */
import { type ActivityId, newId, type Random, type SessionId } from "#app/core/id.ts";
import { dayMs } from "#app/core/time/time.ts";

/** What an action was authorised by. */
export const activityMethods = ["code", "passkey", "session", "link", "licence-key", "device", "automatic"] as const;
type ActivityMethod = (typeof activityMethods)[number];

/** Every logged action of the core, with its usual method. */
const actions = {
  "signed-up": "code",
  "signed-in": "code",
  confirmed: "code",
  "signed-out": "session",
  "session-ended": "session",
  "other-sessions-ended": "session",
  "signed-in-by-passkey": "passkey",
  "confirmed-by-passkey": "passkey",
  "passkey-added": "session",
  "passkey-removed": "session",
  "passkey-copied": "passkey",
  "address-changed": "code",
  "address-reverted": "link",
  "data-downloaded": "session",
  "plan-cancelled": "session",
  "plan-resumed": "session",
  "plan-changed": "session",
  "plan-change-undone": "session",
  "payment-retried": "session",
  "withdrawal-declared": "session",
  "checkout-opened": "session",
  "portal-opened": "session",
  "account-closed": "session",
  restored: "session",
} as const satisfies Record<string, ActivityMethod>;

/** Those of features, which declare them in their folders (`declare module`). They are usually authorised by the session. */
// oxlint-disable-next-line no-empty-interface
export interface FeatureActivities {}

export type CoreActivityName = keyof typeof actions;
export type ActivityName = CoreActivityName | keyof FeatureActivities;
// The log's page has a message for each of these.
export const activityNames = Object.keys(actions) as CoreActivityName[];
const usualMethods: Partial<Record<ActivityName, ActivityMethod>> = actions;

/** Actions that Stripe carries out, logged after its answer. All others are logged in the batch that performs them. */
const notedAfter: ReadonlySet<ActivityName> = new Set([
  "plan-cancelled",
  "plan-resumed",
  "plan-changed",
  "plan-change-undone",
  "payment-retried",
  "checkout-opened",
  "portal-opened",
]);

/** Does this outcome need a row written outside the action's own batch? Refusals always do. */
export function needsOwnActivity(what: ActivityName, isDone: boolean): boolean {
  return !isDone || notedAfter.has(what);
}

export const activityResults = ["done", "refused"] as const;
export type ActivityResult = (typeof activityResults)[number];

/** What every row holds, with or without a session. */
export type ActivityFacts = {
  id: ActivityId;
  what: ActivityName;
  result: ActivityResult;
  reason: string | null;
  method: ActivityMethod;
  network: string | null;
  now: number;
};
export type NewActivity = ActivityFacts & { sessionId: SessionId };

type Deps = { random: Random; clock: () => number; network: string | null };

/** `reason` says why the action was refused and is null if it was done. `method` is left out if it is the action's usual one. */
export function activityFacts(
  app: Deps,
  what: ActivityName,
  reason: string | null = null,
  method: ActivityMethod = usualMethods[what] ?? "session",
): ActivityFacts {
  const result = reason === null ? "done" : "refused";
  return { id: newId("act", app.random), what, result, reason, method, network: app.network, now: app.clock() };
}

/** A row about what this session does now, for `addActivity`. */
export function newActivity(
  app: Deps,
  sessionId: SessionId,
  what: ActivityName,
  reason: string | null = null,
): NewActivity {
  return { ...activityFacts(app, what, reason), sessionId };
}

/** Rows shown at first. */
export const recentActivitiesMax = 5;
/** Rows shown on "show all". */
export const listedActivitiesMax = 200;

/** How long rows are stored; the row of the sign-up stays as long as the account. */
export const activityRetentionMs = 365 * dayMs;
/** Refused attempts logged per account and day, so that an attacker can't fill the table. */
export const refusalsPerDayMax = 100;
