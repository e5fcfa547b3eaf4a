import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatDay, formatMonth } from "#app/core/time/time.ts";
import { balanceOf, type Line, listedLinesMax } from "#app/modules/ledger/rules.ts";
import { nextExpiry } from "#app/modules/ledger/lots.rules.ts";
import { owedOf } from "#app/modules/ledger/takings.rules.ts";
import { listLines, readLine } from "#app/modules/ledger/queries.server.ts";
import { listOrdersOfLines } from "#app/modules/ledger/uses.queries.server.ts";
import { orderNumber } from "#app/modules/orders/rules.ts";
import { runningSubscription } from "#app/modules/subscriptions/rules.ts";
import { listSubscriptions, readSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { rewardAgainAt, yearBefore } from "../reward.rules.ts";
import { newReferralCode, type ReferralState, type VoidReason } from "../rules.ts";
import { addLink, countFriends, findLink, listFriends, readReferral } from "../queries.server.ts";

/** A friend as whoever brought them may see them: no day of theirs but the one that the reward waits for. */
export type ShownFriend = {
  name: string | null;
  month: string;
  state: ReferralState;
  voidWhy: VoidReason | null;
  /** The day on which the clock goes on with it. */
  until: string | null;
  /** There was a reward for it. */
  wasCredited: boolean;
};

/** A movement of credit, with the order that it is about. */
export type ShownLine = Pick<Line, "id" | "amountMinor" | "why" | "owedMinor" | "happenedAt"> & {
  order: { id: string; number: string | null } | null;
};

type Reader = Pick<Account, "locale" | "timeZone">;

/**
 * The person's own link, what came of it and what credit they have, in one round trip. The link is drawn when its page is first
 * opened, which is a GET: nobody has to ask for it, it promises nothing, and before somebody sends it on it does nothing. Drawing it
 * at sign-up instead would tie every account's birth to this module. Opened forty times at once, the first code stays.
 */
export async function showReferrals(app: Base & Site, id: string, reader: Reader | Promise<Reader>) {
  const { db } = app;
  const now = app.clock();
  const { state, rewardsPerYear } = app.product.referral;
  const isOpen = state === "open";
  const reads = batchNamed(db, {
    added: addLink(db, { accountId: id, code: newReferralCode(app.random), now }, isOpen),
    link: findLink(db, id),
    counted: countFriends(db, id, yearBefore(now)),
    friends: listFriends(db, id),
    rows: listLines(db, id),
    orders: listOrdersOfLines(db, id),
    subscriptions: listSubscriptions(db, id),
  });
  const [read, account] = await Promise.all([reads, reader]);
  const { friends, rows, orders, subscriptions } = read;
  const [link] = read.link;
  const [counted] = read.counted;
  const { ofYear = 0, oldestOfYear = null, ...counts } = counted ?? {};
  const lines = rows.map(readLine);
  const again = ofYear < rewardsPerYear ? null : rewardAgainAt(oldestOfYear ?? now);
  return {
    url: isOpen && link ? `${app.origin}/?ref=${link.code}` : null,
    counts: { visits: link?.visits ?? 0, signedUp: 0, paid: 0, waiting: 0, credited: 0, ...counts },
    cap: { used: ofYear, max: rewardsPerYear, again: again === null ? null : formatDay(again, account) },
    friends: friends.map(readReferral).map((friend) => showFriend(friend, account, now)),
    credit: { balanceMinor: balanceOf(lines), owedMinor: owedOf(lines), expiry: nextExpiry(lines) },
    lines: lines
      .slice(-listedLinesMax)
      .toReversed()
      .map((line) => showLine(line, orders)),
    hasMoreLines: lines.length > listedLinesMax,
    nextUse: nextUse(runningSubscription(subscriptions.map(readSubscription))),
  };
}

type Friend = ReturnType<typeof readReferral<Awaited<ReturnType<typeof listFriends>>[number]>>;

function showFriend(friend: Friend, reader: Reader, now: number): ShownFriend {
  const { name, state, signedUpAt, waitsUntil, voidWhy, approvedAt } = friend;
  return {
    name,
    month: formatMonth(signedUpAt, reader),
    state,
    // Our own statements write the word.
    voidWhy: voidWhy as VoidReason | null,
    // Once that day is over, a reward waits for something else: a withdrawal or a bank's decision.
    until: waitsUntil === null || (state === "waiting" && waitsUntil <= now) ? null : formatDay(waitsUntil, reader),
    wasCredited: approvedAt !== null,
  };
}

function showLine(line: Line, orders: Awaited<ReturnType<typeof listOrdersOfLines>>): ShownLine {
  const { id, amountMinor, why, owedMinor, happenedAt, invoiceId } = line;
  const order = orders.find((each) => each.invoiceId === invoiceId);
  return {
    id,
    amountMinor,
    why,
    owedMinor,
    happenedAt,
    order: order ? { id: order.id, number: orderNumber(order) } : null,
  };
}

/** What credit comes off next: the charge of a plan that goes on, or the first one of whatever plan is chosen. */
function nextUse(running: ReturnType<typeof runningSubscription>): { kind: "charge"; at: number } | { kind: "plan" } {
  if (!running || running.cancelsAt !== null) return { kind: "plan" };
  return { kind: "charge", at: running.periodEndsAt };
}
