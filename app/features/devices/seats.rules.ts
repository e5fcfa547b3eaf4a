/**
 * Decides what happens to devices beyond the seats of a smaller plan: they keep working for `seatNoticeMs` while their owner, who is
 * emailed, chooses; then those used least recently are removed. Invariant: without a plan all devices stay and wait for the next one.
 * Called from the cron job and the page of devices.
 */
import { dayMs } from "#app/core/time/time.ts";

/** Time from the email until devices over the limit are removed. */
export const seatNoticeMs = 14 * dayMs;

/** `due`: the plan changed, and the cron job hasn't handled it yet. */
export const seatReductionStates = ["due", "announced"] as const;

export type SeatReduction = {
  state: (typeof seatReductionStates)[number];
  /** The seats when the owner was emailed. */
  seats: number | null;
  releasesAt: number | null;
};

type SeatVerdict =
  /** All devices have seats, or there is no plan. */
  | { what: "forget" }
  | { what: "announce"; releasesAt: number }
  /** Already announced with as few seats: the date stays, even if the plan changed in between. */
  | { what: "keep" }
  | { what: "wait" }
  | { what: "release" };

export function decideSeats(
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

/** The devices that are removed unless the owner chooses: those beyond the seats, by last use. */
export function surplusOf<Device>(latestFirst: readonly Device[], seats: number): Device[] {
  return latestFirst.slice(seats);
}

/** How many devices an email names. The others are counted. */
const namedMax = 5;

/** How an email names devices: the first few. */
export function nameDevices(names: readonly string[]): { devices: string; more: number } {
  return { devices: names.slice(0, namedMax).join(", "), more: Math.max(0, names.length - namedMax) };
}
