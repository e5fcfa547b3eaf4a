import type { PasskeyId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { findOwnPasskey, removePasskeyRow as removeRow } from "../queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

export type RemovePasskeyRefusal = { reason: "proof-stale" } | { reason: "passkey-unknown" };

/** Removes a passkey, even the last one, since emailed codes remain. Another account's passkey is refused like one that is gone. */
export async function removePasskey(
  app: Deps,
  viewer: Viewer,
  id: PasskeyId,
): Promise<Result<null, RemovePasskeyRefusal>> {
  const { db } = app;
  if (!isReauthenticated(viewer.session, app.clock())) return refused({ reason: "proof-stale" });
  const [passkey] = await findOwnPasskey(db, id, viewer.account.id);
  if (!passkey) return refused({ reason: "passkey-unknown" });
  const email = await sealEmail(app, viewer.account.email, { template: "passkey-removed", name: passkey.name });
  const { removed } = await batchNamed(db, {
    removed: removeRow(db, id, viewer.account.id, sessionIsActive(viewer.session)),
    activity: addActivity(db, newActivity(app, viewer.session.id, "passkey-removed")),
    email: addEmail(db, email, justChanged),
  });
  if (removed.meta.changes !== 1) return refused({ reason: "passkey-unknown" });
  app.later(deliverEmail(app, email.id));
  return done(null);
}
