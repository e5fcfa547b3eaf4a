import type { App, Base, Outbox, Secrets, Site } from "#app/app.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { waitlistPerMinuteOf } from "../config.rules.ts";
import { changeMailboxes } from "../confirming.queries.server.ts";
import {
  removeNetworks,
  listWithoutMailbox,
  removeLeft,
  removeOldWaves,
  removeUnconfirmed,
  expireInvitations,
} from "../everyone.queries.server.ts";
import { inviteToday } from "./invite-next.server.ts";
import { sweepJoined } from "./join-entries.server.ts";
import { announceOpening } from "./announce-opening.server.ts";
import { remindInvited } from "./remind-invited.server.ts";

/** Invitations that expire in one run of the cron job. */
const expiredMax = 500;
/** Entries that get their mailbox stored in one run of the cron job. */
const mailboxesMax = 250;

/**
 * The cron job's part: removes unconfirmed and abandoned entries, informs those that joined, expires, reminds and sends invitations, and
 * announces open sign-up. Idempotent. Joined entries come first, so that no invitation expires for a user who has accepted it; expired
 * ones return to the queue before the daily wave.
 */
export async function sweepWaitlist(app: Base & Site & Secrets & Outbox): Promise<void> {
  const { db } = app;
  const now = app.clock();
  const gate = gateWord(app.gate);
  await db.batch([removeUnconfirmed(db, now), removeLeft(db, now), removeOldWaves(db, now), removeNetworks(db, now)]);
  await addMailboxes(app);
  await sweepJoined(app);
  if (gate !== null) await expireInvitations(db, gate, now, expiredMax);
  const waitlistPerMinute = waitlistPerMinuteOf(app.product);
  const reminded = await remindInvited(app, waitlistPerMinute);
  await inviteToday(app, waitlistPerMinute - reminded);
  // Without a gate there are neither reminders nor invitations.
  await announceOpening(app, waitlistPerMinute);
}

/** Entries older than the mailbox column, a portion at a time. */
async function addMailboxes({ db }: Pick<App, "db">): Promise<void> {
  const rows = await listWithoutMailbox(db, mailboxesMax);
  if (rows.length === 0) return;
  await db.batch([
    changeMailboxes(
      db,
      rows.map((row) => ({ ...row, mailbox: mailboxOf(row.address) })),
    ),
  ]);
}
