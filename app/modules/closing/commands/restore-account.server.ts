import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity, findDoneSince } from "#app/modules/accounts/activities.queries.server.ts";
import { changeToRestored } from "#app/modules/accounts/closed-accounts.queries.server.ts";
import type { Account, Viewer } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { lastDayOfData } from "#app/modules/catalogue/data-sentence.rules.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { checkRestore, restoreMs, type RestoreRefusal } from "../rules.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/** Restores a closed account in time. Being signed in to it proves the address; the plan stays ended. */
export async function restoreAccount(app: Deps, viewer: Viewer): Promise<Result<null, RestoreRefusal>> {
  const { db } = app;
  const { account, session } = viewer;
  const now = app.clock();
  const ended = endedByClosing(await listSubscriptions(db, account.id), account);
  const content = {
    template: "restored",
    plan: ended && whatIsSold(app.product, ended.planId),
    lastDayOfData: ended?.endedAt == null ? null : lastDayOfData(app.product, ended.endedAt, account),
    url: app.origin + pagePaths.overview,
  } as const;
  const email = await sealEmail(app, account.email, content, `${account.id}.restored.${account.restorableUntil}`);
  const {
    restored,
    account: [after],
    restoredSince,
  } = await batchNamed(db, {
    restored: changeToRestored(db, account.id, now, sessionIsActive(session)),
    activity: addActivity(db, newActivity(app, session.id, "restored")),
    email: addEmail(db, email, justChanged),
    account: findAccount(db, account.id),
    restoredSince: findDoneSince(db, { id: session.id, accountId: account.id }, "restored"),
  });
  if (restored.meta.changes === 1) app.later(deliverEmail(app, email.id));
  // If the same click was sent twice, the first request has restored the account.
  return restoredSince.length > 0 && after?.state === "active" ? done(null) : refused(checkRestore(after));
}

/** The plan that ended when the account was closed. Stripe counts in whole seconds, and ending it takes a few. */
function endedByClosing(subscriptions: Subscription[], { restorableUntil }: Account): Subscription | null {
  const closedAt = (restorableUntil ?? 0) - restoreMs;
  return subscriptions.find(({ endedAt }) => endedAt !== null && Math.abs(endedAt - closedAt) < minuteMs) ?? null;
}
