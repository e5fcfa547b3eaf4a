import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { CancellationId } from "#app/core/id.ts";
import { dayOf, spellDay } from "#app/core/time/calendar.ts";
import { pagePaths, segmentPath } from "#app/core/page-paths.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { consumeProviderCall } from "#app/modules/billing/checkout/commands/consume-provider-call.server.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import type { CancellationEmail } from "#app/modules/billing/cancellations/emails.messages.ts";
import { findRenewedUntil } from "#app/modules/billing/orders/changes.queries.server.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { decideStep } from "../cancellations.rules.ts";
import { formatWantedDay } from "../confirmation-email.server.ts";
import {
  changeToDone,
  findCancellation,
  findNewestUndone,
  leaseCancellation,
  postponeCancellation,
} from "../queries.server.ts";

type Leased = Awaited<ReturnType<typeof leaseCancellation>>[number];

/**
 * Cancels the plan that a declaration is about, at the end of the period, also where its owner's own button would end it at once: who
 * declared it isn't proven. Called from the cron job. If a Worker is killed in between, the next try finds that the plan ends already. The account's own address is told either way.
 */
export async function carryOutCancellation(app: App, id: CancellationId): Promise<void> {
  const { db } = app;
  const [row] = await leaseCancellation(db, id, app.clock());
  if (!row?.accountId) return;
  const {
    account: [account],
    subscriptions,
    undone: [undone],
    renewed: [renewed],
  } = await batchNamed(db, {
    account: findAccount(db, row.accountId),
    subscriptions: listSubscriptions(db, row.accountId),
    undone: findNewestUndone(db, row.accountId),
    renewed: findRenewedUntil(db, row.accountId),
  });
  if (!account) return;
  const found = { row, account, running: runningSubscription(subscriptions), undoneAt: undone?.changedAt ?? null };
  const facts = { renewedUntil: renewed?.until ?? null, now: app.clock() };
  const step = decideStep(row, found.running, app.product, facts);
  switch (step.kind) {
    case "done":
      return finish(app, found, step.why);
    case "wait":
      return postpone(app, found, { nextTryAt: step.until, failure: null });
    case "cancel":
      return cancel(app, found, step.wantedAt);
  }
}

async function cancel(app: App, found: Found, wantedAt: number | null): Promise<void> {
  const { row, account } = found;
  const { db } = app;
  const quota = await consumeProviderCall(app, account.id, "action");
  const cancelled = quota.ok
    ? await runSubscriptionAction(app, account, "cancel", { declaredAt: row.declaredAt, wantedAt })
    : quota;
  if (cancelled.ok) {
    // The email about the plan, which every cancellation sends, is on its way.
    const { changed, now } = await batchNamed(db, {
      changed: changeToDone(db, row.id, app.clock()),
      now: findCancellation(db, row.id),
    });
    // Its owner kept the plan while Stripe was asked.
    if (changed.meta.changes === 0 && now[0]?.state === "undone") await runSubscriptionAction(app, account, "resume");
    return;
  }
  const { reason } = cancelled.refusal;
  if (reason === "cancelled-already" || reason === "no-plan") {
    const running = runningSubscription(await listSubscriptions(db, account.id));
    return finish(app, { ...found, running }, reason === "no-plan" ? "no-plan" : "already");
  }
  await postpone(app, found, { failure: reason });
}

type Found = {
  row: Leased;
  account: Account;
  running: Subscription | null;
  /** When the owner last kept the plan. */
  undoneAt: number | null;
};

async function finish(app: App, found: Found, outcome: "no-plan" | "already"): Promise<void> {
  const email = await sealOutcome(app, found, outcome);
  const { queued } = await batchNamed(app.db, {
    changed: changeToDone(app.db, found.row.id, app.clock()),
    queued: addEmail(app.db, email, justChanged),
  });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
}

/** Its owner is told that the plan is going to end, and can take that back, also while Stripe doesn't answer. */
async function postpone(app: App, found: Found, postponed: Parameters<typeof postponeCancellation>[2]): Promise<void> {
  const email = await sealOutcome(app, found, "planned");
  const { queued } = await batchNamed(app.db, {
    changed: postponeCancellation(app.db, found.row.id, postponed),
    queued: addEmail(app.db, email, justChanged),
  });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
}

type Outcome = "no-plan" | "already" | "planned";

/** One email about each outcome of a day's declarations, since anyone can make any number of them, unless the owner undid the ones before. */
function sealOutcome(app: App, found: Found, outcome: Outcome) {
  const { row, account, undoneAt } = found;
  const key = `${account.id}.cancellation-${outcome}.${spellDay(dayOf(row.declaredAt, "UTC"))}.${undoneAt ?? 0}`;
  return sealEmail(app, account.email, outcomeEmail(app, found, outcome), key);
}

function outcomeEmail(app: App, { row, account, running }: Found, outcome: Outcome): CancellationEmail {
  const path = outcome === "planned" ? pagePaths.cancel : segmentPath(app.product, "plan");
  return {
    template: "cancellation-outcome",
    outcome,
    what: running && whatIsSold(app.product, running.planId),
    declared: formatDay(row.declaredAt, account),
    isSignedIn: row.declaredBy === "owner",
    day:
      outcome === "planned"
        ? formatWantedDay(row.endsOn, account)
        : running?.cancelsAt == null
          ? null
          : formatDay(running.cancelsAt, account),
    ...(outcome !== "no-plan" && { url: app.origin + path }),
  };
}
