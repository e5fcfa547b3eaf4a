import { and, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import { toldVoidReasons } from "./discount.rules.ts";
import { keptBy, type Terms } from "./kept-money.queries.server.ts";
import { type ReferralState, statesBefore, type VoidReason } from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** The referral that brought an account, with what its way depends on. */
export function findReward(db: Database, friendId: string) {
  return db
    .select({
      id: referrals.id,
      referrerId: referrals.referrerId,
      friendId: referrals.friendId,
      state: referrals.state,
      waitsUntil: referrals.waitsUntil,
      voidWhy: referrals.voidWhy,
      signedUpAt: referrals.signedUpAt,
    })
    .from(referrals)
    .where(eq(referrals.friendId, friendId));
}

/** Friends whose cards count for somebody, the newest. */
export function listCounted(db: Database, referrerId: string) {
  const { id, friendId, cards, state } = referrals;
  return db
    .select({ id, referrerId: referrals.referrerId, friendId, cards })
    .from(referrals)
    .where(and(eq(referrals.referrerId, referrerId), inArray(state, ["waiting", "approved"]), isNotNull(cards)))
    .orderBy(desc(referrals.signedUpAt))
    .limit(100);
}

/** For the sweep: friends with whom it can go on by the clock alone, by lot, so that one who waits for a bank keeps nobody waiting. */
export function listDue(db: Database, now: number, limit: number) {
  return db
    .select({ friendId: referrals.friendId })
    .from(referrals)
    .where(
      sql`${referrals.state} = 'qualified'
        or (${referrals.state} in ('signed-up', 'waiting', 'under-review') and ${referrals.waitsUntil} <= ${now})`,
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

/** For the sweep: friends whose orders changed since, and whose referral doesn't say what their money does. */
export function listOvertaken(db: Database, since: number, terms: Terms, limit: number) {
  const kept = keptBy(referrals.friendId, terms.currency);
  const isFirstPaid = sql`${orders.paidAt} is not null and ${orders.amountMinor} > 0 and ${friendDiscounts.referralId} is null`;
  return db
    .selectDistinct({ friendId: referrals.friendId })
    .from(orders)
    .innerJoin(referrals, eq(referrals.friendId, orders.accountId))
    .leftJoin(friendDiscounts, eq(friendDiscounts.referralId, referrals.id))
    .where(
      and(
        sql`${orders.updatedAt} >= ${since}`,
        sql`case ${referrals.state}
          when 'signed-up' then ${kept} >= ${terms.qualifyingMinor}
            or (${isFirstPaid})
          when 'void' then ${inArray(referrals.voidWhy, [...toldVoidReasons])} and ${isFirstPaid}
          when 'under-review' then 0
          else ${kept} < ${terms.qualifyingMinor} end`,
      ),
    )
    .limit(limit);
}

/** For the sweep: people who were paid for lately, in the order of it, and for whom friends count. */
export function listPayers(db: Database, after: number, until: number, limit: number) {
  const lastAt = sql<number>`max(${orders.updatedAt})`;
  return db
    .select({ accountId: orders.accountId, lastAt })
    .from(orders)
    .where(
      sql`${orders.updatedAt} > ${after} and ${orders.updatedAt} <= ${until} and ${orders.paidAt} is not null
        and exists (select 1 from ${referrals} where referrer_id = ${orders.accountId} and state in ('waiting', 'approved')
          and cards is not null)`,
    )
    .groupBy(orders.accountId)
    .orderBy(lastAt)
    .limit(limit);
}

/** How far the clock has come with orders that changed: for friends' rewards, and for the cards of those who brought them. */
export { changeMark, findMark } from "#app/db/sweep-marks.server.ts";

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** The friend has paid enough, what goes back of it as the discount left out: who they are is judged next. */
export function qualifyPaid(db: Database, friendId: string, { qualifyingMinor, currency }: Terms) {
  return statement(
    db,
    sql`
    update ${referrals} set state = 'qualified', waits_until = null
    where friend_id = ${friendId} and ${stateIn("qualified")} and ${keptBy(friendId, currency)} >= ${qualifyingMinor}
      and exists (select 1 from ${friendDiscounts} d where d.referral_id = referrals.id)`,
  );
}

/** Another friend of the same person is worth something already by one of these cards. */
function cardsCount(referrerId: string, id: string, cards: string[]): SQL {
  const isAmong = sql`exists (select 1 from json_each(${JSON.stringify(cards)}) card where instr(other.cards, '|' || card.value || '|') > 0)`;
  return sql`exists (select 1 from ${referrals} other where other.referrer_id = ${referrerId} and other.id <> ${id}
    and other.state in ('waiting', 'approved') and ${isAmong})`;
}

type Judged = { id: string; referrerId: string; cards: string[] };

/** From now on the money has to be kept for its days; unless the card is one that counts already: then it is void. */
export function changeToWaiting(db: Database, { id, referrerId, cards }: Judged, waitsUntil: number, now: number) {
  const counted = cardsCount(referrerId, id, cards);
  return {
    same: statement(
      db,
      sql`
      update ${referrals} set state = 'void', void_why = 'same-card', void_at = ${now}, waits_until = null
      where id = ${id} and state = 'qualified' and ${counted}`,
    ),
    waits: statement(
      db,
      sql`
      update ${referrals} set state = 'waiting', waits_until = ${waitsUntil}, cards = ${`|${cards.join("|")}|`}
      where id = ${id} and ${stateIn("waiting")} and not ${counted}`,
    ),
  };
}

/** The clock has looked at it, and nothing is to be done. */
export function rest(db: Database, id: string) {
  return db
    .update(referrals)
    .set({ waitsUntil: null })
    .where(and(eq(referrals.id, id), eq(referrals.state, "signed-up")));
}

/** The payment that made it enough went back, and a later one does by now. */
export function postpone(db: Database, id: string, waitsUntil: number) {
  return db
    .update(referrals)
    .set({ waitsUntil })
    .where(and(eq(referrals.id, id), eq(referrals.state, "waiting")));
}

/** The friend's money went back, so that what was kept isn't enough any more. */
export function voidUnpaid(
  db: Database,
  { id, friendId }: { id: string; friendId: string },
  why: VoidReason,
  terms: Terms,
  now: number,
) {
  return statement(
    db,
    sql`
    update ${referrals} set state = 'void', void_why = ${why}, void_at = ${now}, waits_until = null
    where id = ${id} and state in ('qualified', 'waiting', 'approved')
      and ${keptBy(friendId, terms.currency)} < ${terms.qualifyingMinor}`,
  );
}

/** By what cards tell. */
export function changeToVoid(db: Database, id: string, from: ReferralState[], why: VoidReason, now: number) {
  return db
    .update(referrals)
    .set({ state: "void", voidWhy: why, voidAt: now, waitsUntil: null })
    .where(and(eq(referrals.id, id), inArray(referrals.state, from), stateIn("void")));
}

export function stateIn(to: ReferralState): SQL {
  return inArray(referrals.state, statesBefore(to));
}
