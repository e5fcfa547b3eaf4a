import type { AccountId } from "#app/core/id.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import { isAnswered, pollEach } from "#app/core/stripe/poll-each.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { adoptCustomer } from "./adopt-customer.server.ts";
import { claimCustomer } from "./claim-customer.server.ts";
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
import { listUnclaimedToLookAt } from "#app/modules/subscriptions/unclaimed-customers.queries.server.ts";
import { listDueCustomers, changePolledAt } from "../polling.queries.server.ts";

/** Customers of each kind per run of the cron job. */
const pollsMax = 5;
/** Customers per run that are synced only because their last sync is long ago. */
const pollsOfAllMax = 2;

/** Customers of the dashboard per run that belong to no account. */
const unclaimedMax = 1;

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
  const { subjects, accounts, unclaimed } = await batchNamed(db, {
    subjects: listDueSubjects(db, clock(), pollsMax),
    accounts: listDueCustomers(db, clock(), limits),
    unclaimed: listUnclaimedToLookAt(db, clock(), unclaimedMax),
  });
  const ids = new Set(accounts.flat().map(({ accountId }) => accountId));
  const claims = unclaimed.map(({ providerId }) => pollUnclaimed(providerId));
  return [...subjects.map(pollEvents), ...[...ids].map(pollAccount), ...claims];
}

/** Somebody may have signed up with the address of a customer that was created in the dashboard. */
function pollUnclaimed(providerId: CustomerId): Poll {
  return async (app) => {
    const claimed = await claimCustomer(app, providerId);
    if (!claimed.ok || claimed.value === null) return isAnswered(claimed);
    return isAnswered(await reconcileCustomer(app, claimed.value));
  };
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
