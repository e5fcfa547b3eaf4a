import type { AccountId, SessionId, AddressChangeId } from "#app/core/id.ts";
import { and, desc, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { type Database, justChanged, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { passkeys } from "#app/modules/accounts/passkeys/schema.ts";
import { addressChanges } from "./addresses.schema.ts";
import { accounts, activities, sessions } from "./schema.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import type { ActivityFacts } from "./activities.rules.ts";
import { addActivityOf } from "./activities.queries.server.ts";
import { doubtBeforeChangeMs } from "./address-change.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The change that an emailed link is about, with the account as it is now. */
export function findAddressChange(db: Database, revertHash: string) {
  return db
    .select({ change: addressChanges, account: accounts })
    .from(addressChanges)
    .innerJoin(accounts, eq(accounts.id, addressChanges.accountId))
    .where(and(eq(addressChanges.revertHash, revertHash), ne(accounts.state, "erased")));
}

/**
 * The newest change that reserves this address for its former account, because it can still be reverted. Columns are aliased, since in a
 * D1 batch two columns of the same name overwrite each other.
 */
export function findHold(db: Database, canonical: string, now: number) {
  const { id, accountId, fromEmail, toEmail, changedAt, revertExpiresAt } = addressChanges;
  const { locale, timeZone } = accounts;
  return db
    .select({ id, accountId, fromEmail, toEmail, changedAt, revertExpiresAt, locale, timeZone })
    .from(addressChanges)
    .innerJoin(accounts, eq(accounts.id, addressChanges.accountId))
    .where(
      and(
        eq(addressChanges.fromCanonical, canonical),
        eq(addressChanges.state, "changed"),
        gt(addressChanges.revertExpiresAt, now),
      ),
    )
    .orderBy(desc(addressChanges.changedAt))
    .limit(1);
}

/** The account's newest change that can still be undone by the link in the email to the old address. */
export const listRevertibleChanges = prepared((db: Database, accountId: AccountId, now: number) => {
  const { toEmail, changedAt, revertExpiresAt } = addressChanges;
  return db
    .select({ toEmail, changedAt, revertExpiresAt })
    .from(addressChanges)
    .where(
      and(
        eq(addressChanges.accountId, accountId),
        eq(addressChanges.state, "changed"),
        gt(addressChanges.revertExpiresAt, now),
      ),
    )
    .orderBy(desc(changedAt))
    .limit(1);
});

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** The address is reserved for another account. An account may take back its own former address. */
function addressIsHeld(canonical: string, now: number, accountId: AccountId | null = null): SQL {
  return sql`exists (select 1 from ${addressChanges}
    where from_canonical = ${canonical} and state = 'changed' and revert_expires_at > ${now} and account_id is not ${accountId})`;
}

/**
 * Sign-up is allowed: the address has an account (which is signed in to), or isn't reserved. For the WHERE of the statement that uses up
 * the code.
 */
export function addressMaySignUp(canonical: string, now: number): SQL {
  return sql`(exists (select 1 from ${accounts} where email_canonical = ${canonical}) or not ${addressIsHeld(canonical, now)})`;
}

/**
 * The account may change its address now: it is active, still has the address that was read, this browser's session is active and was
 * proven after `provenAfter`, and the new address has no account and isn't reserved for another. For the WHERE of the statement that uses
 * up the code, so that a code is used up exactly when the address changes.
 */
export function addressMayChange(change: {
  accountId: AccountId;
  from: string;
  to: EmailAddress;
  sessionId: SessionId;
  provenAfter: number;
  now: number;
}): SQL {
  return sql`exists (select 1 from ${accounts} where id = ${change.accountId} and state = 'active' and email = ${change.from})
    and exists (
      select 1 from ${sessions} where id = ${change.sessionId} and account_id = ${change.accountId} and state = 'active'
        and proven_at > ${change.provenAfter})
    and not exists (select 1 from ${accounts} where email_canonical = ${change.to.canonical})
    and not ${addressIsHeld(change.to.canonical, change.now, change.accountId)}`;
}

type NewAddressChange = {
  id: AddressChangeId;
  accountId: AccountId;
  to: EmailAddress;
  revertHash: string;
  changedAt: number;
  revertExpiresAt: number;
};

/** Adds the change and changes the account's address, if `guard` holds. */
export function addAddressChange(db: Database, change: NewAddressChange, guard: SQL) {
  return [
    statement(
      db,
      sql`
      insert into ${addressChanges} (id, account_id, state, from_email, from_canonical, to_email, to_canonical, revert_hash,
        changed_at, revert_expires_at)
      select ${change.id}, id, 'changed', email, email_canonical, ${change.to.original}, ${change.to.canonical},
        ${change.revertHash}, ${change.changedAt}, ${change.revertExpiresAt}
      from ${accounts} where id = ${change.accountId} and ${guard}`,
    ),
    statement(
      db,
      sql`
      update ${accounts} set email = ${change.to.original}, email_canonical = ${change.to.canonical}, mailbox_hashed_at = null
      where id = ${change.accountId} and ${guard}`,
    ),
  ] as const;
}

export type Revert = {
  changeId: AddressChangeId;
  accountId: AccountId;
  /** The account's current address. */
  from: string;
  /** The activity-log row, with the time that every row of the batch gets. */
  line: ActivityFacts;
  device: string;
  country: string | null;
};

/**
 * Reverts a change, once: marks its row and logs an activity under this attempt's id. Later statements of the batch check that id
 * (`addressReverted`) to learn that this attempt won.
 */
export function startRevert(db: Database, revert: Revert) {
  const { line, accountId, device, country } = revert;
  return [
    statement(
      db,
      sql`
      update ${addressChanges} set state = 'reverted', reverted_at = ${line.now}
      where id = ${revert.changeId} and state = 'changed' and revert_expires_at > ${line.now}
        and exists (select 1 from ${accounts} where id = ${revert.accountId} and email = ${revert.from} and state <> 'erased')
        and not exists (
          select 1 from ${accounts} where email_canonical = ${addressChanges.fromCanonical} and id <> ${revert.accountId})`,
    ),
    addActivityOf(db, { ...line, accountId, device, country }, justChanged),
  ] as const;
}

export function addressReverted(revert: Revert): SQL {
  return sql`exists (select 1 from ${activities} where id = ${revert.line.id})`;
}

/** What else a revert undoes, if `guard` holds: the address, later changes, and passkeys added since shortly before the change. */
export function undoChange(db: Database, { changeId, accountId }: Revert, guard: SQL) {
  const reverted = sql`(select * from ${addressChanges} where id = ${changeId}) as reverted`;
  return [
    statement(
      db,
      sql`
      update ${accounts} set email = reverted.from_email, email_canonical = reverted.from_canonical, mailbox_hashed_at = null
      from ${reverted} where accounts.id = ${accountId} and ${guard}`,
    ),
    // The rowid orders two changes of the same millisecond.
    statement(
      db,
      sql`
      update ${addressChanges} set state = 'overtaken'
      where account_id = ${accountId} and state = 'changed' and ${guard}
        and (changed_at, rowid) > (select changed_at, rowid from ${addressChanges} where id = ${changeId})`,
    ),
    // Written here although `passkeys` is a later module: an attacker's passkey has to be removed in the same batch.
    statement(
      db,
      sql`
      delete from ${passkeys} where account_id = ${accountId} and ${guard}
        and created_at > (select changed_at - ${doubtBeforeChangeMs} from ${addressChanges} where id = ${changeId})`,
    ),
  ] as const;
}
