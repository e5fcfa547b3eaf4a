import type { AccountId, SessionId } from "#app/core/id.ts";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "./schema.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import type { EmailKind } from "#app/modules/email/rules.ts";
import { sessionIsActive } from "./sessions.queries.server.ts";

export function findAccountByAddress(db: Database, canonical: string) {
  return db.select().from(accounts).where(eq(accounts.emailCanonical, canonical));
}

export function findAccount(db: Database, id: AccountId | SQL) {
  return db.select().from(accounts).where(eq(accounts.id, id));
}

type NewAccount = {
  id: AccountId;
  address: EmailAddress;
  locale: string;
  timeZone: string;
  termsVersion: string;
  now: number;
};

/** Adds the account if `guard` holds and the address has none: two simultaneous proofs of one address create one account. */
export function addAccount(db: Database, account: NewAccount, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${accounts} (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
    select ${account.id}, 'active', ${account.address.original}, ${account.address.canonical}, ${account.locale},
      ${account.timeZone}, ${account.termsVersion}, ${account.now}
    where ${guard}
    on conflict (email_canonical) do nothing`,
  );
}

/** An account has this address, and `guard` holds. */
export function addressHasAccount(canonical: string, guard: SQL): SQL {
  return sql`exists (select 1 from ${accounts} where email_canonical = ${canonical} and state <> 'erased') and ${guard}`;
}

export function accountHasAddress(id: AccountId, canonical: string): SQL {
  return sql`exists (select 1 from ${accounts} where id = ${id} and email_canonical = ${canonical} and state <> 'erased')`;
}

/** The domain of an account's address, as the index `accounts_of_domain` has it. */
export function domainOf(account: SQL): SQL {
  return sql`substr(${account}.email_canonical, instr(${account}.email_canonical, '@') + 1)`;
}

/** The account exists; for statements that depend on its having just been added. */
export function accountExists(id: AccountId): SQL {
  return sql`exists (select 1 from ${accounts} where id = ${id})`;
}

export function accountIsMissing(id: AccountId): SQL {
  return sql`not ${accountExists(id)}`;
}

export function changeAccountProfile(
  db: Database,
  session: { id: SessionId; accountId: AccountId },
  profile: { name: string | null; locale: string | undefined; timeZone: string },
) {
  return db
    .update(accounts)
    .set(profile)
    .where(and(eq(accounts.id, session.accountId), eq(accounts.state, "active"), sessionIsActive(session)));
}

export function changeEmailsOff(
  db: Database,
  session: { id: SessionId; accountId: AccountId },
  emailsOff: EmailKind[],
) {
  return db
    .update(accounts)
    .set({ emailsOff })
    .where(and(eq(accounts.id, session.accountId), eq(accounts.state, "active"), sessionIsActive(session)));
}
