import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, Site } from "#app/app.ts";
import { hashToken } from "#app/core/digest.ts";
import type { Reader } from "#app/core/time/time.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { judgeMovement, type Movement, noteLook, placesPerFriend, type Standing } from "../line.rules.ts";
import { findEnded } from "../joining.queries.server.ts";
import { findStanding } from "../line.queries.server.ts";
import { type Entry, type EntryState, gatedPlan, gateName } from "../rules.ts";
import { findEntry, readEntry, saveLooks } from "../queries.server.ts";

export type ShownPlace = {
  /**
   * `lapsed`: its invitation is over, and the clock has not put it back so far. `ended`: its owner had what it was for, and has it no
   * more.
   */
  state: Exclude<EntryState, "pending"> | "lapsed" | "ended";
  what: string;
  /** Null when the gate still stands; otherwise what is open now, the plan or sign-up as a whole, and to whom. */
  opened: { planId: string | null; to: "everybody" | "accounts" } | null;
  /** The plan that is waited for; null: an account. */
  planId: string | null;
  /** Null: not in line (any more). */
  standing: Standing | null;
  /** It isn't invited, and moves no friend, before an operator has looked at it. */
  isUnderReview: boolean;
  /** Since the owner looked before; null: never before. */
  movement: Movement | null;
  friends: number;
  placesPerFriend: number;
  shareUrl: string;
  /** Until when an invitation holds. */
  invitedUntil: number | null;
  missed: number;
  reader: Reader;
};

/** An entry's own page; null for a link that never was. One round trip; what was seen is noted after the answer. */
export async function showPlace(app: Base & Site & Outbox, token: string): Promise<ShownPlace | null> {
  const entryHash = await hashToken(token);
  const {
    entry: [row],
    standing: [standing],
    ended: [ended],
  } = await batchNamed(app.db, {
    entry: findEntry(app.db, entryHash),
    standing: findStanding(app.db, entryHash),
    ended: findEnded(app.db, entryHash),
  });
  const entry = row && readEntry(row);
  if (!entry || entry.state === "pending") return null;
  const { locale, timeZone } = app.product;
  const { gate, invitationExpiresAt, missed } = entry;
  const isLapsed = entry.state === "invited" && (invitationExpiresAt ?? 0) <= app.clock();
  return {
    state: ended ? "ended" : isLapsed ? "lapsed" : entry.state,
    what: gateName(app.product, gate),
    opened: openedSince(app, gate),
    planId: gatedPlan(gate),
    standing: standing ?? null,
    isUnderReview: entry.review === "under-review",
    movement: standing ? look(app, entry, standing) : null,
    friends: entry.friends,
    placesPerFriend,
    shareUrl: `${app.origin}/waitlist?ref=${entry.shareCode}`,
    invitedUntil: entry.state === "invited" ? invitationExpiresAt : null,
    missed,
    reader: { locale, timeZone },
  };
}

/** Another gate stands, or none: what was waited for is open. A plan still takes an account, which may be what is guarded now. */
function openedSince(app: Pick<App, "gate">, gate: string): ShownPlace["opened"] {
  if (gateWord(app.gate) === gate) return null;
  const planId = gatedPlan(gate);
  return { planId, to: planId && app.gate.kind === "signup" ? "accounts" : "everybody" };
}

/** How it moved since its owner looked before, and a note of this look. */
function look(app: Pick<App, "db" | "clock" | "later">, entry: Entry, { ahead }: Standing): Movement | null {
  const now = { at: app.clock(), ahead, friends: entry.friends };
  const looks = noteLook(entry.looks, now);
  if (looks) app.later(saveLooks(app.db, entry.id, looks, entry.looks).execute());
  return judgeMovement(entry.looks, now);
}
