import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { deletedAddresses } from "#app/modules/accounts/addresses.schema.ts";
import { accounts, customerMarks } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import { domainOf } from "#app/modules/accounts/queries.server.ts";
import { type SignUpRefusal, voidReasonsOf } from "./discount.rules.ts";

/** Writers of a discount's beginning: prepared statements, run by an act in one batch -------------------------------------- */

export type NewDiscount = {
  referralId: string;
  friendId: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  mailbox: string;
  /** Null: the method has no fingerprint. */
  method: string | null;
  /**
   * Null: of a public mail provider. `names`: as registered, and as in the address, which may be below that. `isReferrers`: the referrer
   * has or had an address there.
   */
  domain: { names: string[]; hash: string; isReferrers: boolean } | null;
  isSettled: boolean;
  now: number;
};

/** Somebody else's already: another account had it first, or another friend's discount was given for it. */
function isKnown(hash: string | null, column: SQL, friendId: string): SQL {
  return sql`(exists (select 1 from ${customerMarks} where hash = ${hash} and account_id <> ${friendId})
    or exists (select 1 from ${friendDiscounts} where ${column} = ${hash}))`;
}

/**
 * Others have addresses at the friend's own domain, where every name may lead to one mailbox: the referrer, a friend whose discount was
 * given, somebody who paid before this payment, or who had paid and is gone.
 */
function isSharedDomain({ domain, friendId, orderId }: NewDiscount): SQL {
  if (domain === null) return sql`0`;
  if (domain.isReferrers) return sql`1`;
  return sql`(exists (select 1 from ${friendDiscounts} where domain_hash = ${domain.hash} and state <> 'refused')
    or exists (select 1 from ${deletedAddresses} where address_hash = ${domain.hash})
    or exists (select 1 from ${accounts} other join ${orders} paid on paid.account_id = other.id
      where ${inArray(domainOf(sql`other`), domain.names)} and other.id <> ${friendId} and paid.amount_minor > 0
        and (paid.paid_at, paid.number_year, paid.number_in_year)
          < (select mine.paid_at, mine.number_year, mine.number_in_year from ${orders} mine where mine.id = ${orderId})))`;
}

/**
 * Opens a friend's discount, once: due, to be looked at, or refused. What is known by then decides in the statement, so that of two friends
 * with one mailbox or one card who pay at the same time one has it.
 */
export function addDiscount(db: Database, discount: NewDiscount) {
  const { referralId, friendId, orderId, amountMinor, currency, mailbox, method, isSettled, now } = discount;
  const knownMailbox = isKnown(mailbox, sql`mailbox_hash`, friendId);
  const knownMethod = isKnown(method, sql`method_hash`, friendId);
  const sharedDomain = isSharedDomain(discount);
  const domain = discount.domain?.hash ?? null;
  const settled = isSettled ? 1 : 0;
  const unknownMethod = method === null ? 1 : 0;
  return statement(
    db,
    sql`
    insert into ${friendDiscounts} (referral_id, friend_id, order_id, state, why, amount_minor, currency,
      mailbox_hash, method_hash, domain_hash, created_at, paid_at)
    select ${referralId}, ${friendId}, ${orderId},
      case when ${settled} then 'paid' when ${knownMailbox} or ${knownMethod} then 'refused'
        when ${unknownMethod} or ${sharedDomain} then 'under-review' when ${amountMinor} = 0 then 'paid' else 'due' end,
      case when ${settled} then null when ${knownMailbox} then 'known-mailbox' when ${knownMethod} then 'known-method'
        when ${unknownMethod} then 'payment-method' when ${sharedDomain} then 'domain' end,
      ${amountMinor}, ${currency}, case when not ${knownMailbox} then ${mailbox} end,
      case when not ${knownMethod} then ${method} end, ${domain}, ${now},
      case when ${settled} or ${amountMinor} = 0 then ${now} end
    from ${referrals} where id = ${referralId} and state in ('signed-up', 'qualified')
    on conflict do nothing`,
  );
}

/** Of a friend whose sign-up was refused before they paid, or before their discount was opened: refused with the first payment, once. */
export function addRefusal(
  db: Database,
  refusal: Pick<NewDiscount, "referralId" | "friendId" | "orderId" | "amountMinor" | "currency" | "now"> & {
    why: SignUpRefusal;
  },
) {
  const { referralId, friendId, orderId, amountMinor, currency, why, now } = refusal;
  return statement(
    db,
    sql`
    insert into ${friendDiscounts} (referral_id, friend_id, order_id, state, why, amount_minor, currency, created_at)
    select ${referralId}, ${friendId}, ${orderId}, 'refused', ${why}, ${amountMinor}, ${currency}, ${now}
    from ${referrals} where id = ${referralId} and state = 'void' and void_why in ${voidReasonsOf(why)}
    on conflict do nothing`,
  );
}

/** It can't be told so far whether a friend is new: the clock looks at it again then. */
export function waitForMarks(db: Database, referralId: string, until: number) {
  return db
    .update(referrals)
    .set({ waitsUntil: until })
    .where(and(eq(referrals.id, referralId), eq(referrals.state, "signed-up")));
}

/** A friend who is none, as their mailbox or method tells, brings nothing either; nor one whom an operator refused. */
export function voidRefused(db: Database, referralId: string, now: number) {
  return statement(
    db,
    sql`
    update ${referrals} set state = 'void', void_at = ${now}, waits_until = null, void_why = (
      select case d.why when 'known-mailbox' then 'returned' when 'known-method' then 'same-card' else 'review' end
      from ${friendDiscounts} d where d.referral_id = ${referralId})
    where id = ${referralId} and state in ('signed-up', 'qualified', 'waiting') and exists (
      select 1 from ${friendDiscounts} d where d.referral_id = ${referralId} and d.state = 'refused'
        and d.why in ('known-mailbox', 'known-method', 'operator'))`,
  );
}
