import { statesBefore } from "#app/core/states-before.ts";
import type { AccountId, EntryId } from "#app/core/id.ts";
import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { entries } from "./schema.ts";
import { entryStates, entryTransitions } from "./rules.ts";

/**
 * The owner of an entry has what it waited for: an account with that address, or a paid order of that plan since the entry began to wait.
 * Stripe's times are in seconds: an order created since then counts by its own time. For a WHERE about `entries`.
 */
export const hasJoined: SQL = sql`exists (
  select 1 from ${accounts} owner where owner.email_canonical = ${entries.emailCanonical} and owner.state <> 'erased'
    and (${entries.gate} = 'signup' or exists (
      select 1 from ${orders} bought where bought.account_id = owner.id and 'plan:' || bought.plan_id = ${entries.gate}
        and max(bought.created_at, bought.paid_at) >= ${entries.createdAt})))`;

/** The owner's payment for what the entry waits for is processing, or may be. */
export const isPaying: SQL = sql`exists (
  select 1 from ${accounts} owner join ${orders} bought on bought.account_id = owner.id
  where owner.email_canonical = ${entries.emailCanonical} and 'plan:' || bought.plan_id = ${entries.gate}
    and (bought.state in ('processing', 'needs-action') or bought.unconfirmed_until is not null))`;

/** The owner had the plan and it has ended. A closed account has to be restored first. */
const hadPlanThatEnded: SQL = sql`(${entries.state} = 'joined' and not ${isPaying} and exists (
  select 1 from ${accounts} owner where owner.email_canonical = ${entries.emailCanonical} and owner.state = 'active'
    and ${entries.gate} <> 'signup' and not exists (
      select 1 from ${subscriptions} held where held.account_id = owner.id and 'plan:' || held.plan_id = ${entries.gate}
        and held.state <> 'ended')))`;

export const mayJoin = inArray(entries.state, statesBefore(entryStates, entryTransitions, "joined"));

// Reads ---------------------------------------------------------------------------------------------------------------

/** The entry, if its owner may start again. */
export function findEnded(db: Database, entryHash: string) {
  return db
    .select({ id: entries.id })
    .from(entries)
    .where(and(eq(entries.entryHash, entryHash), hadPlanThatEnded));
}

/** What an account waited for and has now, if that isn't stored or emailed yet. */
export function listJoining(db: Database, accountId: AccountId) {
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  const isNotEmailed = and(eq(entries.state, "joined"), isNull(entries.toldAt));
  return db
    .select()
    .from(entries)
    .where(and(sql`${entries.emailCanonical} = ${address}`, or(and(mayJoin, hasJoined), isNotEmailed)));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Marks the entry as joined, if its owner has what it waited for. */
export function changeToJoined(db: Database, id: EntryId, now: number) {
  return db
    .update(entries)
    .set({ state: "joined", joinedAt: now })
    .where(and(eq(entries.id, id), mayJoin, hasJoined));
}

/** Notes that the last email about an entry was queued, which happens once, in the same batch. */
export function changeToInformed(db: Database, id: EntryId, kind: "joined" | "doors-open", now: number) {
  const guard = kind === "joined" ? sql`state = 'joined'` : mayJoin;
  return statement(db, sql`update ${entries} set told_at = ${now} where id = ${id} and told_at is null and ${guard}`);
}

/**
 * Starts again at the end of `gate`'s queue, with the same links. Friends referred before still count, and so does the entry for its
 * referrer.
 */
export function changeToBegun(db: Database, entryHash: string, gate: string, now: number) {
  const next = sql`(select coalesce(max(number), 0) + 1 from ${entries} other where other.gate = ${gate})`;
  return statement(
    db,
    sql`
    update ${entries} set state = 'waiting', number = ${next}, sort_number = ${next} - (number - sort_number), created_at = ${now},
      confirmed_at = ${now}, joined_at = null, missed = 0, looks = null, told_at = null, returned = null
    where entry_hash = ${entryHash} and gate = ${gate} and ${hadPlanThatEnded}`,
  );
}
