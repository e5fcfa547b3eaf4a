import type { AccountId } from "#app/core/id.ts";
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import type { Recipient, Unsubscription } from "./unsubscribe.rules.ts";

/** The canonical address of an account or of an entry. */
const addressOf = (
  recipient: Recipient,
) => sql`coalesce((select email_canonical from ${accounts} where id = ${recipient}),
  (select email_canonical from ${entries} where id = ${recipient}))`;

/**
 * Stops emails about a subject, once. Those about the waitlist stop for every entry of the address; each keeps its place, and isn't invited
 * until its owner asks. An email that came back as spam stays that.
 */
export function unsubscribe(db: Database, { subject, recipient }: Unsubscription): Statement {
  if (subject === "waitlist")
    return db
      .update(entries)
      .set({ returned: "unsubscribed" })
      .where(
        and(
          sql`${entries.emailCanonical} = ${addressOf(recipient)}`,
          or(isNull(entries.returned), eq(entries.returned, "bounced")),
        ),
      );
  return statement(
    db,
    sql`update ${accounts} set emails_off = json_insert(emails_off, '$[#]', ${subject}) where id = ${recipient} and state <> 'erased'
      and not exists (select 1 from json_each(emails_off) off where off.value = ${subject})`,
  );
}

/** A row if emails about the subject are stopped. */
export function findUnsubscribed(db: Database, { subject, recipient }: Unsubscription) {
  const isOff =
    subject === "waitlist"
      ? sql`exists (select 1 from ${entries} where email_canonical = ${addressOf(recipient)} and returned in ('unsubscribed', 'complained'))`
      : sql`exists (select 1 from ${accounts}, json_each(${accounts.emailsOff}) off where ${accounts.id} = ${recipient} and off.value = ${subject})`;
  return db.all<{ isOff: number }>(sql`select 1 as isOff where ${isOff}`);
}

/** A row if the owner of an account has a place on the waitlist and unsubscribed from emails about it. */
export function findUnsubscribedEntry(db: Database, accountId: AccountId) {
  return db
    .select({ id: entries.id })
    .from(entries)
    .where(
      and(
        sql`${entries.emailCanonical} = ${addressOf(accountId)}`,
        eq(entries.returned, "unsubscribed"),
        inArray(entries.state, ["waiting", "invited", "resting"]),
      ),
    )
    .limit(1);
}
