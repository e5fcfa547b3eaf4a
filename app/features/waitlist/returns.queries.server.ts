import type { AccountId, EntryId } from "#app/core/id.ts";
import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import type { EmailReturnKind } from "#app/modules/email/rules.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries } from "./schema.ts";

/** Of the entries of an address, at every gate: what its emails are stored under. */
export function idsAt(address: SQL): SQL {
  return sql`select id from ${entries} where email_canonical = ${address}`;
}

/** The canonical address of an account or of an entry. */
const addressOf = (
  recipient: AccountId | EntryId,
) => sql`coalesce((select email_canonical from ${accounts} where id = ${recipient}),
  (select email_canonical from ${entries} where id = ${recipient}))`;

/** Stops emails that nobody asked for to the entries of an address, if `guard` holds. */
export function changeToReturned(db: Database, address: string, kind: EmailReturnKind, guard: SQL) {
  const isNews = kind === "complained" ? undefined : isNull(entries.returned);
  return db
    .update(entries)
    .set({ returned: kind })
    .where(and(eq(entries.emailCanonical, address), isNews, guard));
}

/**
 * Stops them at their owner's wish, once. Each entry of the address keeps its place, and isn't invited until its owner asks. An email that
 * came back as spam stays that.
 */
export function unsubscribeEntries(db: Database, recipient: AccountId | EntryId) {
  return db
    .update(entries)
    .set({ returned: "unsubscribed" })
    .where(
      and(
        sql`${entries.emailCanonical} = ${addressOf(recipient)}`,
        or(isNull(entries.returned), eq(entries.returned, "bounced")),
      ),
    );
}

/** A row if they are stopped. */
export function findUnsubscribed(db: Database, recipient: AccountId | EntryId) {
  return db.all<{ isOff: number }>(
    sql`select 1 as isOff where exists (select 1 from ${entries} where email_canonical = ${addressOf(recipient)} and returned in ('unsubscribed', 'complained'))`,
  );
}

/** A row if the owner of an account has a place on the waitlist and unsubscribed from emails about it. */
export function findUnsubscribedEntry(db: Database, id: AccountId) {
  return db
    .select({ id: entries.id })
    .from(entries)
    .where(
      and(
        sql`${entries.emailCanonical} = ${addressOf(id)}`,
        eq(entries.returned, "unsubscribed"),
        inArray(entries.state, ["waiting", "invited", "resting"]),
      ),
    )
    .limit(1);
}
