import type { AccountId } from "#app/core/id.ts";
import { isAnswered, pollEach } from "#app/core/stripe/poll-each.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { adoptCustomer } from "./adopt-customer.server.ts";
import { handleEvents } from "./handle-events.server.ts";
import { fetchMissedEvents } from "./fetch-missed-events.server.ts";
import {
  listDueSubjects,
  removeOldEvents,
  type Subject,
  leaseEvents,
} from "#app/modules/stripe-events/inbox.queries.server.ts";
import { expireDrafts } from "#app/modules/orders/transitions.queries.server.ts";
import { type Deps, reconcileCustomer } from "./reconcile-customer.server.ts";
import { listDueCustomers, changePolledAt } from "../polling.queries.server.ts";

/** Customers of each kind per run of the cron job. */
const pollsMax = 5;
/** Customers per run that are synced only because their last sync is long ago. */
const pollsOfAllMax = 2;

/** One call to Stripe with its own deadline. False if Stripe didn't answer. */
type Poll = (app: Deps & { payments: NonNullable<App["payments"]> }) => Promise<boolean>;

/**
 * The cron job's work on orders: expires drafts that never opened, fetches events that weren't delivered, and syncs what is outdated
 * because events were lost. Idempotent, and safe to kill: unfinished work stays in the inbox or is due again.
 */
export async function sweepOrders(app: Deps): Promise<void> {
  const now = app.clock();
  await app.db.batch([...expireDrafts(app.db, now), removeOldEvents(app.db, now)]);
  const { payments } = app;
  if (!payments) return;
  await pollEach(pollsOf(app), (poll) => poll({ ...app, payments: payments.withOwnDeadline() }), app.report);
}

/** Due rows are listed after Stripe's events were fetched, so that new events are included in the same run. */
async function* pollsOf(app: Deps): AsyncGenerator<Poll> {
  yield async (polling) => isAnswered(await fetchMissedEvents(polling));
  yield* await listDue(app);
}

/** Each account is synced at most once per run, in addition to its events. */
async function listDue({ db, clock }: Deps): Promise<Poll[]> {
  const limits = { each: pollsMax, all: pollsOfAllMax };
  const { subjects, accounts } = await batchNamed(db, {
    subjects: listDueSubjects(db, clock(), pollsMax),
    accounts: listDueCustomers(db, clock(), limits),
  });
  const ids = new Set(accounts.flat().map(({ accountId }) => accountId));
  return [...subjects.map(pollEvents), ...[...ids].map(pollAccount)];
}

function pollEvents(subject: Subject): Poll {
  return async (app) => {
    const taken = await leaseEvents(app.db, subject, 1, app.clock());
    if (subject.customerId !== null) await adoptCustomer(app, subject.customerId);
    return (await handleEvents(app, subject, taken)).ok;
  };
}

function pollAccount(accountId: AccountId): Poll {
  return async (app) => {
    await changePolledAt(app.db, accountId, app.clock());
    return isAnswered(await reconcileCustomer(app, accountId));
  };
}
