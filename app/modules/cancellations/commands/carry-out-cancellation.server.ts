import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { CancellationId } from "#app/core/id.ts";
import { pagePaths, segmentPath } from "#app/core/page-paths.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { consumeProviderCall } from "#app/modules/checkout/commands/consume-provider-call.server.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import type { CancellationEmail } from "#app/modules/email/templates.rules.ts";
import { runSubscriptionAction } from "#app/modules/plan-changes/commands/run-subscription-action.server.ts";
import { listSubscriptions } from "#app/modules/subscriptions/queries.server.ts";
import { runningSubscription, type Subscription } from "#app/modules/subscriptions/rules.ts";
import { decideStep } from "../cancellations.rules.ts";
import { formatWantedDay } from "../confirmation-email.server.ts";
import { changeToDone, leaseCancellation, postponeCancellation } from "../queries.server.ts";

type Leased = Awaited<ReturnType<typeof leaseCancellation>>[number];

/**
 * Cancels the plan that a declaration is about, at the end of the period, as its owner would. Called after the response and from the cron
 * job. If a Worker is killed in between, the next try finds that the plan ends already. The account's own address is told either way.
 */
export async function carryOutCancellation(app: App, id: CancellationId): Promise<void> {
  const { db } = app;
  const [row] = await leaseCancellation(db, id, app.clock());
  if (!row?.accountId) return;
  const {
    account: [account],
    subscriptions,
  } = await batchNamed(db, {
    account: findAccount(db, row.accountId),
    subscriptions: listSubscriptions(db, row.accountId),
  });
  if (!account) return;
  const running = runningSubscription(subscriptions);
  const step = decideStep(row, running, app.product, app.clock());
  switch (step.kind) {
    case "done":
      return finish(app, row, account, { outcome: step.why, running });
    case "wait":
      return wait(app, row, account, { until: step.until, running });
    case "cancel":
      return cancel(app, row, account);
  }
}

async function cancel(app: App, row: Leased, account: Account): Promise<void> {
  const { db } = app;
  const quota = await consumeProviderCall(app, account.id, "action");
  const cancelled = quota.ok ? await runSubscriptionAction(app, account, "cancel") : quota;
  if (cancelled.ok) {
    // The email about the plan, which every cancellation sends, is on its way.
    await changeToDone(db, row.id, app.clock());
    return;
  }
  const { reason } = cancelled.refusal;
  if (reason === "cancelled-already" || reason === "no-plan") {
    const running = runningSubscription(await listSubscriptions(db, account.id));
    return finish(app, row, account, { outcome: reason === "no-plan" ? "no-plan" : "already", running });
  }
  await postponeCancellation(db, row.id, { failure: reason });
}

type Found = { running: Subscription | null };

async function finish(
  app: App,
  row: Leased,
  account: Account,
  { outcome, running }: Found & { outcome: "no-plan" | "already" },
): Promise<void> {
  const content = outcomeEmail(app, row, account, { outcome, running });
  const email = await sealEmail(app, account.email, content, `${row.id}.outcome`);
  const { queued } = await batchNamed(app.db, {
    changed: changeToDone(app.db, row.id, app.clock()),
    queued: addEmail(app.db, email, justChanged),
  });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
}

async function wait(
  app: App,
  row: Leased,
  account: Account,
  { until, running }: Found & { until: number },
): Promise<void> {
  const content = outcomeEmail(app, row, account, { outcome: "planned", running });
  const email = await sealEmail(app, account.email, content, `${row.id}.planned`);
  const { queued } = await batchNamed(app.db, {
    changed: postponeCancellation(app.db, row.id, { nextTryAt: until, failure: null }),
    queued: addEmail(app.db, email, justChanged),
  });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
}

function outcomeEmail(
  app: App,
  row: Leased,
  account: Account,
  { outcome, running }: Found & { outcome: "no-plan" | "already" | "planned" },
): CancellationEmail {
  const path = outcome === "planned" ? pagePaths.cancel : segmentPath(app.product, "plan");
  return {
    template: "cancellation-outcome",
    outcome,
    what: running && whatIsSold(app.product, running.planId),
    declared: formatDay(row.declaredAt, account),
    day:
      outcome === "planned"
        ? formatWantedDay(row.endsOn, account)
        : running?.cancelsAt == null
          ? null
          : formatDay(running.cancelsAt, account),
    ...(outcome !== "no-plan" && { url: app.origin + path }),
  };
}
