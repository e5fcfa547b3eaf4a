import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, Site } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import type { Reader } from "#app/core/time/time.ts";
import { gatedPlan, gateWord, gateName } from "#app/modules/catalogue/gate.rules.ts";
import {
  movementSince,
  type Movement,
  recordSeenPosition,
  positionsPerFriend,
  type QueuePosition,
} from "../queue.rules.ts";
import { findEnded } from "../joining.queries.server.ts";
import { findQueuePosition } from "../queue.queries.server.ts";
import { type Entry, type EntryReturn, type EntryState, waitlistPath } from "../rules.ts";
import { findEntry, changeSeenPositions } from "../queries.server.ts";

export type ShownEntry = {
  /**
   * `lapsed`: its invitation has expired, and the cron job hasn't processed it. `ended`: its owner had what it was for, and that has
   * ended.
   */
  state: Exclude<EntryState, "pending"> | "lapsed" | "ended";
  what: string;
  /** What is open now, the plan or sign-up as a whole, and to whom. Null while the entry's gate is in force. */
  opened: { planId: string | null; to: "everybody" | "accounts" } | null;
  /** The gated plan. Null if the gate is sign-up. */
  planId: string | null;
  /** Null if it isn't in the queue (any more). */
  position: QueuePosition | null;
  /** Until an operator has reviewed it, it isn't invited and doesn't count for its referrer. */
  isUnderReview: boolean;
  /** How an email came back to an entry that waits, which therefore isn't invited. Null if none did, or if it doesn't wait. */
  returned: EntryReturn | null;
  /** Since the owner's previous visit. Null on the first one. */
  movement: Movement | null;
  friends: number;
  positionsPerFriend: number;
  shareUrl: string;
  invitedUntil: number | null;
  missed: number;
  reader: Reader;
};

/** An entry's own page; null for an invalid link. One round trip; the visit is stored after the response. */
export async function showEntry(app: Base & Site & Outbox, token: string): Promise<ShownEntry | null> {
  const entryHash = await hashToken(token);
  const {
    entry: [entry],
    position: [position],
    ended: [ended],
  } = await batchNamed(app.db, {
    entry: findEntry(app.db, entryHash),
    position: findQueuePosition(app.db, entryHash),
    ended: findEnded(app.db, entryHash),
  });
  if (!entry || entry.state === "pending") return null;
  const { locale, timeZone } = app.product;
  const { gate, invitationExpiresAt, missed } = entry;
  const isLapsed = entry.state === "invited" && (invitationExpiresAt ?? 0) <= app.clock();
  return {
    state: ended ? "ended" : isLapsed ? "lapsed" : entry.state,
    what: gateName(app.product, gate),
    opened: openedSince(app, gate),
    planId: gatedPlan(gate),
    position: position ?? null,
    isUnderReview: entry.review === "under-review",
    returned: entry.state === "waiting" ? entry.returned : null,
    movement: position ? recordVisit(app, entry, position) : null,
    friends: entry.friends,
    positionsPerFriend,
    shareUrl: `${app.origin}${waitlistPath}?ref=${entry.shareCode}`,
    invitedUntil: entry.state === "invited" ? invitationExpiresAt : null,
    missed,
    reader: { locale, timeZone },
  };
}

/**
 * What is open of what the entry waited for, since another gate or none is in force. A plan still needs an account, and sign-up may be
 * gated now.
 */
function openedSince(app: Pick<App, "gate">, gate: string): ShownEntry["opened"] {
  if (gateWord(app.gate) === gate) return null;
  const planId = gatedPlan(gate);
  return { planId, to: planId && app.gate.kind === "signup" ? "accounts" : "everybody" };
}

/** The movement since the owner's previous visit; stores this one. */
function recordVisit(
  app: Pick<App, "db" | "clock" | "later">,
  entry: Entry,
  { ahead }: QueuePosition,
): Movement | null {
  const now = { at: app.clock(), ahead, friends: entry.friends };
  const seen = recordSeenPosition(entry.looks, now);
  if (seen) app.later(changeSeenPositions(app.db, entry.id, seen, entry.looks).execute());
  return movementSince(entry.looks, now);
}
