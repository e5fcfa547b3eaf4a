import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { type ReasonGiven, reasonTakenMs } from "./cancellation-reasons.rules.ts";
import { cancellationReasons, subscriptions } from "./schema.ts";

export const listReasons = prepared((db: Database, accountId: AccountId) => {
  const { subscriptionId, reason, comment } = cancellationReasons;
  return db
    .select({ subscriptionId, reason, comment })
    .from(cancellationReasons)
    .where(eq(cancellationReasons.accountId, accountId));
});

type NewReason = ReasonGiven & { accountId: AccountId; now: number };

/**
 * Stores the answer about the plan that is cancelled, or else about the one that ended last. It replaces an earlier answer. Adds nothing if
 * there is no such plan, by the rule of `asksForReason`, or `guard` doesn't hold.
 */
export function changeReason(db: Database, { accountId, reason, comment, now }: NewReason, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${cancellationReasons} (subscription_id, account_id, reason, comment, given_at)
    select s.id, s.account_id, ${reason}, nullif(${comment}, ''), ${now} from ${subscriptions} s
    where s.account_id = ${accountId} and ${guard}
      and s.end_cause is null and (s.ended_at > ${now - reasonTakenMs} or (s.ended_at is null and s.cancels_at is not null))
    order by s.ended_at is not null, s.ended_at desc limit 1
    on conflict (subscription_id) do update set reason = excluded.reason, comment = excluded.comment, given_at = excluded.given_at`,
  );
}
