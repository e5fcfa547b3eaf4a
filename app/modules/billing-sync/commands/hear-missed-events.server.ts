import type { App } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderTrouble } from "#app/modules/subscriptions/provider.rules.ts";
import { nextMark } from "#app/modules/stripe-events/inbox.rules.ts";
import { addMissedEvents, changeMark, findMark } from "#app/modules/stripe-events/inbox.queries.server.ts";

type Powers = Pick<App, "db" | "clock"> & { payments: NonNullable<App["payments"]> };

/**
 * Reads on in the provider's list of events, from where the last run ended, and puts those into the inbox that were never told
 * us. They and the mark are one batch: killed before it, the next run reads the same again.
 */
export async function hearMissedEvents({ db, clock, payments }: Powers): Promise<Result<null, ProviderTrouble>> {
  const listed = await listFrom(payments, await findMark(db, "events"));
  if (!listed.ok) return listed;
  const { events, hasMore } = listed.value;
  const mark = nextMark(events, hasMore);
  const telling = events.filter(({ customerId, paymentId }) => customerId !== null || paymentId !== null);
  await db.batch([addMissedEvents(db, telling, clock()), ...(mark === null ? [] : [changeMark(db, "events", mark)])]);
  return done(null);
}

async function listFrom(payments: Powers["payments"], mark: string | null) {
  const listed = await payments.listEvents(mark);
  const isForgotten = !listed.ok && listed.refusal.reason === "provider-refused" && mark !== null;
  // The event that marks the place is gone after thirty days, or it was another account's: the newest are left to read.
  return isForgotten ? payments.listEvents(null) : listed;
}
