import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { budgetUses, codes, knownBrowsers, wrongStreaks } from "#app/db/schema.ts";

/** What of a person stands in this room: requests that live a day, and hashes. Nothing to take along. ---------------------- */

export function listKnownBrowsers(db: Database, addressHash: string) {
  return db
    .select({ browserHash: knownBrowsers.browserHash })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.addressHash, addressHash));
}

/** To be erased, when `guard` holds ------------------------------------------------------------------------------------- */

export function removeCodes(db: Database, owner: { accountId: string; address: string }, guard: SQL) {
  const { accountId, address } = owner;
  return statement(
    db,
    sql`delete from ${codes} where (address = ${address} or account_id = ${accountId}) and ${guard}`,
  );
}

/** The names go in as one list of JSON: a statement takes a hundred parameters, and a person may have more browsers. */
export function removeBudgets(db: Database, budgets: string[], guard: SQL) {
  const names = sql`(select value from json_each(${JSON.stringify(budgets)}))`;
  return [budgetUses, wrongStreaks].map((table) =>
    statement(db, sql`delete from ${table} where budget in ${names} and ${guard}`),
  );
}

export function forgetBrowsers(db: Database, addressHash: string, guard: SQL) {
  return statement(db, sql`delete from ${knownBrowsers} where address_hash = ${addressHash} and ${guard}`);
}
