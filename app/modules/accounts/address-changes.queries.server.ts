import { and, desc, eq, gt, lt, ne, type SQL, sql } from "drizzle-orm";
import { type Database, justChanged, statement } from "#app/db/client.server.ts";
import { passkeys } from "#app/modules/passkeys/schema.ts";
import { addressChanges } from "./addresses.schema.ts";
import { accounts, activities, sessions } from "./schema.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import type { ActivityFacts } from "./activities.rules.ts";
import { addActivityOf } from "./activities.queries.server.ts";
import { type AddressChange, changeKeptMs, doubtBeforeChangeMs } from "./address-change.rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** The change that a mailed link is about, with the account as it is now. */
export function findAddressChange(db: Database, revertHash: string) {
  return db
    .select({ change: addressChanges, account: accounts })
    .from(addressChanges)
    .innerJoin(accounts, eq(accounts.id, addressChanges.accountId))
    .where(and(eq(addressChanges.revertHash, revertHash), ne(accounts.state, "gone")));
}

/**
 * The change away from an address that holds it for an account: it can be taken back still. The newest of several. Each column has
 * a name of its own, since in a batch those of two tables would be taken for one.
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

export function readAddressChange(row: typeof addressChanges.$inferSelect): AddressChange {
  // The table's CHECK holds the state.
  return { ...row, state: row.state as AddressChange["state"] };
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** Held for another account than this one, which may have its own former address again. */
function addressIsHeld(canonical: string, now: number, accountId: string | null = null): SQL {
  return sql`exists (select 1 from ${addressChanges}
    where from_canonical = ${canonical} and state = 'changed' and revert_expires_at > ${now} and account_id is not ${accountId})`;
}

/** Signing up may go on: the address has an account, which it signs in to, or is held for none. Stands in the WHERE of the claim. */
export function addressMaySignUp(canonical: string, now: number): SQL {
  return sql`(exists (select 1 from ${accounts} where email_canonical = ${canonical}) or not ${addressIsHeld(canonical, now)})`;
}

/**
 * The account that asked may still change: it is active, its address is the one that was read, this browser's session lives and was
 * proven after `provenAfter`, nobody has the new address, and it is held for nobody else. Stands in the WHERE of the claim, so that
 * a code is used up exactly when the address changes.
 */
export function addressMayChange(change: {
  accountId: string;
  from: string;
  to: EmailAddress;
  sessionId: string;
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
  id: string;
  accountId: string;
  to: EmailAddress;
  revertHash: string;
  changedAt: number;
  revertExpiresAt: number;
};

/** Notes the change and makes it, when `guard` holds. */
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
      update ${accounts} set email = ${change.to.original}, email_canonical = ${change.to.canonical}, mailbox_marked_at = null
      where id = ${change.accountId} and ${guard}`,
    ),
  ] as const;
}

export type Revert = {
  changeId: string;
  accountId: string;
  /** The address that the account has, and loses. */
  from: string;
  /** The line in the log; its moment is that of everything. */
  line: ActivityFacts;
  device: string;
  place: string | null;
};

/**
 * Takes a change back, once: the row says so, and the log has a line by this attempt's own name, by which everything that follows
 * in the batch knows that it was this one (`addressReverted`).
 */
export function claimRevert(db: Database, revert: Revert) {
  const { line, accountId, device, place } = revert;
  return [
    statement(
      db,
      sql`
      update ${addressChanges} set state = 'reverted', reverted_at = ${line.now}
      where id = ${revert.changeId} and state = 'changed' and revert_expires_at > ${line.now}
        and exists (select 1 from ${accounts} where id = ${revert.accountId} and email = ${revert.from} and state <> 'gone')
        and not exists (
          select 1 from ${accounts} where email_canonical = ${addressChanges.fromCanonical} and id <> ${revert.accountId})`,
    ),
    addActivityOf(db, { ...line, accountId, device, place }, justChanged),
  ] as const;
}

export function addressReverted(revert: Revert): SQL {
  return sql`exists (select 1 from ${activities} where id = ${revert.line.id})`;
}

/** What a change that is taken back takes with it, when `guard` holds: the address, later changes, and young passkeys. */
export function undoChange(db: Database, { changeId, accountId }: Revert, guard: SQL) {
  const reverted = sql`(select * from ${addressChanges} where id = ${changeId}) as reverted`;
  return [
    statement(
      db,
      sql`
      update ${accounts} set email = reverted.from_email, email_canonical = reverted.from_canonical, mailbox_marked_at = null
      from ${reverted} where accounts.id = ${accountId} and ${guard}`,
    ),
    // Two changes of one millisecond are told apart by the order in which they were written.
    statement(
      db,
      sql`
      update ${addressChanges} set state = 'overtaken'
      where account_id = ${accountId} and state = 'changed' and ${guard}
        and (changed_at, rowid) > (select changed_at, rowid from ${addressChanges} where id = ${changeId})`,
    ),
    // The passkeys' own module is a later one, and this has to be in the same batch: a thief's key must not outlive the rest.
    statement(
      db,
      sql`
      delete from ${passkeys} where account_id = ${accountId} and ${guard}
        and created_at > (select changed_at - ${doubtBeforeChangeMs} from ${addressChanges} where id = ${changeId})`,
    ),
  ] as const;
}

/** For the sweep: changes that nobody can take back, and whose links need no honest answer any more. */
export function removeOldAddressChanges(db: Database, now: number) {
  return db.delete(addressChanges).where(lt(addressChanges.changedAt, now - changeKeptMs));
}
