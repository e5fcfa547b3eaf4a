/**
 * What becomes of devices over the limit of a plan that took the place of a larger one: they keep their seats for `seatNoticeMs`, and
 * their owner is emailed and chooses; then those that were used least recently are removed. Without a plan all devices keep theirs, and
 * wait for the next plan. Called by the sweep of devices and the page.
 */
import { dayMs } from "#app/core/time/time.ts";

/** Time from the email until devices over the limit are removed. */
export const seatNoticeMs = 14 * dayMs;

/** `due`: the plan changed, and nobody has looked so far. */
export const seatReductionStates = ["due", "announced"] as const;

export type SeatReduction = {
  state: (typeof seatReductionStates)[number];
  /** As many as there were when the owner was emailed. */
  seats: number | null;
  releasesAt: number | null;
};

export type SeatVerdict =
  /** There are seats for all devices, or there is no plan. */
  | { what: "forget" }
  | { what: "announce"; releasesAt: number }
  /** Announced before, of as few seats: the date stays, whatever was changed in between. */
  | { what: "keep" }
  | { what: "wait" }
  | { what: "release" };

export function judgeSeats(
  { state, seats: announced, releasesAt }: SeatReduction,
  { seats, used }: { seats: number | null; used: number },
  now: number,
): SeatVerdict {
  if (seats === null || used <= seats) return { what: "forget" };
  if (announced === null || releasesAt === null || seats < announced) {
    return { what: "announce", releasesAt: now + seatNoticeMs };
  }
  if (state === "due") return { what: "keep" };
  return { what: now >= releasesAt ? "release" : "wait" };
}

/** Those that are removed when nobody chooses: of devices, the latest used first, all that no seat is left for. */
export function surplusOf<Device>(latestFirst: readonly Device[], seats: number): Device[] {
  return latestFirst.slice(seats);
}

/** Devices that an email names; the others are counted. */
const namedMax = 5;

/** How an email names devices: the first few. */
export function nameDevices(names: readonly string[]): { devices: string; more: number } {
  return { devices: names.slice(0, namedMax).join(", "), more: Math.max(0, names.length - namedMax) };
}
