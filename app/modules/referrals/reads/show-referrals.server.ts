import type { AccountId, OrderId } from "#app/core/id.ts";
import { newLinkCode } from "#app/core/link-code.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatDay, formatMonth } from "#app/core/time/time.ts";
import { balanceOf, type Line, listedLinesMax } from "#app/modules/billing/credit/rules.ts";
import { nextExpiry } from "#app/modules/billing/credit/lots.rules.ts";
import { owedOf } from "#app/modules/billing/credit/deductions.rules.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { listOrdersOfLines } from "#app/modules/billing/credit/uses.queries.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { rewardAgainAt, yearBefore } from "../reward.rules.ts";
import type { ReferralState, VoidReason } from "../rules.ts";
import { addLink, countFriends, findLink, listFriends } from "../queries.server.ts";

/** A friend as the referrer may see them: by initial and month, without dates except for the one their reward waits for. */
export type ShownFriend = {
  /** `unnamed` if the name begins with no letter. */
  who: { kind: "initial"; letter: string } | { kind: "unnamed" | "closed" };
  month: string;
  state: ReferralState;
  voidWhy: VoidReason | null;
  /** The day on which the cron job continues with it. */
  until: string | null;
  /** There was a reward for it. */
  wasCredited: boolean;
};

/** A ledger line, with the order it is about. */
export type ShownLine = Pick<Line, "id" | "amountMinor" | "why" | "owedMinor" | "happenedAt"> & {
  order: { id: OrderId; number: string | null } | null;
};

type Reader = Pick<Account, "locale" | "timeZone">;

/**
 * An account's referral link, its results and its credit, in one round trip. The link is generated when its page is first opened,
 * although that is a GET: it has no effect before it is shared, and generating it at sign-up would couple every sign-up to this module.
 * With concurrent requests the first code stays.
 */
export async function showReferrals(app: Base & Site, id: AccountId, reader: Reader | Promise<Reader>) {
  const { db } = app;
  const now = app.clock();
  const { state, rewardsPerYear } = app.product.referral;
  const isOpen = state === "open";
  const reads = batchNamed(db, {
    added: addLink(db, { accountId: id, code: newLinkCode(app.random), now }, isOpen),
    link: findLink(db, id),
    counted: countFriends(db, id, yearBefore(now)),
    friends: listFriends(db, id),
    lines: listLedgerLines(db, id),
    orders: listOrdersOfLines(db, id),
    subscriptions: listSubscriptions(db, id),
  });
  const [read, account] = await Promise.all([reads, reader]);
  const { friends, lines, orders, subscriptions } = read;
  const [link] = read.link;
  const [counted] = read.counted;
  const { ofYear = 0, oldestOfYear = null, ...counts } = counted ?? {};
  const again = ofYear < rewardsPerYear ? null : rewardAgainAt(oldestOfYear ?? now);
  return {
    url: isOpen && link ? `${app.origin}/?ref=${link.code}` : null,
    counts: { visits: link?.visits ?? 0, signedUp: 0, paid: 0, waiting: 0, credited: 0, ...counts },
    cap: { used: ofYear, max: rewardsPerYear, again: again === null ? null : formatDay(again, account) },
    friends: friends.map((friend) => showFriend(friend, account, now)),
    credit: { balanceMinor: balanceOf(lines), owedMinor: owedOf(lines), expiry: nextExpiry(lines) },
    lines: lines
      .slice(-listedLinesMax)
      .toReversed()
      .map((line) => showLine(line, orders)),
    hasMoreLines: lines.length > listedLinesMax,
    nextUse: nextUse(runningSubscription(subscriptions)),
  };
}

type Friend = Awaited<ReturnType<typeof listFriends>>[number];

function showFriend(friend: Friend, reader: Reader, now: number): ShownFriend {
  const { initial, state, signedUpAt, waitsUntil, voidWhy, approvedAt } = friend;
  return {
    who: whoIs(initial, reader),
    month: formatMonth(signedUpAt, reader),
    state,
    voidWhy,
    // After that day a reward waits for something else: a withdrawal or a dispute.
    until: waitsUntil === null || (state === "waiting" && waitsUntil <= now) ? null : formatDay(waitsUntil, reader),
    wasCredited: approvedAt !== null,
  };
}

function whoIs(initial: string | null, { locale }: Reader): ShownFriend["who"] {
  if (initial === null) return { kind: "closed" };
  return /[\p{L}\p{N}]/u.test(initial)
    ? { kind: "initial", letter: initial.toLocaleUpperCase(locale) }
    : { kind: "unnamed" };
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

/** What credit will reduce next: the charge of a continuing plan, or the first payment. */
function nextUse(running: ReturnType<typeof runningSubscription>): { kind: "charge"; at: number } | { kind: "plan" } {
  if (!running || running.cancelsAt !== null) return { kind: "plan" };
  return { kind: "charge", at: running.periodEndsAt };
}
