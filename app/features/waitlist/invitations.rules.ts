/**
 * Decides who is invited when, and until when. Invariants: an invitation belongs to its entry's address, opens with the entry's own link,
 * and is used up by what it leads to; an expired one returns the entry to the queue, and after two the entry rests until its owner asks
 * again. Called from the cron job, the entry's page and the operators' calls.
 */
import { startOfDay, dayOf, spellDay } from "#app/core/time/calendar.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import type { ShownInvitation } from "#app/modules/catalogue/gate.rules.ts";
import type { Id } from "#app/core/id.ts";
import type { Entry } from "./rules.ts";

export type WaveId = Id<"wav">;

/** Who began a wave of invitations: the cron job, or an operator. */
export const waveTriggers = ["clock", "operator"] as const;
export type WaveTrigger = (typeof waveTriggers)[number];

export const invitationLifeMs = 5 * dayMs;
/** How long before it expires the reminder is sent. */
export const reminderBeforeMs = dayMs;
/** Expired invitations after which an entry rests. */
export const missesMax = 2;

/** Hour of the daily wave in the seller's time zone: when people read their email. */
export const waveHour = 9;
/** Invitations that an operator can send with one command. */
export const waveMax = 500;
/** Of these, how many in one batch. */
export const operatorPortionMax = 25;
/** How many entries a wave reads: entries that friends moved ahead after it began are skipped. */
export const waveSearchMax = 500;

/** `gate`: the gate in force, as stored. Invitations for another gate have no effect. */
export function invitationVerdict(
  entry: Pick<Entry, "gate" | "state" | "invitations" | "invitationExpiresAt">,
  gate: string | null,
  now: number,
): Exclude<ShownInvitation["verdict"], "unknown"> {
  switch (entry.state) {
    case "joined":
      return "used";
    case "waiting":
    case "invited":
    case "resting":
      if (entry.gate !== gate) return "no-gate";
      if (entry.state === "invited" && (entry.invitationExpiresAt ?? 0) > now) return "open";
      return entry.invitations > 0 ? "over" : "none";
    case "pending":
    case "left":
    case "rejected":
      return "none";
  }
}

/** The day's wave: its name, and when it is sent. */
export function waveOf(now: number, timeZone: string): { day: string; startsAt: number } {
  const day = dayOf(now, timeZone);
  return { day: spellDay(day), startsAt: startOfDay(day, timeZone) + waveHour * hourMs };
}
