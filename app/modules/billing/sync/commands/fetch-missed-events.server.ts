import { changeJobCursor, findJobCursor } from "#app/db/job-cursors.server.ts";
import type { EventId } from "#app/core/stripe/ids.ts";
import { readId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { gapCursor, nextJobCursor } from "../inbox.rules.ts";
import { adoptCustomer } from "./adopt-customer.server.ts";
import { addMissedEvents } from "../inbox.queries.server.ts";

type Deps = Pick<App, "db" | "clock" | "product"> & { payments: NonNullable<App["payments"]> };

/**
 * Reads Stripe's list of events from where the last run stopped, and stores in the inbox those that no webhook delivered. Events and cursor
 * are written in one batch: if the run is killed before that, the next one reads the same events again.
 */
export async function fetchMissedEvents({
  db,
  clock,
  product,
  payments,
}: Deps): Promise<Result<null, ProviderFailure>> {
  const listed = await listFrom(payments, readId("evt", await findJobCursor(db, "events")));
  if (!listed.ok) return listed;
  const { events, hasMore, hasGap } = listed.value;
  // A forgotten cursor is replaced in any case, so that one gap is found once.
  const cursor = nextJobCursor(events, hasMore) ?? (hasGap ? "" : null);
  // If a Worker was killed before it stored a new customer, Stripe has a customer whose address no erasure would find.
  for (const { newCustomerId } of events) {
    if (newCustomerId !== null) await adoptCustomer({ db, clock, product, payments }, newCustomerId);
  }
  const relevant = events.filter(({ customerId, paymentId }) => customerId !== null || paymentId !== null);
  await db.batch([
    addMissedEvents(db, relevant, clock()),
    ...(cursor === null ? [] : [changeJobCursor(db, "events", cursor)]),
    // What events can't say any more, a sync of each customer finds.
    ...(hasGap ? [changeJobCursor(db, gapCursor, clock())] : []),
  ]);
  return done(null);
}

async function listFrom(payments: Deps["payments"], cursor: EventId | null) {
  const listed = await payments.listEvents(cursor);
  const isForgotten = !listed.ok && listed.refusal.reason === "provider-refused" && cursor !== null;
  // The cursor's event is older than 30 days or belongs to another Stripe account: start with the newest events.
  const found = isForgotten ? await payments.listEvents(null) : listed;
  return found.ok ? done({ ...found.value, hasGap: isForgotten }) : found;
}
