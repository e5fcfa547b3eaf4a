import type { EntryId } from "#app/core/id.ts";
import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { addTouch } from "#app/modules/referrals/attribution.queries.server.ts";
import { entries } from "./schema.ts";
import { countedStates } from "./queue.rules.ts";
import { type Referrers, friendsPerNetworkMax, networkRetentionMs } from "./rules.ts";

/** The effects of a confirmed link: statements that a command runs in one batch. */

type Confirmation = {
  confirmHash: string;
  referrers: Referrers;
  /** Hash of the confirming network. Null if that is unknown. */
  networkHash: string | null;
  now: number;
};

/**
 * The address is proven: the entry waits from now on, once, and the owner of the share code becomes its referrer. A second entry of one
 * mailbox doesn't count for the referrer before an operator has reviewed it, and neither does one of many from one network.
 */
export function confirmPending(db: Database, { confirmHash, referrers, networkHash, now }: Confirmation) {
  // Older links don't contain the referrer: the entry has it.
  const friend = sql`coalesce((
    select by.id from ${entries} by
    where by.share_code = ${referrers.ref} and by.gate = entries.gate and by.id <> entries.id and by.state in ${countedStates}
  ), entries.referrer_entry_id)`;
  const isSameMailbox = sql`exists (
    select 1 from ${entries} same
    where same.gate = entries.gate and same.mailbox = entries.mailbox and same.id <> entries.id and same.state in ${countedStates})`;
  const isOfCluster = sql`${countNear(friend, networkHash, now)} >= ${friendsPerNetworkMax}`;
  return statement(
    db,
    sql`
    update ${entries} set state = 'waiting', confirmed_at = ${now}, network_hash = ${networkHash}, referrer_entry_id = ${friend}, returned = null,
      review = case when ${friend} is not null and (${isSameMailbox} or ${isOfCluster}) then 'under-review' else review end
    where confirm_hash = ${confirmHash} and state = 'pending' and confirm_expires_at > ${now}`,
  );
}

/** The entry that exceeds the limit puts the earlier ones under review as well. */
function reviewCluster(db: Database, { confirmHash, networkHash, now }: Confirmation) {
  return statement(
    db,
    sql`
    update ${entries} set review = 'under-review'
    where network_hash = ${networkHash} and review = 'none' and state in ${countedStates} and confirmed_at > ${now - networkRetentionMs}
      and referrer_entry_id = (select mine.referrer_entry_id from ${entries} mine where mine.confirm_hash = ${confirmHash})
      and ${countNear(sql`entries.referrer_entry_id`, networkHash, now)} > ${friendsPerNetworkMax}`,
  );
}

/** Friends of one entry from one network, within a day. */
function countNear(friend: SQL, networkHash: string | null, now: number): SQL {
  return sql`(
    select count(*) from ${entries} near
    where near.referrer_entry_id = ${friend} and near.network_hash = ${networkHash} and near.state in ${countedStates}
      and near.confirmed_at > ${now - networkRetentionMs})`;
}

/** The entry that was just confirmed. */
function confirmed({ confirmHash, now }: Confirmation): SQL {
  return sql`select id from ${entries} where confirm_hash = ${confirmHash} and state = 'waiting' and confirmed_at = ${now}`;
}

/** All effects of a confirmed link, the entry's own first. */
export function confirmAll(db: Database, confirmation: Confirmation) {
  const { referrers, now } = confirmation;
  return [
    confirmPending(db, confirmation),
    reviewCluster(db, confirmation),
    addTouch(db, confirmed(confirmation), referrers.touch, now),
  ] as const;
}

export function changeMailboxes(db: Database, mailboxes: { id: EntryId; address: string; mailbox: string }[]) {
  return statement(
    db,
    sql`
    update ${entries} set mailbox = noted.value ->> 'mailbox' from json_each(${JSON.stringify(mailboxes)}) noted
    where ${entries.id} = noted.value ->> 'id' and email_canonical = noted.value ->> 'address'`,
  );
}
