/**
 * The inbox of the payment provider's events. Each is there once, whether the provider told it or the clock found it in the
 * provider's list; what wasn't handled is tried again, less and less often.
 */
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";

/** Waited after the first try; twice as long after each further one. */
export const eventWaitMs = minuteMs;
export const eventWaitAtMostMs = 6 * hourMs;

/** Events of one cause come together: so long is waited for the others, and all of them are one sync. */
export const burstMs = 500;

/** A payment page waits so long for a sync that an event has begun, and looks this often whether it has ended. */
export const sharedSyncWaitMs = 3 * secondMs;
export const sharedSyncLookMs = 200;

/** So long events about somebody are in one hand: a sync is given less time than that. After it they are anybody's again. */
export const handlingMs = 30 * secondMs;

/** What came about somebody while they were asked about is one more question, and so on; then the clock takes over. */
export const roundsMax = 4;

/** About two days. What it was about is asked about all the same, once in a while. */
export const eventTriesMax = 16;

/** Longer than the thirty days for which the provider lists and sends an event: it can't come again once its row is gone. */
export const eventKeptMs = 35 * dayMs;

/** Events this close to the newest may still have older sisters on their way into the provider's list. */
export const listOverlapMs = 5 * minuteMs;

/** From where the list is read on next time; null: from where it was read this time. */
export function nextMark(events: { id: string; createdAt: number }[], hasMore: boolean): string | null {
  const newest = events.at(-1);
  if (!newest) return null;
  if (hasMore) return newest.id;
  return events.findLast(({ createdAt }) => createdAt <= newest.createdAt - listOverlapMs)?.id ?? null;
}
