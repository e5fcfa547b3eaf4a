import type { Base, Outbox, RequestScope } from "#app/app.ts";
import type { Result } from "#app/core/result.ts";
import { type ActivityName, needsOwnActivity, newActivity } from "../activities.rules.ts";
import { addActivity, always, hasRoomForRefusal } from "../activities.queries.server.ts";
import type { Viewer } from "../rules.ts";

/**
 * Logs an outcome that the action's own batch doesn't: a refusal, or what Stripe carried out. The action itself has finished, so a failure
 * to log is reported and not thrown.
 */
export async function logOutcome(
  app: Base & Outbox & RequestScope,
  { account, session }: Pick<Viewer, "account" | "session">,
  what: ActivityName,
  outcome: Result<unknown, { reason: string }>,
): Promise<void> {
  if (!needsOwnActivity(what, outcome.ok)) return;
  const activity = newActivity(app, session.id, what, outcome.ok ? null : outcome.refusal.reason);
  const guard = outcome.ok ? always : hasRoomForRefusal(account.id, activity.now);
  try {
    await app.db.batch([addActivity(app.db, activity, guard)]);
  } catch (error) {
    app.report(error);
  }
}
