import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { addressChanges, formerAddresses } from "#app/modules/accounts/addresses.schema.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { ledgerLines } from "#app/modules/billing/credit/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { webhookEvents } from "#app/modules/billing/sync/inbox.schema.ts";
import { customers, subscriptions, unclaimedCustomers } from "#app/modules/billing/subscriptions/schema.ts";
import type { SearchTerm } from "./find.rules.ts";

const { id, email, name, state } = accounts;

/** What an operator sees to choose between several matches. */
export const match = { id, email, name, state };

type Found = Exclude<SearchTerm, { kind: "address" | "name" | "payment" | "feature" }>;

/** The account that something belongs to. */
export function findAccountBy(db: Database, wanted: Found) {
  return db
    .select(match)
    .from(accounts)
    .where(eq(accounts.id, ownerOf(wanted)));
}

function ownerOf(wanted: Found): SQL {
  if (wanted.kind === "number") {
    const { year, inYear } = wanted;
    return sql`(select account_id from ${orders} where number_year = ${year} and number_in_year = ${inYear})`;
  }
  const { id } = wanted;
  switch (wanted.kind) {
    case "account":
      return sql`${id}`;
    case "order":
      return sql`(select account_id from ${orders} where id = ${id})`;
    case "customer":
      // Or the one with the address of a customer that belongs to none.
      return sql`(select account_id from ${customers} where provider_id = ${id}
        union select account_id from ${unclaimedCustomers} where provider_id = ${id})`;
    case "subscription":
      return sql`(select account_id from ${subscriptions} where id = ${id})`;
    case "invoice":
      return sql`(select account_id from ${orders} where invoice_id = ${id})`;
    case "checkout":
      return sql`(select account_id from ${orders} where checkout_id = ${id})`;
    case "event":
      return sql`(select account_id from ${customers} where provider_id = (
        select customer_id from ${webhookEvents} where id = ${id}))`;
    case "credit":
      return sql`(select account_id from ${ledgerLines} where provider_id = ${id})`;
  }
}

/** Accounts that had this address, which no account has now. */
export function listByFormerAddress(db: Database, { canonical, hash }: { canonical: string; hash: string }) {
  const former = sql`select account_id from ${formerAddresses} where address_hash = ${hash}`;
  const changed = sql`select account_id from ${addressChanges} where from_canonical = ${canonical}`;
  return db
    .select(match)
    .from(accounts)
    .where(sql`${accounts.id} in (${former} union ${changed})`);
}

export function listAccount(db: Database, canonical: string) {
  return db.select(match).from(accounts).where(eq(accounts.emailCanonical, canonical));
}

/** Accounts that a subquery of ids finds. */
export function listOwners(db: Database, ids: SQL) {
  return db
    .select(match)
    .from(accounts)
    .where(sql`${accounts.id} in ${ids}`);
}
