/**
 * Decides the order of the queue. Invariants: confirming gives the next number; each confirmed friend moves an entry in front of the
 * fifth entry still waiting with a smaller number than its sort number. The queue is sorted by that; at one sort number moved entries come
 * before the one that has it by its own number, and among those the lower number. See app/features/waitlist/decision.md. Called from the entry's page
 * and its queries.
 */
import { hourMs } from "#app/core/time/time.ts";
import type { EntryState } from "./rules.ts";
import type { SeenPosition, SeenPositions } from "./seen-positions.rules.ts";

/** A friend counts once the address is proven, and as long as the entry stays. */
export const countedStates = ["waiting", "invited", "joined", "resting"] as const satisfies EntryState[];

/** Positions that each confirmed friend moves an entry forward. */
export const positionsPerFriend = 5;

/** Buckets of 2^5 sort numbers, 2^10 and so on: a position among a million adds up a few dozen of them. */
export const bucketLevels = [5, 10, 15, 20] as const;

/** An entry's position: how many are before and behind it. */
export type QueuePosition = { ahead: number; behind: number };

/** A visit after this long is a new one; reloading doesn't change the shown movement. */
export const newViewMs = hourMs;

/** The visits to store after this one. Null if it belongs to the last visit. */
export function recordSeenPosition(seen: SeenPositions | null, current: SeenPosition): SeenPositions | null {
  if (seen && current.at - seen.last.at < newViewMs) return null;
  return { last: current, before: seen?.last ?? null };
}

/** How an entry moved since its owner's previous visit; negative is backwards. */
export type Movement = { since: number; ahead: number; friends: number };

/** Null on the first visit. */
export function movementSince(seen: SeenPositions | null, current: SeenPosition): Movement | null {
  const isNew = recordSeenPosition(seen, current) !== null;
  const before = isNew ? seen?.last : seen?.before;
  if (!before) return null;
  return { since: before.at, ahead: current.ahead - before.ahead, friends: current.friends - before.friends };
}
