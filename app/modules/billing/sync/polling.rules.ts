/**
 * Decides which customers the cron job syncs and how many. Invariants: a customer is due by something that is known and may have happened,
 * never by the calendar alone; each kind gets its turns, so that none waits for the end of another; a run's calls to Stripe are limited.
 */
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";

/** Syncs an open order after this long without a change, since an event may have been lost. */
export const quietMs = 5 * minuteMs;
/** The longest wait between two syncs of an open order. */
export const quietAtMostMs = 6 * hourMs;
/** The time between two syncs of a plan that isn't paid for. */
export const unpaidMs = 6 * hourMs;
/** A plan is synced this long after its next happening (a renewal, a scheduled change, an end), unless its sync is known to have followed. */
export const overdueMs = hourMs;
/** The longest wait between two syncs of a plan for which nothing happens. */
export const overdueAtMostMs = dayMs;
/** After a change of address, in case Stripe didn't answer at the time. */
export const addressWaitsMs = [hourMs, 12 * hourMs] as const;
/** A customer that was synced in this time isn't chosen at random. */
export const sampleRestMs = dayMs;

/**
 * Calls to Stripe after which a run begins no further sync; one sync makes six or seven. That is four calls a second, where Stripe allows 25
 * in test mode and 100 in live mode (https://docs.stripe.com/rate-limits). It also keeps a run's statements, about twenty a sync, below D1's
 * 1,000 an invocation (https://developers.cloudflare.com/d1/platform/limits/).
 */
export const callsMax = 240;
/** Time after which a run begins no further sync: the next run begins a minute after this one. */
export const syncingMs = 40 * secondMs;
/** Customers of each kind that a run reads; `callsMax` suffices for fewer. */
export const pollsMax = 50;

/** One of each list in turn, from lists of any length: a long one doesn't delay the others. */
export function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
