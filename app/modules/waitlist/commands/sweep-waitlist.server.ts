import type { App, Base, Outbox, Secrets, Site } from "#app/app.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { forgetNetworks, listWithoutMailbox, noteMailboxes } from "../confirming.queries.server.ts";
import { expireInvitations } from "../invitations.queries.server.ts";
import { inviteToday } from "./invite-next.server.ts";
import { sweepJoined } from "./join-entries.server.ts";
import { openDoors } from "./open-doors.server.ts";
import { remindInvited } from "./remind-invited.server.ts";
import { removeLeft, removeOldWaves, removeUnconfirmed } from "../queries.server.ts";

/** Invitations that expire in one run of the cron job. */
const expiredMax = 500;
/** Entries that get their mailbox in one run of the cron job. */
const mailboxesMax = 250;

/**
 * The clock's share: addresses that nobody confirmed and places that were given up are forgotten, who has come in is told so,
 * invitations end, are reminded of and go out, and when the doors have opened all hear of it. Safe to run twice. Who has come in goes
 * first, so that nobody misses what they have; what ends frees nothing, so that a place is back before the day's wave.
 */
export async function sweepWaitlist(app: Base & Site & Secrets & Outbox): Promise<void> {
  const { db } = app;
  const now = app.clock();
  const gate = gateWord(app.gate);
  await db.batch([removeUnconfirmed(db, now), removeLeft(db, now), removeOldWaves(db, now), forgetNetworks(db, now)]);
  await addMailboxes(app);
  await sweepJoined(app);
  if (gate !== null) await expireInvitations(db, gate, now, expiredMax);
  await remindInvited(app);
  await inviteToday(app);
  await openDoors(app);
}

/** Entries from before their mailbox was noted, a portion at a time. */
async function addMailboxes({ db }: Pick<App, "db">): Promise<void> {
  const rows = await listWithoutMailbox(db, mailboxesMax);
  if (rows.length === 0) return;
  await db.batch([
    noteMailboxes(
      db,
      rows.map((row) => ({ ...row, mailbox: mailboxOf(row.address) })),
    ),
  ]);
}
