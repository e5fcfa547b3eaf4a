/**
 * Invitations: whose turn it is, and until when. An invitation is bound to the address of its entry, whose own link is its key, and
 * is used up by what it opens. One that goes by leaves the entry in its place; after two it rests until its owner asks again.
 */
import { startOfDay, dayOf, spellDay } from "#app/core/time/calendar.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import type { Entry } from "./rules.ts";

/** Lifetime of an invitation. */
export const invitationLifeMs = 5 * dayMs;
/** How long before it expires the reminder is sent. */
export const reminderBeforeMs = dayMs;
/** Expired invitations after which an entry rests. */
export const missesMax = 2;

/** Hour of the daily wave on the product's calendar: when people read their email. */
export const waveHour = 9;
/** Invitations that an operator can send at once. */
export const waveMax = 500;
/** Emails in one batch, or one run of the cron job. */
export const portionMax = 25;
/** How many entries a wave looks at: entries that friends moved ahead after it began are skipped. */
export const waveSearchMax = 500;

/** What an invitation is good for now. `none`: there never was one, or its entry is over. */
export type InvitationVerdict = "open" | "over" | "used" | "no-gate" | "none";

/** `gate`: the word of the gate in force. Another one's invitations open nothing, for nothing is shut. */
export function judgeInvitation(
  entry: Pick<Entry, "gate" | "state" | "invitations" | "invitationExpiresAt">,
  gate: string | null,
  now: number,
): InvitationVerdict {
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

/** The day's wave: its name, and when it goes out. */
export function waveOf(now: number, timeZone: string): { day: string; startsAt: number } {
  const day = dayOf(now, timeZone);
  return { day: spellDay(day), startsAt: startOfDay(day, timeZone) + waveHour * hourMs };
}
