import { statesBefore } from "#app/core/states-before.ts";
import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { type Owned, ownedRows } from "#app/db/owned-rows.server.ts";
import { removeTouches } from "#app/modules/referrals/personal-data.queries.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries } from "./schema.ts";
import { entryStates, entryTransitions } from "./rules.ts";

// Export: entries belong to the account's address ---------------------------------------------------------------------

export function listOwnEntries(db: Database, accountId: AccountId) {
  const {
    gate,
    state,
    review,
    email,
    shareCode,
    number,
    friends,
    gift,
    invitations,
    missed,
    looks,
    returned,
    ...columns
  } = entries;
  const { createdAt, confirmExpiresAt, confirmedAt, invitedAt, invitationExpiresAt, acceptedAt, joinedAt } = columns;
  const { remindedAt, toldAt, leftAt } = columns;
  const facts = { gate, state, review, email, shareCode, number, friends, gift, invitations, missed, looks, returned };
  const times = {
    createdAt,
    confirmExpiresAt,
    confirmedAt,
    invitedAt,
    invitationExpiresAt,
    acceptedAt,
    joinedAt,
    remindedAt,
    toldAt,
    leftAt,
  };
  return db
    .select({ ...facts, ...times })
    .from(entries)
    .innerJoin(accounts, eq(accounts.emailCanonical, entries.emailCanonical))
    .where(eq(accounts.id, accountId))
    .orderBy(createdAt);
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

/**
 * Leaves the waitlist where possible; rows stay, since friends' entries refer to them, without anything that identifies the person. Under
 * a former address only what was created before the change: what came later belongs to the account that has the address now.
 */
function eraseEntries(db: Database, owner: Owner, now: number, guard: SQL) {
  const nobody = sql`'gone-' || id`;
  const mustLeave = sql`state in (select value from json_each(${JSON.stringify(statesBefore(entryStates, entryTransitions, "left"))}))`;
  return statement(
    db,
    sql`
    update ${entries} set state = case when ${mustLeave} then 'left' else state end,
      left_at = case when ${mustLeave} then ${now} else left_at end,
      email = ${nobody} || '@invalid', email_canonical = ${nobody} || '@invalid',
      mailbox = ${nobody} || '@invalid', network_hash = null, confirm_hash = ${nobody}, entry_hash = ${nobody}, share_code = ${nobody},
      looks = null, invited_at = null, invitation_expires_at = null, reminded_at = null, accepted_at = null, returned = null
    where ${isTheirs(owner)} and ${guard}`,
  );
}

/** First what else is known of the entries by their ids. */
export function erasePerson(
  db: Database,
  { id: accountId, addresses, now, guard }: { id: AccountId; addresses: Owned[]; now: number; guard: SQL },
) {
  const owner = { accountId, addresses };
  const own = sql`select id from ${entries} where ${isTheirs(owner)}`;
  return [removeTouches(db, own, guard), eraseEntries(db, owner, now, guard)];
}

function isTheirs({ accountId, addresses }: Owner): SQL {
  const theirs = ownedRows(entries, { name: "email_canonical", time: "created_at" }, addresses);
  return sql`${theirs} and not exists (
    select 1 from ${accounts} where ${accounts.emailCanonical} = ${entries.emailCanonical} and ${accounts.id} <> ${accountId})`;
}

type Owner = { accountId: AccountId; addresses: Owned[] };
