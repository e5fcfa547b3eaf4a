import { product } from "#app/product/config.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

const config: ProductConfig = product;
/** The withdrawal period, and the fourteen days that the law gives for the refund. */
const withdrawalAndRefundMs = config.withdrawalDays === "off" ? 0 : (config.withdrawalDays + 14) * dayMs;

/** What is true of rewards at every moment: each query selects what violates it. */
export const rewardInvariants: Record<string, string> = {
  "no reward is given while the friend's withdrawal is open": `select r.id from referrals r
    join orders o on o.account_id = r.friend_id join withdrawals w on w.order_id = o.id
    where r.state = 'approved' and w.declared_at < r.approved_at and coalesce(w.closed_at, 1e15) > r.approved_at`,
  "no reward is given before the friend can't withdraw any more": `select r.id from referrals r where r.approved_at < ${withdrawalAndRefundMs}
    + (select min(paid_at) from orders o where o.account_id = r.friend_id and o.paid_at is not null and o.amount_minor > 0)`,
  "a reward is what the config says": `select id from ledger_lines where kind = 'earned' and why = 'friend' and amount_minor <> ${config.referral.referrerCreditMinor}`,
  "a friend's discount is at most what the config says": `select id from orders where friend_discount_minor > ${config.referral.friendDiscountMinor}`,
};

/** What is true of rewards once everything has settled. */
export const settledRewardInvariants: Record<string, string> = {
  "a reward is taken back with the friend's payments": `select r.id from referrals r where r.state = 'approved'
    and ${config.referral.qualifyingAmountMinor} > (select coalesce(sum(max(0, amount_minor - refunded_minor)), 0) from orders o
      where o.account_id = r.friend_id and o.paid_at is not null and o.dispute <> 'lost')`,
};
