import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { entries } from "./schema.ts";

type Address = { original: string; canonical: string };

const isOver = sql`('pending', 'left')`;

/**
 * Moves waitlist entries, which are stored by address, to the account's new address, if `guard` holds. An unconfirmed or abandoned entry of
 * the new address is removed for them; any other stays, and the old one stays where it is.
 */
export function transferEntries(db: Database, from: string, to: Address, guard: SQL) {
  return [
    statement(
      db,
      sql`
      delete from ${entries} where email_canonical = ${to.canonical} and state in ${isOver} and ${guard} and exists (
        select 1 from ${entries} own
        where own.gate = entries.gate and own.email_canonical = ${from} and own.state not in ${isOver})`,
    ),
    statement(
      db,
      sql`
      update or ignore ${entries} set email = ${to.original}, email_canonical = ${to.canonical},
        mailbox = ${mailboxOf(to.canonical)}, returned = null
      where email_canonical = ${from} and state not in ${isOver} and ${guard}`,
    ),
  ] as const;
}
