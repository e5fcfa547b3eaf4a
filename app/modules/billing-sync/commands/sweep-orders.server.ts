import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { handleEvents } from "./hear-event.server.ts";
import { hearMissedEvents } from "./hear-missed-events.server.ts";
import {
  listDueSubjects,
  removeOldEvents,
  type Subject,
  takeEvents,
} from "#app/modules/stripe-events/inbox.queries.server.ts";
import { expireDrafts } from "#app/modules/orders/moves.queries.server.ts";
import { type Powers, reconcileOrders } from "./reconcile-orders.server.ts";
import { listTurns, takeTurn } from "../turns.queries.server.ts";

/** Customers of each kind per run of the cron job. */
const turnsMax = 5;
/** Customers per run that are synced only because their last sync is long ago. */
const turnsOfEverybodyMax = 2;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const silencesMax = 2;

/** One question to Stripe, with a deadline of its own. False: Stripe didn't answer. */
type Turn = (app: Powers & { payments: NonNullable<App["payments"]> }) => Promise<boolean>;

/**
 * The cron job's part: cancels drafts that never opened, fetches events that weren't delivered, and syncs what lost events left outdated.
 * Idempotent, and safe to kill: unfinished work stays in the inbox or is due again.
 */
export async function sweepOrders(app: Powers): Promise<void> {
  const now = app.clock();
  await app.db.batch([...expireDrafts(app.db, now), removeOldEvents(app.db, now)]);
  const { payments } = app;
  if (!payments) return;
  const run = async (turn: Turn): Promise<boolean> => {
    try {
      return await turn({ ...app, payments: payments.withOwnDeadline() });
    } catch (error) {
      // An account whose data violates an invariant is reported and doesn't delay the others.
      app.report(error);
      return true;
    }
  };
  let silences = (await run(readList)) ? 0 : 1;
  for (const turn of await listDue(app)) {
    if (silences === silencesMax) return;
    silences = (await run(turn)) ? 0 : silences + 1;
  }
}

async function readList(app: Parameters<Turn>[0]): Promise<boolean> {
  const heard = await hearMissedEvents(app);
  return heard.ok || heard.refusal.reason !== "provider-unreachable";
}

/**
 * Read after Stripe's list, so that events found there are due at once. Each account is synced at most once per run, besides its events.
 */
async function listDue({ db, clock }: Powers): Promise<Turn[]> {
  const limits = { each: turnsMax, everybody: turnsOfEverybodyMax };
  const { subjects, accounts } = await batchNamed(db, {
    subjects: listDueSubjects(db, clock(), turnsMax),
    accounts: listTurns(db, clock(), limits),
  });
  const ids = new Set(accounts.flat().map(({ accountId }) => accountId));
  return [...subjects.map(tryEventsOf), ...[...ids].map(askAbout)];
}

function tryEventsOf(subject: Subject): Turn {
  return async (app) => {
    const handled = await handleEvents(app, subject, await takeEvents(app.db, subject, 1, app.clock()));
    return handled.ok;
  };
}

function askAbout(accountId: string): Turn {
  return async (app) => {
    await takeTurn(app.db, accountId, app.clock());
    const settled = await reconcileOrders(app, accountId);
    return settled.ok || settled.refusal.reason !== "provider-unreachable";
  };
}
