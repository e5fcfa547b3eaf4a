import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import type { App, OptionalEmails } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import type { Unsubscription } from "#app/modules/email/unsubscribe.rules.ts";
import { accounts } from "./schema.ts";

/** Stops the optional emails of the account that has the address, if `guard` holds. Its owner can switch them on again. */
export function stopOptionalEmails(db: Database, address: string, guard: SQL) {
  return db
    .update(accounts)
    .set({ emailsOff: [...emailKinds] })
    .where(and(eq(accounts.emailCanonical, address), guard));
}

function optionalEmailsOf({ hooks }: Pick<App, "hooks">, subject: string): OptionalEmails | null {
  return hooks.find(({ optionalEmails }) => optionalEmails?.subject === subject)?.optionalEmails ?? null;
}

/** Stops what an email's link stops, once. */
export function unsubscribe(app: Pick<App, "db" | "hooks">, { subject, recipient }: Unsubscription): Statement {
  return optionalEmailsOf(app, subject)?.stop(app.db, recipient) ?? stopEmailsOfKind(app.db, recipient, subject);
}

/** A row if the emails of the link are stopped. */
export function findUnsubscribed(app: Pick<App, "db" | "hooks">, { subject, recipient }: Unsubscription) {
  return optionalEmailsOf(app, subject)?.findStopped(app.db, recipient) ?? findKindOff(app.db, recipient, subject);
}

function stopEmailsOfKind(db: Database, id: string, kind: string) {
  return statement(
    db,
    sql`update ${accounts} set emails_off = json_insert(emails_off, '$[#]', ${kind}) where id = ${id} and state <> 'erased'
      and not exists (select 1 from json_each(emails_off) off where off.value = ${kind})`,
  );
}

function findKindOff(db: Database, id: string, kind: string) {
  return db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      sql`${accounts.id} = ${id} and exists (select 1 from json_each(${accounts.emailsOff}) off where off.value = ${kind})`,
    );
}
