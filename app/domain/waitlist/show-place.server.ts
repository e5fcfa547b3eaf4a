import type { App } from "#app/context.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";
import type { Reader } from "#app/domain/kernel/time.ts";
import { gateWord } from "#app/domain/product/rules.ts";
import { judgeMovement, type Movement, noteLook, placesPerFriend, type Standing } from "./line.rules.ts";
import { findStanding } from "./line.store.server.ts";
import { type Entry, type EntryState, gateName } from "./rules.ts";
import { findEntry, readEntry, saveLooks } from "./store.server.ts";

export type ShownPlace = {
  state: Exclude<EntryState, "pending">;
  what: string;
  /** Null when the gate still stands; otherwise what is open now: the plan, or sign-up as a whole. */
  opened: { planId: string | null } | null;
  /** Null: not in line (any more). */
  standing: Standing | null;
  /** Since the owner looked before; null: never before. */
  movement: Movement | null;
  friends: number;
  placesPerFriend: number;
  shareUrl: string;
  reader: Reader;
};

/** An entry's own page; null for a link that never was. One round trip; what was seen is noted after the answer. */
export async function showPlace(
  app: Pick<App, "db" | "clock" | "origin" | "product" | "gate" | "later">,
  token: string,
): Promise<ShownPlace | null> {
  const entryHash = await hashToken(token);
  const [[row], [standing]] = await app.db.batch([findEntry(app.db, entryHash), findStanding(app.db, entryHash)]);
  const entry = row && readEntry(row);
  if (!entry || entry.state === "pending") return null;
  const { locale, timeZone } = app.product;
  const planId = entry.gate.startsWith("plan:") ? entry.gate.slice("plan:".length) : null;
  return {
    state: entry.state,
    what: gateName(app.product, entry.gate),
    opened: gateWord(app.gate) === entry.gate ? null : { planId },
    standing: standing ?? null,
    movement: standing ? look(app, entry, standing) : null,
    friends: entry.friends,
    placesPerFriend,
    shareUrl: `${app.origin}/waitlist?ref=${entry.shareCode}`,
    reader: { locale, timeZone },
  };
}

/** How it moved since its owner looked before, and a note of this look. */
function look(app: Pick<App, "db" | "clock" | "later">, entry: Entry, { ahead }: Standing): Movement | null {
  const now = { at: app.clock(), ahead, friends: entry.friends };
  const looks = noteLook(entry.looks, now);
  if (looks) app.later(saveLooks(app.db, entry.id, looks, entry.looks).execute());
  return judgeMovement(entry.looks, now);
}
