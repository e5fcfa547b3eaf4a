import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { accounts, entries, orders } from "#app/db/schema.ts";
import { statesBefore } from "./rules.ts";

/**
 * The owner of an entry has what it waited for: an account of that address, or an order of that plan which was paid since it began
 * to wait. Stands in a WHERE about `entries`.
 */
export const hasJoined: SQL = sql`exists (
  select 1 from ${accounts} owner where owner.email_canonical = ${entries.emailCanonical} and owner.state <> 'gone'
    and (${entries.gate} = 'signup' or exists (
      select 1 from ${orders} bought where bought.account_id = owner.id and 'plan:' || bought.plan_id = ${entries.gate}
        and bought.paid_at >= ${entries.createdAt})))`;

/** Money for it is on its way. */
export const isPaying: SQL = sql`exists (
  select 1 from ${accounts} owner join ${orders} bought on bought.account_id = owner.id
  where owner.email_canonical = ${entries.emailCanonical} and 'plan:' || bought.plan_id = ${entries.gate}
    and bought.state in ('processing', 'needs-action'))`;

const mayJoin = inArray(entries.state, statesBefore("joined"));

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** Who has come in, and wasn't told so. */
export function listUntoldJoined(db: Database, limit: number) {
  return db
    .select()
    .from(entries)
    .where(and(eq(entries.state, "joined"), isNull(entries.toldAt)))
    .limit(limit);
}

/** Who still waits, whatever for, and wasn't told that the doors are open. */
export function listUntoldWaiting(db: Database, limit: number) {
  return db
    .select()
    .from(entries)
    .where(and(mayJoin, isNull(entries.toldAt)))
    .limit(limit);
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** What an account waited for and has now. */
export function joinOfAccount(db: Database, accountId: string, now: number) {
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  return db
    .update(entries)
    .set({ state: "joined", joinedAt: now })
    .where(and(sql`${entries.emailCanonical} = ${address}`, mayJoin, hasJoined))
    .returning();
}

/** One entry, where its owner has what it waited for. */
export function changeToJoined(db: Database, id: string, now: number) {
  return db
    .update(entries)
    .set({ state: "joined", joinedAt: now })
    .where(and(eq(entries.id, id), mayJoin, hasJoined));
}

/** The last mail about an entry is written in the same batch, once. */
export function changeToTold(db: Database, id: string, says: "joined" | "doors-open", now: number) {
  const stands = says === "joined" ? sql`state = 'joined'` : mayJoin;
  return statement(db, sql`update ${entries} set told_at = ${now} where id = ${id} and told_at is null and ${stands}`);
}
