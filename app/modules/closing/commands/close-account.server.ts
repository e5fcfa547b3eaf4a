import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity, findDoneSince } from "#app/modules/accounts/activities.queries.server.ts";
import { changeToClosed, endOtherSessionsOnClosing } from "#app/modules/accounts/closed-accounts.queries.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { findActiveSession, sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { wayOut } from "#app/modules/billing/sync/receipt-email.server.ts";
import { findWithdrawable, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { earliestWithdrawable } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatMoment } from "#app/core/time/time.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { endBilling, type EndBillingRefusal } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { checkClosing, type CloseAccountRefusal, restoreMs } from "../rules.ts";

type Deps = Parameters<typeof endBilling>[0] & Pick<App, "network">;

/**
 * Closes an account: ends billing, then one batch closes the account, ends its other sessions, logs the activity and queues the email. If
 * the Worker is killed in between, the account has no plan and can be closed again. The session that closed it may send the form twice.
 */
export async function closeAccount(
  app: Deps,
  viewer: Viewer,
): Promise<Result<{ until: number }, CloseAccountRefusal | EndBillingRefusal>> {
  const { account, session } = viewer;
  const own = { id: session.id, accountId: account.id };
  if (account.restorableUntil !== null) {
    const [closed] = await findDoneSince(app.db, own, "account-closed");
    if (closed) return done({ until: account.restorableUntil });
  }
  const shut = checkClosing(account, isReauthenticated(session, app.clock()));
  if (shut) return refused(shut);
  // Ending billing takes time, so it isn't started for a session that has ended meanwhile.
  const {
    activeSession: [activeSession],
    subscriptions,
    withdrawals,
    withdrawable: [withdrawable],
  } = await batchNamed(app.db, {
    activeSession: findActiveSession(app.db, session),
    subscriptions: listSubscriptions(app.db, account.id),
    withdrawals: listDeclared(app.db, account.id),
    withdrawable: findWithdrawable(app.db, account.id, earliestWithdrawable(app.product, app.clock())),
  });
  if (!activeSession) return refused({ reason: "proof-stale" });
  const ended = await endBilling(app, account.id);
  if (!ended.ok) {
    // Another request may have closed the account meanwhile, which is why there was nothing left to end.
    const [now] = await findAccount(app.db, account.id);
    return now?.restorableUntil ? done({ until: now.restorableUntil }) : ended;
  }
  const { db } = app;
  const now = app.clock();
  const until = now + restoreMs;
  const begun = newActivity(app, session.id, "account-closed");
  const running = runningSubscription(subscriptions);
  const plan = running && whatIsSold(app.product, running.planId);
  const url = app.origin + pagePaths.overview;
  const hasOpenWithdrawal = withdrawals.some(isUnanswered);
  const content = {
    template: "account-closed",
    until: formatMoment(until, account),
    plan,
    hasOpenWithdrawal,
    ...(withdrawable && !hasOpenWithdrawal && wayOut(app, account, readOrder(withdrawable))),
    url,
  } as const;
  const email = await sealEmail(app, account.email, content, `${account.id}.account-closed.${until}`);
  const {
    closed,
    account: [after],
  } = await batchNamed(db, {
    closed: changeToClosed(db, account.id, until, sessionIsActive(session)),
    activity: addActivity(db, begun),
    email: addEmail(db, email, justChanged),
    otherSessions: endOtherSessionsOnClosing(db, own, begun.id, now),
    account: findAccount(db, account.id),
  });
  if (closed.meta.changes === 1) app.later(deliverEmail(app, email.id));
  // If the same click was sent twice, the first request has closed the account.
  return after?.restorableUntil ? done({ until: after.restorableUntil }) : refused({ reason: "account-closed" });
}
