import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { referralTouches } from "#app/modules/referrals/schema.ts";
import { entries } from "./schema.ts";
import { countedStates } from "./line.rules.ts";
import { type Brought, friendsPerNetworkMax, networkKeptMs } from "./rules.ts";

/** What a confirmed link does: prepared statements, run by an act in one batch. */

export type Confirmation = {
  confirmHash: string;
  brought: Brought;
  /** Of the network that confirms; null: nobody knows. */
  networkHash: string | null;
  now: number;
};

/**
 * The address is proven: from now on the entry waits, once, and whoever's link was confirmed brought it. A second place of one mailbox
 * moves no friend before an operator has looked at it, and neither does one of many from one network.
 */
export function confirmPending(db: Database, { confirmHash, brought, networkHash, now }: Confirmation) {
  // A link from before links said who brought: then the entry does.
  const friend = sql`coalesce((
    select by.id from ${entries} by
    where by.share_code = ${brought.ref} and by.gate = entries.gate and by.id <> entries.id and by.state in ${countedStates}
  ), entries.referrer_id)`;
  const isSameMailbox = sql`exists (
    select 1 from ${entries} same
    where same.gate = entries.gate and same.mailbox = entries.mailbox and same.id <> entries.id and same.state in ${countedStates})`;
  const isOfCluster = sql`${countNear(friend, networkHash, now)} >= ${friendsPerNetworkMax}`;
  return statement(
    db,
    sql`
    update ${entries} set state = 'waiting', confirmed_at = ${now}, network_hash = ${networkHash}, referrer_id = ${friend},
      review = case when ${friend} is not null and (${isSameMailbox} or ${isOfCluster}) then 'under-review' else review end
    where confirm_hash = ${confirmHash} and state = 'pending' and confirm_expires_at > ${now}`,
  );
}

/** With the one that is too many, those before it go to review as well. */
export function reviewCluster(db: Database, { confirmHash, networkHash, now }: Confirmation) {
  return statement(
    db,
    sql`
    update ${entries} set review = 'under-review'
    where network_hash = ${networkHash} and review = 'none' and state in ${countedStates} and confirmed_at > ${now - networkKeptMs}
      and referrer_id = (select mine.referrer_id from ${entries} mine where mine.confirm_hash = ${confirmHash})
      and ${countNear(sql`entries.referrer_id`, networkHash, now)} > ${friendsPerNetworkMax}`,
  );
}

/** Friends of one place from one network, within a day. */
function countNear(friend: SQL, networkHash: string | null, now: number): SQL {
  return sql`(
    select count(*) from ${entries} near
    where near.referrer_id = ${friend} and near.network_hash = ${networkHash} and near.state in ${countedStates}
      and near.confirmed_at > ${now - networkKeptMs})`;
}

/** Whose link to the product was opened before: with the entry that this link confirmed. The first one stays. */
export function keepTouch(db: Database, { confirmHash, brought, now }: Confirmation) {
  const { code = null, at = null } = brought.touch ?? {};
  return statement(
    db,
    sql`
    insert into ${referralTouches} (entry_id, code, touched_at)
    select id, ${code}, min(${at}, ${now}) from ${entries}
    where confirm_hash = ${confirmHash} and state = 'waiting' and confirmed_at = ${now} and ${code} is not null
    on conflict do nothing`,
  );
}

/** All of it, the entry first. */
export function confirmAll(db: Database, confirmation: Confirmation) {
  return [confirmPending(db, confirmation), reviewCluster(db, confirmation), keepTouch(db, confirmation)] as const;
}

/** For the sweep: what tells one network from another is kept for as long as it is counted. */
export function forgetNetworks(db: Database, now: number) {
  return statement(
    db,
    sql`
    update ${entries} set network_hash = null
    where network_hash is not null and confirmed_at <= ${now - networkKeptMs}`,
  );
}

/** For the sweep: entries from before their mailbox was noted. */
export function listWithoutMailbox(db: Database, limit: number) {
  return db
    .select({ id: entries.id, address: entries.emailCanonical })
    .from(entries)
    .where(sql`${entries.mailbox} is null`)
    .limit(limit);
}

export function noteMailboxes(db: Database, mailboxes: { id: string; address: string; mailbox: string }[]) {
  return statement(
    db,
    sql`
    update ${entries} set mailbox = noted.value ->> 'mailbox' from json_each(${JSON.stringify(mailboxes)}) noted
    where ${entries.id} = noted.value ->> 'id' and email_canonical = noted.value ->> 'address'`,
  );
}
