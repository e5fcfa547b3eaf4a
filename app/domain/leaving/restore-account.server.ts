import type { App } from "#app/context.ts";
import { newActivity } from "#app/domain/accounts/activities.rules.ts";
import { addActivity } from "#app/domain/accounts/activities.store.server.ts";
import { changeToRestored } from "#app/domain/accounts/leaving.store.server.ts";
import type { Viewer } from "#app/domain/accounts/rules.ts";
import { sessionStands } from "#app/domain/accounts/sessions.store.server.ts";
import { findAccount } from "#app/domain/accounts/store.server.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { deliverMail, sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { addMail, justChanged } from "#app/domain/mail/store.server.ts";
import { judgeRestore, type RestoreRefusal } from "./rules.ts";

type Powers = Pick<
  App,
  "db" | "clock" | "random" | "network" | "pepper" | "origin" | "product" | "mail" | "later" | "report"
>;

/** Has an account back while there is time. Whoever is signed in to it has proven the address; the plan stays ended. */
export async function restoreAccount(app: Powers, viewer: Viewer): Promise<Result<null, RestoreRefusal>> {
  const { db } = app;
  const { account, session } = viewer;
  const now = app.clock();
  const letter = { template: "restored", url: `${app.origin}/settings` } as const;
  const mail = await sealLetter(app, account.email, letter, `${account.id}.restored.${account.leavingUntil}`);
  const [restored, , , [after]] = await db.batch([
    changeToRestored(db, account.id, now, sessionStands(session)),
    addActivity(db, newActivity(app, session.id, "restored")),
    addMail(db, mail, justChanged),
    findAccount(db, account.id),
  ]);
  if (restored.meta.changes === 1) app.later(deliverMail(app, mail.id));
  // The same click, sent twice: what was asked for is so.
  return account.state === "leaving" && after?.state === "active" ? done(null) : refused(judgeRestore(after));
}
