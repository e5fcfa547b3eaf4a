import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity, isFirstSinceProof } from "#app/modules/accounts/activities.queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { findActiveSession } from "#app/modules/accounts/sessions.queries.server.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";

export type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * Before a licence key is shown: logs the activity and emails the owner, once per re-authentication, in one batch. After replacing the
 * key within the same re-authentication the owner has already been informed. Returns whether the session is still active.
 */
export async function recordKeyShown(app: Deps, { account, session }: Viewer): Promise<boolean> {
  const { db } = app;
  const content = { template: "licence-key-shown", device: session.device } as const;
  const email = await sealEmail(app, account.email, content, `${account.id}.licence-key-shown.${session.id}`);
  const {
    queued,
    activeSession: [activeSession],
  } = await batchNamed(db, {
    queued: addEmail(db, email, isFirstSinceProof(session, account.id, "licence-key-rotated")),
    activity: addActivity(db, newActivity(app, session.id, "licence-key-shown")),
    activeSession: findActiveSession(db, session),
  });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
  return activeSession !== undefined;
}
