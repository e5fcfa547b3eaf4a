import { type AccountId, newId } from "#app/core/id.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import { isAnswered, pollEach } from "#app/core/stripe/poll-each.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { adoptCustomer } from "./adopt-customer.server.ts";
import { claimCustomer } from "./claim-customer.server.ts";
import { handleEvents } from "./handle-events.server.ts";
import { fetchMissedEvents } from "./fetch-missed-events.server.ts";
import { type Subject, leaseEvents } from "../inbox.queries.server.ts";
import { listDueSubjects, removeOldEvents, listDueCustomers, findSample } from "../everyone.queries.server.ts";
import { expireDrafts } from "#app/modules/billing/orders/everyone.queries.server.ts";
import { type Deps, reconcileCustomer } from "./reconcile-customer.server.ts";
import { listUnclaimedToLookAt } from "#app/modules/billing/subscriptions/everyone.queries.server.ts";
import { changePolledAt } from "../../subscriptions/queries.server.ts";
import { callsMax, inTurns, pollsMax, syncingMs } from "../polling.rules.ts";

/** Customers of the dashboard per run that belong to no account. */
const unclaimedMax = 1;

/** One sync with its own deadline. False if Stripe didn't answer. */
type Poll = (app: Deps & { payments: NonNullable<App["payments"]> }) => Promise<boolean>;

/**
 * The cron job's work on orders: expires drafts that never opened, fetches events that weren't delivered, and syncs what may be outdated
 * all the same. Idempotent, and safe to kill: unfinished work stays in the inbox or is due again.
 */
export async function sweepOrders(app: Deps): Promise<void> {
  const now = app.clock();
  await app.db.batch([...expireDrafts(app.db, now), removeOldEvents(app.db, now)]);
  const { payments } = app;
  if (!payments) return;
  let calls = 0;
  const until = app.wallClock() + syncingMs;
  const mayBegin = () => calls < callsMax && app.wallClock() < until;
  const withOwnDeadline = () => payments.withOwnDeadline(() => (calls += 1));
  await pollEach(pollsOf(app, mayBegin), (poll) => poll({ ...app, payments: withOwnDeadline() }), app.report);
}

/** Due rows are listed after Stripe's events were fetched, so that new events are included in the same run. */
async function* pollsOf(app: Deps, mayBegin: () => boolean): AsyncGenerator<Poll> {
  yield async (polling) => isAnswered(await fetchMissedEvents(polling));
  for (const poll of await listDue(app)) {
    if (!mayBegin()) return;
    yield poll;
  }
}

/** Each account is synced at most once per run, in addition to its events. */
async function listDue({ db, clock, random }: Deps): Promise<Poll[]> {
  const now = clock();
  const { subjects, accounts, unclaimed, sample } = await batchNamed(db, {
    subjects: listDueSubjects(db, now, pollsMax),
    accounts: listDueCustomers(db, now, pollsMax),
    unclaimed: listUnclaimedToLookAt(db, now, unclaimedMax),
    sample: findSample(db, newId("acc", random), now),
  });
  const polls = inTurns<[key: string, Poll]>([
    subjects.map((subject) => [`events of ${subject.customerId ?? subject.paymentId}`, pollEvents(subject)]),
    ...[...accounts, sample].map((list) =>
      list.map(({ accountId }): [string, Poll] => [accountId, pollAccount(accountId)]),
    ),
    unclaimed.map(({ providerId }) => [providerId, pollUnclaimed(providerId)]),
  ]);
  // An account may be due for several reasons.
  return [...new Map(polls).values()];
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
