import { statesBefore } from "#app/core/states-before.ts";
import type { AccountId, ReferralId } from "#app/core/id.ts";
import { and, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import { writeCards } from "./eligibility.rules.ts";
import { retainedBy, type Terms } from "./retained-payments.queries.server.ts";
import { type ReferralState, referralStates, referralTransitions, type VoidReason } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The referral of an account, with everything its next step depends on. */
export function findReward(db: Database, friendId: AccountId) {
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

/** The newest friends whose cards count for a referrer. */
export function listCounted(db: Database, referrerId: AccountId) {
  const { id, friendId, cards, state } = referrals;
  return db
    .select({ id, referrerId: referrals.referrerId, friendId, cards })
    .from(referrals)
    .where(and(eq(referrals.referrerId, referrerId), inArray(state, ["waiting", "approved"]), isNotNull(cards)))
    .orderBy(desc(referrals.signedUpAt))
    .limit(100);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Notes that the friend has paid enough, not counting the discount: next, the cards are compared. */
export function qualifyPaid(db: Database, friendId: AccountId, { qualifyingMinor, currency }: Terms) {
  return statement(
    db,
    sql`
    update ${referrals} set state = 'qualified', waits_until = null
    where friend_id = ${friendId} and ${stateIn("qualified")} and ${retainedBy(friendId, currency)} >= ${qualifyingMinor}
      and exists (select 1 from ${friendDiscounts} d where d.referral_id = referrals.id)`,
  );
}

/** Another friend of the referrer already counts with one of these cards. */
function cardsCount(referrerId: AccountId, id: ReferralId, cards: string[]): SQL {
  const isAmong = sql`exists (select 1 from json_each(${JSON.stringify(cards)}) card where instr(other.cards, '|' || card.value || '|') > 0)`;
  return sql`exists (select 1 from ${referrals} other where other.referrer_id = ${referrerId} and other.id <> ${id}
    and other.state in ('waiting', 'approved') and ${isAmong})`;
}

type CheckedReferral = { id: ReferralId; referrerId: AccountId; cards: string[] };

/** Starts the holding period; or voids the referral, if one of the cards counts already. */
export function changeToWaiting(
  db: Database,
  { id, referrerId, cards }: CheckedReferral,
  waitsUntil: number,
  now: number,
) {
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
      update ${referrals} set state = 'waiting', waits_until = ${waitsUntil}, cards = ${writeCards(cards)}
      where id = ${id} and ${stateIn("waiting")} and not ${counted}`,
    ),
  };
}

/** Sets when the cron job continues with a referral that is still in that state. With null, time alone doesn't make it continue. */
export function changeWaitsUntil(
  db: Database,
  { id, state }: { id: ReferralId; state: "signed-up" | "waiting" },
  waitsUntil: number | null,
) {
  return db
    .update(referrals)
    .set({ waitsUntil })
    .where(and(eq(referrals.id, id), eq(referrals.state, state)));
}

/** Voids a referral whose friend's payments were returned and aren't sufficient any more. */
export function voidUnpaid(
  db: Database,
  { id, friendId }: { id: ReferralId; friendId: AccountId },
  why: VoidReason,
  terms: Terms,
  now: number,
) {
  return statement(
    db,
    sql`
    update ${referrals} set state = 'void', void_why = ${why}, void_at = ${now}, waits_until = null
    where id = ${id} and state in ('qualified', 'waiting', 'approved')
      and ${retainedBy(friendId, terms.currency)} < ${terms.qualifyingMinor}`,
  );
}

/** Voids a referral because of what the cards show. */
export function changeToVoid(db: Database, id: ReferralId, from: ReferralState[], why: VoidReason, now: number) {
  return db
    .update(referrals)
    .set({ state: "void", voidWhy: why, voidAt: now, waitsUntil: null })
    .where(and(eq(referrals.id, id), inArray(referrals.state, from), stateIn("void")));
}

export function stateIn(to: ReferralState): SQL {
  return inArray(referrals.state, statesBefore(referralStates, referralTransitions, to));
}
