import type { AccountId, SessionId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatMoment } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { activityFacts, type ActivityName, newActivity } from "../activities.rules.ts";
import { addActivity, addActivityOfToken } from "../activities.queries.server.ts";
import { isReauthenticated, type Viewer } from "../rules.ts";
import type { SessionCookie } from "../session-cookie.rules.ts";
import {
  changeSessionState,
  endAllSessions,
  endSessionByToken,
  endSessionsExcept as endAllOthers,
  sessionIsActive,
} from "../sessions.queries.server.ts";
import { nameFormat } from "#app/core/text/formats.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * Signs out the browser with this token. It takes effect with the next request, since every request reads the table, and is idempotent.
 * It needs no other table: if the activity can't be logged, the session still ends.
 */
export async function endSession(
  app: Base & Outbox & RequestScope,
  { sessionToken }: Pick<SessionCookie, "sessionToken">,
): Promise<void> {
  const { db } = app;
  const now = app.clock();
  const tokenHash = await hashToken(sessionToken);
  const end = () => endSessionByToken(db, tokenHash, now);
  try {
    await db.batch([end(), addActivityOfToken(db, activityFacts(app, "signed-out"), tokenHash)]);
  } catch (error) {
    await db.batch([end()]);
    app.report(error);
  }
}

type EndRefusal = { reason: "proof-stale" } | { reason: "session-unknown" };

/** Signs another browser out. Another account's session is refused like one that has already ended. */
export async function endOtherSession(
  app: Deps,
  viewer: Viewer,
  sessionId: SessionId,
): Promise<Result<null, EndRefusal>> {
  const now = app.clock();
  if (sessionId === viewer.session.id) return refused({ reason: "session-unknown" });
  const other = { id: sessionId, accountId: viewer.account.id };
  const end = changeSessionState(app.db, other, "revoked", now, sessionIsActive(viewer.session));
  const ended = await endAndEmail(app, viewer, end, "session-ended");
  return ended.ok && ended.value === 0 ? refused({ reason: "session-unknown" }) : voided(ended);
}

/** Signs every other browser out. Without any, no email is sent. */
export async function endOtherSessions(app: Deps, viewer: Viewer): Promise<Result<null, EndRefusal>> {
  const end = endAllOthers(app.db, { id: viewer.session.id, accountId: viewer.account.id }, app.clock());
  return voided(await endAndEmail(app, viewer, end, "other-sessions-ended"));
}

/** Signs an account out of every browser, for an operator. Returns how many sessions ended. */
export async function endEverySession(
  { db, clock }: Pick<App, "db" | "clock" | "network">,
  accountId: AccountId,
): Promise<number> {
  const { ended } = await batchNamed(db, { ended: endAllSessions(db, accountId, clock()) });
  return ended.meta.changes;
}

/** Ends sessions, logs the activity and queues the email to the owner in one batch; the latter two only if a session ended. */
async function endAndEmail(
  app: Deps,
  viewer: Viewer,
  end: ReturnType<typeof changeSessionState>,
  what: ActivityName,
): Promise<Result<number, { reason: "proof-stale" }>> {
  const { db } = app;
  const now = app.clock();
  if (!isReauthenticated(viewer.session, now)) return refused({ reason: "proof-stale" });
  const email = await sealEmail(app, viewer.account.email, endedEmail(viewer, now));
  const { ended } = await batchNamed(db, {
    ended: end,
    activity: addActivity(db, newActivity(app, viewer.session.id, what)),
    email: addEmail(db, email, justChanged),
  });
  if (ended.meta.changes > 0) app.later(deliverEmail(app, email.id));
  return done(ended.meta.changes);
}

/** Says which browser did it, where and when, so that the owner can tell whether it was them. */
function endedEmail({ account, session }: Viewer, now: number): EmailContent {
  const country = session.country && nameFormat(account.locale).of(session.country);
  const by = country ? `${session.device} in ${country}` : session.device;
  return { template: "sessions-ended", by, at: formatMoment(now, account) };
}

function voided<Refusal extends { reason: string }>(result: Result<number, Refusal>): Result<null, Refusal> {
  return result.ok ? done(null) : result;
}
