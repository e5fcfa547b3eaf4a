import type { ConsumerId, AccountId, PasskeyId } from "#app/core/id.ts";
import { and, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { passkeys, usedChallenges } from "./schema.ts";
import { type CredentialId, type Passkey, passkeysMax } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export const listPasskeys = prepared((db: Database, accountId: AccountId) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id))
    .limit(passkeysMax),
);

/** A passkey with its owner; none if the account was erased. */
export function findPasskey(db: Database, credentialId: CredentialId) {
  return db
    .select({ passkey: passkeys, emailCanonical: accounts.emailCanonical })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(and(eq(passkeys.credentialId, credentialId), ne(accounts.state, "erased")));
}

export function findOwnPasskey(db: Database, id: PasskeyId, accountId: AccountId) {
  return db
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.accountId, accountId)));
}

export function findUsedChallenge(db: Database, challengeHash: string) {
  return db
    .select({ consumerId: usedChallenges.consumerId })
    .from(usedChallenges)
    .where(eq(usedChallenges.challengeHash, challengeHash));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** One attempt with one challenge. */
export type Attempt = { challengeHash: string; consumerId: ConsumerId; now: number };

/** Uses the challenge up for one attempt, if all guards hold. Later statements of the batch check `challengeConsumed`. */
export function consumeChallenge(db: Database, attempt: Attempt, ...guards: SQL[]) {
  return statement(
    db,
    sql`
    insert into ${usedChallenges} (challenge_hash, consumer_id, used_at)
    select ${attempt.challengeHash}, ${attempt.consumerId}, ${attempt.now} where ${sql.join([sql`true`, ...guards], sql` and `)}
    on conflict do nothing`,
  );
}

export function challengeConsumed(attempt: Attempt): SQL {
  return sql`exists (
    select 1 from ${usedChallenges} where challenge_hash = ${attempt.challengeHash} and consumer_id = ${attempt.consumerId})`;
}

/** The passkey exists, its counter increases, and its owner still has this address: for the WHERE of a sign-in. */
export function passkeyFits(passkey: { id: PasskeyId; emailCanonical: string }, counter: number): SQL {
  return sql`exists (
    select 1 from ${passkeys} p join ${accounts} a on a.id = p.account_id
    where p.id = ${passkey.id} and a.email_canonical = ${passkey.emailCanonical} and a.state <> 'erased'
      and (p.counter < ${counter} or (p.counter = 0 and ${counter} = 0)))`;
}

/** The credential is new, its account has room for one more, and `guard` holds. */
export function hasRoom(accountId: AccountId, credentialId: CredentialId, guard: SQL): SQL {
  return sql`${guard} and not exists (select 1 from ${passkeys} where credential_id = ${credentialId})
    and (select count(*) from ${passkeys} where account_id = ${accountId}) < ${passkeysMax}`;
}

export function addPasskeyRow(db: Database, passkey: Omit<Passkey, "lastUsedAt">, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${passkeys} (id, account_id, credential_id, public_key, counter, transports, name, provider, created_at)
    select ${passkey.id}, ${passkey.accountId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${JSON.stringify(passkey.transports)}, ${passkey.name}, ${passkey.provider}, ${passkey.createdAt}
    where ${guard}`,
  );
}

export function changeUse(db: Database, use: { id: PasskeyId; counter: number; now: number }, guard: SQL) {
  return statement(
    db,
    sql`update ${passkeys} set counter = ${use.counter}, last_used_at = ${use.now} where id = ${use.id} and ${guard}`,
  );
}

export function removePasskeyRow(db: Database, id: PasskeyId, accountId: AccountId, guard: SQL) {
  return db.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.accountId, accountId), guard));
}
