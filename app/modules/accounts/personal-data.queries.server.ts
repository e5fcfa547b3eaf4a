import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { passkeys } from "#app/modules/accounts/passkeys/schema.ts";
import { addressChanges, formerAddresses, deletedAddresses } from "./addresses.schema.ts";
import { accounts, activities, sessions } from "./schema.ts";
import { accountIsErasing } from "./closed-accounts.queries.server.ts";

// Export: what this module stores about a person, and their passkeys; everything but hashes and keys ------------------

/** `mailsOff` and `leavingUntil` are fields of the export. */
export function findOwnAccount(db: Database, id: AccountId) {
  const {
    email,
    name,
    state,
    locale,
    timeZone,
    termsVersion,
    createdAt,
    restorableUntil: leavingUntil,
    emailsOff,
  } = accounts;
  return db
    .select({ email, name, state, locale, timeZone, termsVersion, createdAt, leavingUntil, mailsOff: emailsOff })
    .from(accounts)
    .where(eq(accounts.id, id));
}

export function listOwnSessions(db: Database, accountId: AccountId) {
  const { state, device, country: place, method, createdAt, provenAt, lastUsedAt, expiresAt, endedAt } = sessions;
  return db
    .select({ state, device, place, method, createdAt, provenAt, lastUsedAt, expiresAt, endedAt })
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(createdAt);
}

export function listOwnActivities(db: Database, accountId: AccountId) {
  const { what, result, reason, method, network, device, country: place, happenedAt } = activities;
  return db
    .select({ what, result, reason, method, network, device, place, happenedAt })
    .from(activities)
    .where(eq(activities.accountId, accountId))
    .orderBy(happenedAt);
}

export function listOwnAddressChanges(db: Database, accountId: AccountId) {
  const { state, fromEmail, toEmail, changedAt, revertExpiresAt, revertedAt } = addressChanges;
  return db
    .select({ state, from: fromEmail, to: toEmail, changedAt, revertExpiresAt, revertedAt })
    .from(addressChanges)
    .where(eq(addressChanges.accountId, accountId))
    .orderBy(changedAt);
}

export function listOwnPasskeys(db: Database, accountId: AccountId) {
  const { name, provider, transports, createdAt, lastUsedAt } = passkeys;
  return db
    .select({ name, provider, transports, createdAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(createdAt);
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

export function removePeopleRows(db: Database, accountId: AccountId, guard: SQL) {
  return [sessions, activities, addressChanges, formerAddresses, passkeys].map((table) =>
    statement(db, sql`delete from ${table} where account_id = ${accountId} and ${guard}`),
  );
}

/** Records that these addresses had an account; idempotent. */
export function addDeletedAddresses(db: Database, addressHashes: string[], now: number, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${deletedAddresses} (address_hash, erased_at)
    select value, ${now} from json_each(${JSON.stringify(addressHashes)}) where ${guard}
    on conflict do nothing`,
  );
}

/**
 * The last statement of an erasure. The row stays, since orders refer to it; its address is replaced by one that can't receive email or
 * be typed, which frees the old address for a new account.
 */
export function changeToGone(db: Database, id: AccountId, blank: { locale: string; timeZone: string }, now: number) {
  const nobody = `gone-${id}@invalid`;
  return statement(
    db,
    sql`
    update ${accounts} set state = 'erased', email = ${nobody}, email_canonical = ${nobody}, name = null,
      locale = ${blank.locale}, time_zone = ${blank.timeZone}, restorable_until = null, erasure_at = ${now},
      emails_off = '[]'
    where id = ${id} and ${accountIsErasing(id)}`,
  );
}
