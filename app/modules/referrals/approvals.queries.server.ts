import type { AccountId, ReferralId } from "#app/core/id.ts";
import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import { retainedBy, type Terms } from "./retained-payments.queries.server.ts";
import type { Hold } from "./reward.rules.ts";
import { stateIn } from "./rewards.queries.server.ts";

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** There may be at most `max` rewards since `since`. */
type Approval = Terms & {
  hold: Hold;
  id: ReferralId;
  referrerId: AccountId;
  friendId: AccountId;
  now: number;
  since: number;
  max: number;
};

function approvedSince({ referrerId, since }: Approval): SQL {
  return sql`(select count(*) from ${referrals} other
    where other.referrer_id = ${referrerId} and other.state = 'approved' and other.approved_at > ${since})`;
}

function isDue({ id, friendId, referrerId, now, currency, qualifyingMinor, hold }: Approval): SQL {
  return sql`id = ${id} and ${stateIn("approved")} and waits_until <= ${now}
    and ${retainedBy(friendId, currency, { hold, now })} >= ${qualifyingMinor}
    and not exists (select 1 from ${friendDiscounts} d where d.referral_id = ${id} and d.state = 'under-review')
    and exists (select 1 from ${accounts} where id = ${referrerId} and state = 'active')`;
}

/** The friend's payment is final: the reward is due if the year's limit allows it, else it is void. */
export function changeToApproved(db: Database, approval: Approval) {
  const { now, max } = approval;
  return statement(
    db,
    sql`
    update ${referrals} set state = 'approved', approved_at = ${now}, waits_until = null
    where ${isDue(approval)} and ${approvedSince(approval)} < ${max}`,
  );
}

export function voidAboveCap(db: Database, approval: Approval) {
  const { now, max } = approval;
  return statement(
    db,
    sql`
    update ${referrals} set state = 'void', void_why = 'cap', void_at = ${now}, waits_until = null
    where ${isDue(approval)} and ${approvedSince(approval)} >= ${max}`,
  );
}

export function isApproved(id: ReferralId): SQL {
  return sql`exists (select 1 from ${referrals} where id = ${id} and state = 'approved')`;
}
