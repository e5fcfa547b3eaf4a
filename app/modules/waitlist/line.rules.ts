/**
 * The order of a line. Who confirms gets the next number; a friend who confirms moves an entry in front of the fifth one that still
 * waits by a smaller number than its place. The line is sorted by place: at one place whoever was moved stands before whoever holds
 * it by number, and among those who were moved the earlier number. See docs/decisions/0026.
 */
import { hourMs } from "#app/core/time/time.ts";
import type { EntryState } from "./rules.ts";
import type { Look, Looks } from "./looks.rules.ts";

/** A friend counts once the address is proven, and for as long as the friend stays. */
export const countedStates = ["waiting", "invited", "joined", "resting"] as const satisfies EntryState[];

/** Places that each confirmed friend moves an entry forward. */
export const placesPerFriend = 5;

/** Buckets of 2^5 places, 2^10 and so on: a rank among a million sums a few dozen of them. */
export const bucketLevels = [5, 10, 15, 20] as const;

/** Where an entry stands. */
export type Standing = { ahead: number; behind: number };

/** A visit after this long is a new one; reloading doesn't change what the page says has moved. */
export const newLookMs = hourMs;

/** What is remembered once somebody looks now. Null: this look belongs to the last one. */
export function noteLook(looks: Looks | null, look: Look): Looks | null {
  if (looks && look.at - looks.last.at < newLookMs) return null;
  return { last: look, before: looks?.last ?? null };
}

/** How an entry moved since its owner looked before; what is negative is fewer. */
export type Movement = { since: number; ahead: number; friends: number };

/** Null: nobody looked before this visit. */
export function judgeMovement(looks: Looks | null, look: Look): Movement | null {
  const isNew = noteLook(looks, look) !== null;
  const before = isNew ? looks?.last : looks?.before;
  if (!before) return null;
  return { since: before.at, ahead: look.ahead - before.ahead, friends: look.friends - before.friends };
}
