import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { findActiveSession, sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { addLicenceKey, findLicenceKey, replaceLicenceKey } from "../licence-keys.queries.server.ts";
import { doubleClickMs } from "../rules.ts";
import { generateKey } from "../reads/show-licence-key.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * Replaces the licence key: the old one activates nothing any more, active devices stay. A double click replaces it once. An account
 * without a key gets its first, without an email.
 */
export async function rotateLicenceKey(app: Deps, viewer: Viewer): Promise<Result<null, { reason: "proof-stale" }>> {
  const { db } = app;
  const { account, session } = viewer;
  if (!isReauthenticated(session, app.clock())) return refused({ reason: "proof-stale" });
  const [seen] = await findLicenceKey(db, account.id);
  if (app.clock() - (seen?.rotatedAt ?? 0) < doubleClickMs) return done(null);
  const key = await generateKey(app, account.id);
  const email = await sealEmail(app, account.email, { template: "licence-key-rotated" });
  const {
    replaced,
    activeSession: [activeSession],
  } = await batchNamed(db, {
    replaced: replaceLicenceKey(db, key, seen?.keyHash ?? "", sessionIsActive(session)),
    activity: addActivity(db, newActivity(app, session.id, "licence-key-rotated")),
    email: addEmail(db, email, justChanged),
    licenceKey: addLicenceKey(db, key, sessionIsActive(session)),
    activeSession: findActiveSession(db, session),
  });
  if (replaced.meta.changes === 1) app.later(deliverEmail(app, email.id));
  // The session may have ended during the request.
  return activeSession ? done(null) : refused({ reason: "proof-stale" });
}
