import type { AccountId } from "#app/core/id.ts";
import { asc, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { App } from "#app/app.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { codes } from "#app/modules/accounts/codes/schema.ts";
import { emails } from "./schema.ts";

type Reader = Pick<App, "db" | "hooks">;

/**
 * Export: the emails to this account, to what else has its address, and those with a code to its own address within the last day (codes to
 * other addresses would reveal whether these have an account). Erasure: what the service said of them; the content is encrypted, and wiped
 * once it was sent or failed.
 */
export function listOwnEmails({ db, hooks }: Reader, accountId: AccountId) {
  const { template, state, createdAt, sentAt, returned, returnedAt } = emails;
  return db
    .select({ template, state, createdAt, sentAt, returned, returnedAt })
    .from(emails)
    .where(isOwnEmail(hooks, accountId))
    .orderBy(asc(createdAt));
}

/** The newest of these emails, with their ids, for operators who are asked where an email is. */
export function listNewestEmails({ db, hooks }: Reader, accountId: AccountId) {
  const { id, template, state, tries, createdAt, nextTryAt, sentAt, refusal, returned, returnedAt } = emails;
  return db
    .select({ id, template, state, tries, createdAt, nextTryAt, sentAt, refusal, returned, returnedAt })
    .from(emails)
    .where(isOwnEmail(hooks, accountId))
    .orderBy(desc(createdAt));
}

function isOwnEmail(hooks: Reader["hooks"], accountId: AccountId) {
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  return or(
    eq(emails.recipientId, accountId),
    ...hooks.flatMap(({ recipientsAt }) =>
      recipientsAt ? inArray(emails.recipientId, sql`(${recipientsAt(address)})`) : [],
    ),
    // A code for a sign-up is sent before there is an account.
    inArray(emails.id, sql`(select email_id from ${codes} where address = ${address})`),
  );
}

/** What the email service said of the emails to an erased account, and by which id it knows them. */
export function eraseServiceReports(db: Database, accountId: AccountId, guard: SQL) {
  return statement(
    db,
    sql`
      update ${emails} set refusal = null, quota_until = null, service_id = null, returned = null, returned_at = null
      where recipient_id = ${accountId} and ${guard}`,
  );
}
