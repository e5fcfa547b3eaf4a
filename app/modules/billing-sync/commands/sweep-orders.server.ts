import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { handleEvents } from "./handle-webhook.server.ts";
import { fetchMissedEvents } from "./fetch-missed-events.server.ts";
import {
  listDueSubjects,
  removeOldEvents,
  type Subject,
  leaseEvents,
} from "#app/modules/stripe-events/inbox.queries.server.ts";
import { expireDrafts } from "#app/modules/orders/transitions.queries.server.ts";
import { type Deps, reconcileOrders } from "./reconcile-orders.server.ts";
import { listDueCustomers, markPolled } from "#app/modules/billing-sync/polling.queries.server.ts";

/** Customers of each kind per run of the cron job. */
const pollsMax = 5;
/** Customers per run that are synced only because their last sync is long ago. */
const pollsOfAllMax = 2;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const timeoutsMax = 2;

/** One question to Stripe, with a deadline of its own. False: Stripe didn't answer. */
type Poll = (app: Deps & { payments: NonNullable<App["payments"]> }) => Promise<boolean>;

/**
 * The cron job's part: cancels drafts that never opened, fetches events that weren't delivered, and syncs what lost events left outdated.
 * Idempotent, and safe to kill: unfinished work stays in the inbox or is due again.
 */
export async function sweepOrders(app: Deps): Promise<void> {
  const now = app.clock();
  await app.db.batch([...expireDrafts(app.db, now), removeOldEvents(app.db, now)]);
  const { payments } = app;
  if (!payments) return;
  const run = async (poll: Poll): Promise<boolean> => {
    try {
      return await poll({ ...app, payments: payments.withOwnDeadline() });
    } catch (error) {
      // An account whose data violates an invariant is reported and doesn't delay the others.
      app.report(error);
      return true;
    }
  };
  let timeouts = (await run(readList)) ? 0 : 1;
  for (const poll of await listDue(app)) {
    if (timeouts === timeoutsMax) return;
    timeouts = (await run(poll)) ? 0 : timeouts + 1;
  }
}

async function readList(app: Parameters<Poll>[0]): Promise<boolean> {
  const fetched = await fetchMissedEvents(app);
  return fetched.ok || fetched.refusal.reason !== "provider-unreachable";
}

/**
 * Read after Stripe's list, so that events found there are due at once. Each account is synced at most once per run, besides its events.
 */
async function listDue({ db, clock }: Deps): Promise<Poll[]> {
  const limits = { each: pollsMax, everybody: pollsOfAllMax };
  const { subjects, accounts } = await batchNamed(db, {
    subjects: listDueSubjects(db, clock(), pollsMax),
    accounts: listDueCustomers(db, clock(), limits),
  });
  const ids = new Set(accounts.flat().map(({ accountId }) => accountId));
  return [...subjects.map(tryEventsOf), ...[...ids].map(askAbout)];
}

function tryEventsOf(subject: Subject): Poll {
  return async (app) => {
    const handled = await handleEvents(app, subject, await leaseEvents(app.db, subject, 1, app.clock()));
    return handled.ok;
  };
}

function askAbout(accountId: AccountId): Poll {
  return async (app) => {
    await markPolled(app.db, accountId, app.clock());
    const reconciled = await reconcileOrders(app, accountId);
    return reconciled.ok || reconciled.refusal.reason !== "provider-unreachable";
  };
}
