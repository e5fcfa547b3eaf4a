import type { AccountId, ReferralId } from "#app/core/id.ts";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Site } from "#app/app.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { deletedAddresses } from "#app/modules/accounts/addresses.schema.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { quotaUses } from "#app/modules/accounts/codes/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { referralLinks, referrals, referralTouches } from "./schema.ts";
import { networkWindowMs, signUpsPerNetworkMax } from "./eligibility.rules.ts";
import type { Touch, VoidReason } from "./rules.ts";

/** Who brought an address before it had an account, as features know it: `Bringers`, whose selects are joined to one. */
export type Earlier = { requestsOf(address: SQL): SQL; broughtBy(address: SQL): SQL };

export function earlierIn({ hooks, product }: Pick<Site, "hooks" | "product">): Earlier {
  const known = hooks.flatMap(({ bringers }) => bringers ?? []);
  const unionOf = (selects: SQL[], none: SQL) =>
    sql`(${sql.join(selects.length > 0 ? selects : [none], sql` union all `)})`;
  return {
    requestsOf: (address) =>
      unionOf(
        known.map((each) => each.requestsOf(product, address)),
        sql`select null as id, null as brought_by, null as at where false`,
      ),
    broughtBy: (address) =>
      unionOf(
        known.map((each) => each.broughtBy(product, address)),
        sql`select null as address, null as at where false`,
      ),
  };
}

// Reads ---------------------------------------------------------------------------------------------------------------

/**
 * Possible referrers of a new account, oldest first: by the link that was opened before it asked to be let in, by who brought it then, and
 * by the link of the sign-up. Closed and erased accounts can't refer.
 */
export function listReferrers(
  db: Database,
  friend: { friendId: AccountId; code: string },
  earlier: Earlier,
  now: number,
) {
  const mine = (column: SQL) => sql`(select ${column} from ${accounts} where id = ${friend.friendId})`;
  const referrers = sql`(
    with request as (
      select id, brought_by, at from ${earlier.requestsOf(mine(sql`email_canonical`))} where at <= ${mine(sql`created_at`)})
    select link.account_id as id, touch.touched_at as at from request
      join ${referralTouches} touch on touch.entry_id = request.id join ${referralLinks} link on link.code = touch.code
    union all
    select owner.id, request.at from request join ${accounts} owner on owner.email_canonical = request.brought_by
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

/** Accounts whose address was brought by this account's before this account existed, and that have no referrer yet. */
export function listReferredBefore(db: Database, accountId: AccountId, earlier: Earlier) {
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  return db
    .select({ friendId: sql<AccountId>`friend.id` })
    .from(
      sql`${earlier.broughtBy(address)} brought
      join ${accounts} friend on friend.email_canonical = brought.address and friend.created_at >= brought.at
      left join ${referrals} known on known.friend_id = friend.id`,
    )
    .where(sql`known.id is null and friend.state = 'active' and friend.id <> ${accountId}`)
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

/** Stores the referral link that the owner of a request (a select of its `id`) had opened before. The first one stays. */
export function addTouch(db: Database, request: SQL, touch: Pick<Touch, "code" | "at"> | null, now: number) {
  const { code = null, at = null } = touch ?? {};
  return statement(
    db,
    sql`
    insert into ${referralTouches} (entry_id, code, touched_at)
    select id, ${code}, min(${at}, ${now}) from (${request}) where ${code} is not null
    on conflict do nothing`,
  );
}

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
