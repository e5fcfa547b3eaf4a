/**
 * Decides when Stripe's events are handled and retried. Invariants: each event is stored once, whether a webhook delivered it or the cron
 * job found it in Stripe's list; an unhandled one is retried with backoff. Called from the reconciler.
 */
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";

export const eventStates = ["received", "handled", "failed", "ignored"] as const;

/** Wait after the first try of an event; it doubles with each further one. */
export const eventWaitMs = minuteMs;
/** The longest wait between two tries. */
export const eventWaitAtMostMs = 6 * hourMs;

/** Events of one cause arrive together: a sync waits this long for the others. */
export const burstMs = 500;

/** How long a payment page waits for a sync that an event started. */
export const sharedSyncWaitMs = 3 * secondMs;
/** How often it checks whether that sync has ended. */
export const sharedSyncLookMs = 200;

/** How long one request has the events of a customer to itself; a sync has less time. */
export const handlingMs = 30 * secondMs;

/** How many times one request syncs while further events arrive. After these, the cron job handles the rest. */
export const roundsMax = 4;

/** Tries of an event, over about two days. */
export const eventTriesMax = 16;
/** After those it is tried this often, as long as it is stored: a release may have repaired what it failed by. */
export const givenUpWaitMs = dayMs;

/** Characters that are stored of why an event failed. */
export const failureLengthMax = 300;

/** How long an event's row is stored: longer than the thirty days in which Stripe lists and sends it. */
export const eventRetentionMs = 35 * dayMs;

/** Overlap when reading Stripe's list: an older event may appear in it late. */
export const listOverlapMs = 5 * minuteMs;

/** Where the next run starts reading the list. Null if it starts where this one did. */
export function nextJobCursor(events: { id: string; createdAt: number }[], hasMore: boolean): string | null {
  const newest = events.at(-1);
  if (!newest) return null;
  if (hasMore) return newest.id;
  return events.findLast(({ createdAt }) => createdAt <= newest.createdAt - listOverlapMs)?.id ?? null;
}

/** The job cursor that says when Stripe first delivered an event: later ones change nothing. */
export const webhookCursor = "webhook";

/** The job cursor that says when events were missing from Stripe's list. Every customer not synced since then is due. */
export const gapCursor = "events-gap";
