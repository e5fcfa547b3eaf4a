import type { AccountId, ReferralId } from "#app/core/id.ts";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { deletedAddresses } from "#app/modules/accounts/addresses.schema.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { quotaUses } from "#app/modules/accounts/codes/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { referralLinks, referrals, referralTouches } from "./schema.ts";
import { networkWindowMs, signUpsPerNetworkMax } from "./eligibility.rules.ts";
import type { VoidReason } from "./rules.ts";

/** What counts of the waitlist: its gates, and the states of entries. */
export type Queue = { gates: string[]; counted: readonly string[] };

// Reads ---------------------------------------------------------------------------------------------------------------

/**
 * Possible referrers of a new account, oldest first: by the link that was opened before joining the waitlist, by the entry it joined
 * with, and by the link of the sign-up. Closed and erased accounts can't refer.
 */
export function listReferrers(db: Database, friend: { friendId: AccountId; code: string }, queue: Queue, now: number) {
  const referrers = sql`(
    with place as (
      select e.id, e.referrer_entry_id, e.created_at from ${entries} e join ${accounts} mine on mine.id = ${friend.friendId}
      where e.gate in ${queue.gates} and e.email_canonical = mine.email_canonical and e.state in ${queue.counted}
        and e.created_at <= mine.created_at)
    select link.account_id as id, touch.touched_at as at from place
      join ${referralTouches} touch on touch.entry_id = place.id join ${referralLinks} link on link.code = touch.code
    union all
    select owner.id, place.created_at from place join ${entries} before on before.id = place.referrer_entry_id
      join ${accounts} owner on owner.email_canonical = before.email_canonical
    union all
    select account_id, ${now} from ${referralLinks} where code = ${friend.code}) bringer`;
  return db
    .select({ id: accounts.id, at: sql<number>`bringer.at` })
    .from(referrers)
    .innerJoin(accounts, sql`${accounts.id} = bringer.id`)
    .where(and(eq(accounts.state, "active"), sql`${accounts.id} <> ${friend.friendId}`))
    .orderBy(sql`bringer.at`)
    .limit(1);
}

/** Accounts whose waitlist entry was referred by this account's entry before this account existed, and that have no referrer yet. */
export function listReferredBefore(db: Database, accountId: AccountId, { gates, counted }: Queue) {
  return db
    .select({ friendId: sql<AccountId>`friend.id` })
    .from(
      sql`${accounts} mine
      join ${entries} own on own.gate in ${gates} and own.email_canonical = mine.email_canonical
      join ${entries} e on e.referrer_entry_id = own.id and e.state in ${counted}
      join ${accounts} friend on friend.email_canonical = e.email_canonical and friend.created_at >= e.created_at
      left join ${referrals} known on known.friend_id = friend.id`,
    )
    .where(sql`mine.id = ${accountId} and known.id is null and friend.state = 'active' and friend.id <> mine.id`)
    .limit(25);
}

/** The addresses of an account, and of its own referrer. */
export function listPeople(db: Database, accountId: AccountId) {
  const ofReferrer = db.select({ id: referrals.referrerId }).from(referrals).where(eq(referrals.friendId, accountId));
  return db
    .select({ id: accounts.id, address: accounts.emailCanonical })
    .from(accounts)
    .where(sql`${accounts.id} = ${accountId} or ${inArray(accounts.id, ofReferrer)}`);
}

export function findDeletedAddress(db: Database, addressHashes: string[]) {
  return db
    .select({ erasedAt: deletedAddresses.erasedAt })
    .from(deletedAddresses)
    .where(inArray(deletedAddresses.addressHash, addressHashes))
    .limit(1);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type NewReferral = {
  id: ReferralId;
  referrerId: AccountId;
  friendId: AccountId;
  voidWhy: VoidReason | null;
  /** The quota that counts sign-ups by this link from this network. */
  quota: string;
  now: number;
  reviewedUntil: number;
};

/** There were more sign-ups by one link from one network within the hour than a family has. */
function isSuspicious({ quota, now }: Pick<NewReferral, "quota" | "now">): SQL {
  return sql`(select count(*) from ${quotaUses} where quota = ${quota} and used_at > ${now - networkWindowMs})
    > ${signUpsPerNetworkMax}`;
}

export function isUnattributed(friendId: AccountId): SQL {
  return sql`not exists (select 1 from ${referrals} where friend_id = ${friendId})`;
}

/**
 * Adds a referral: one per friend, never by themselves, and never by an account that they referred. In a burst, every sign-up of the hour
 * goes under review, earlier ones too.
 */
export function addReferral(db: Database, referral: NewReferral) {
  const { id, referrerId, friendId, voidWhy, now, reviewedUntil } = referral;
  const suspicious = isSuspicious(referral);
  // The friend may have paid before the referral was attributed: the cron job continues with it.
  const hasPaid = sql`exists (select 1 from ${orders} where account_id = ${friendId} and paid_at is not null)`;
  return [
    statement(
      db,
      sql`
      insert into ${referrals} (id, referrer_id, friend_id, state, signed_up_at, waits_until, void_why, void_at)
      select ${id}, referrer.id, ${friendId},
        case when ${voidWhy} is not null then 'void' when ${suspicious} then 'under-review' else 'signed-up' end, ${now},
        case when ${voidWhy} is not null then null when ${suspicious} then ${reviewedUntil} when ${hasPaid} then ${now} end, ${voidWhy},
        case when ${voidWhy} is not null then ${now} end
      from ${accounts} referrer
      where referrer.id = ${referrerId} and referrer.state = 'active' and referrer.id <> ${friendId}
        and not exists (select 1 from ${referrals} r where r.friend_id = ${referrerId} and r.referrer_id = ${friendId})
      on conflict (friend_id) do nothing`,
    ),
    statement(
      db,
      sql`
      update ${referrals} set state = 'under-review', waits_until = ${reviewedUntil}
      where referrer_id = ${referrerId} and state = 'signed-up' and signed_up_at > ${now - networkWindowMs} and ${suspicious}
        and exists (select 1 from ${quotaUses} u where u.id = referrals.id || '.network' and u.quota = ${referral.quota})`,
    ),
  ] as const;
}
