import type { AccountId, OrderId, ReferralId } from "#app/core/id.ts";
import { inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { deletedAddresses } from "#app/modules/accounts/addresses.schema.ts";
import { accounts, customerHashes } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import { domainOf } from "#app/modules/accounts/queries.server.ts";
import { type SignUpRefusal, voidReasonsOf } from "./discount.rules.ts";

// Writes: opening a discount ------------------------------------------------------------------------------------------

type NewDiscount = {
  referralId: ReferralId;
  friendId: AccountId;
  orderId: OrderId;
  amountMinor: number;
  currency: string;
  mailbox: string;
  /** Null if the method has no fingerprint. */
  method: string | null;
  /**
   * Null for a public email provider. `names` has the registered domain, and the address's own if it is below that. `isReferrers` says
   * whether the referrer has or had an address there.
   */
  domain: { names: string[]; hash: string; isReferrers: boolean } | null;
  now: number;
};

/** The hash belongs to another account, or another friend got a discount for it. */
function isKnown(hash: string | null, column: SQL, friendId: AccountId): SQL {
  return sql`(exists (select 1 from ${customerHashes} where hash = ${hash} and account_id <> ${friendId})
    or exists (select 1 from ${friendDiscounts} where ${column} = ${hash}))`;
}

/**
 * Others have addresses at the friend's own domain, where one person may own every mailbox: the referrer, a friend who got a discount, a
 * customer who paid before, or an erased one.
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
 * Opens a friend's discount, once: due, under review, or refused. The statement itself decides, so that of two friends with one mailbox
 * or card who pay at the same time one gets it.
 */
export function addDiscount(db: Database, discount: NewDiscount) {
  const { referralId, friendId, orderId, amountMinor, currency, mailbox, method, now } = discount;
  const knownMailbox = isKnown(mailbox, sql`mailbox_hash`, friendId);
  const knownMethod = isKnown(method, sql`method_hash`, friendId);
  const sharedDomain = isSharedDomain(discount);
  const domain = discount.domain?.hash ?? null;
  const unknownMethod = method === null ? 1 : 0;
  return statement(
    db,
    sql`
    insert into ${friendDiscounts} (referral_id, friend_id, order_id, state, why, amount_minor, currency,
      mailbox_hash, method_hash, domain_hash, created_at, paid_at)
    select ${referralId}, ${friendId}, ${orderId},
      case when ${knownMailbox} or ${knownMethod} then 'refused'
        when ${unknownMethod} or ${sharedDomain} then 'under-review' when ${amountMinor} = 0 then 'paid' else 'due' end,
      case when ${knownMailbox} then 'known-mailbox' when ${knownMethod} then 'known-method'
        when ${unknownMethod} then 'payment-method' when ${sharedDomain} then 'domain' end,
      ${amountMinor}, ${currency}, case when not ${knownMailbox} then ${mailbox} end,
      case when not ${knownMethod} then ${method} end, ${domain}, ${now},
      case when ${amountMinor} = 0 then ${now} end
    from ${referrals} where id = ${referralId} and state in ('signed-up', 'qualified')
    on conflict do nothing`,
  );
}

/** For a friend whose sign-up was refused before they paid or before the discount was opened: refuses it with the first payment, once. */
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

/** A friend whose mailbox or method is known, or whom an operator refused, earns no reward either. */
export function voidRefused(db: Database, referralId: ReferralId, now: number) {
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
