import { idOf } from "#tests/support/ids.ts";
import { type AccountId, type WithdrawalId, noWithdrawal } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { approveReward } from "#app/modules/referrals/commands/approve-reward.server.ts";
import { advanceReferral } from "#app/modules/referrals/commands/advance-referral.server.ts";
import { rewardHoldDays } from "#app/modules/referrals/reward.rules.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { product } from "#app/product/config.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { cards, type Friends, friendsOf } from "#tests/support/billing/friends.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { referralTerms } from "#tests/support/site/worker-app.ts";

let harness: BillingHarness;
let people: Friends;

const sold = { ...product, referral: { ...referralTerms, holdDays: 14 }, withdrawalDays: 14 };

beforeEach(async () => {
  harness = await openBillingHarness(sold);
  people = friendsOf(harness);
  await env.DB.prepare("delete from referrals").run();
});

/** A friend who pays for a year; and their order. */
async function payingFriend(card = cards[0]) {
  const address = `friend-${crypto.randomUUID()}@${crypto.randomUUID()}.example`;
  const friend = await people.broughtBy(await people.person(), { address });
  const order = await people.buy(friend, card, { interval: "year" });
  await advanceReferral(harness.app, friend);
  return { friend, order, address };
}

async function declare(order: string, address: string) {
  const email = parseEmailAddress(address);
  if (!email) throw new Error("No address");
  const by = { ip: "192.0.2.1", accountId: null, isOwn: true };
  expect(await declareWithdrawal(harness.app, { name: "Nils", order, email }, by)).toMatchObject({ ok: true });
  await harness.app.settled();
}

async function runCron() {
  await sweepReferrals(harness.app);
  await harness.app.settled();
}

/** The friends that this one's referrer sees. */
async function shownTo(friend: AccountId) {
  const referrer = String((await people.referral(friend))?.["referrer_id"]);
  return (await showReferrals(harness.app, idOf("acc", referrer), { locale: "en", timeZone: "UTC" })).friends;
}

const stateOf = async (friend: AccountId) => (await people.referral(friend))?.["state"];

test("a reward is not given before a withdrawal on the last day would have been refunded, even with a shorter hold in the config", async () => {
  const { friend } = await payingFriend();
  await harness.pass(sold.withdrawalDays + 1);
  await runCron();
  expect(await stateOf(friend)).toBe("waiting");
  expect(await shownTo(friend)).toMatchObject([{ state: "waiting", until: expect.stringContaining("20") }]);
  await harness.pass(rewardHoldDays(sold) - sold.withdrawalDays - 1);
  await runCron();
  expect(await stateOf(friend)).toBe("approved");
});

test("a reward is not given while a withdrawal from the friend's order is open, and follows the decision", async () => {
  const [retained, gone] = [await payingFriend(cards[0]), await payingFriend(cards[1])];
  for (const { order, address } of [retained, gone]) await declare(order, address);
  await harness.pass(rewardHoldDays(sold) + 5);
  for (let minute = 0; minute < 2; minute += 1) await runCron();
  expect([await stateOf(retained.friend), await stateOf(gone.friend)]).toEqual(["waiting", "waiting"]);
  expect(await shownTo(retained.friend)).toMatchObject([{ state: "waiting", until: null }]);

  const declared = await env.DB.prepare("select id from withdrawals where order_id = ?")
    .bind(retained.order)
    .first<{ id: WithdrawalId }>();
  expect(await contestWithdrawal(harness.app, declared?.id ?? noWithdrawal, "Too late")).toMatchObject({ ok: true });
  await harness.control("refund", { order: gone.order });
  await reconcileCustomer(harness.app, gone.friend);
  await runCron();
  expect(await stateOf(retained.friend)).toBe("approved");
  expect(await people.referral(gone.friend)).toMatchObject({ state: "void", void_why: "refund" });
});

describe("after a contract's plan was changed,", () => {
  const year = { planId: large.id, interval: "year" } as const;
  const contest = async (order: string) => {
    const declared = await env.DB.prepare("select id from withdrawals where order_id = ?")
      .bind(order)
      .first<{ id: WithdrawalId }>();
    expect(await contestWithdrawal(harness.app, declared?.id ?? noWithdrawal, "Too late")).toMatchObject({ ok: true });
  };

  test("a reward is not given before a withdrawal from the last change would have been refunded", async () => {
    const { friend } = await payingFriend();
    await harness.pass(20);
    await people.change(friend, year);
    await advanceReferral(harness.app, friend);
    await harness.pass(rewardHoldDays(sold) - 20);
    await runCron();
    expect(await stateOf(friend)).toBe("waiting");
    await harness.pass(19.9);
    await runCron();
    expect(await stateOf(friend)).toBe("waiting");
    await harness.pass(0.2);
    await runCron();
    expect(await stateOf(friend)).toBe("approved");
  });

  test("a change that isn't recorded on the referral yet delays the reward in the statement that gives it", async () => {
    const { friend } = await payingFriend();
    await harness.pass(20);
    await people.change(friend, year);
    await harness.pass(rewardHoldDays(sold) - 20);
    const { id, referrer_id: referrerId } = (await people.referral(friend)) ?? {};
    const reward = { id: idOf("ref", id), referrerId: idOf("acc", referrerId), friendId: friend };
    const terms = { qualifyingMinor: sold.referral.qualifyingAmountMinor, currency: sold.currency };
    expect(await approveReward(harness.app, reward, terms)).toBe(false);
    expect(await stateOf(friend)).toBe("waiting");
  });

  test.each(["purchase", "change"])("a withdrawal that names its %s delays the reward", async (named) => {
    const { friend, order, address } = await payingFriend();
    await harness.pass(1);
    const change = await people.change(friend, year);
    await harness.pass(1);
    const declared = named === "change" ? change : order;
    await declare(declared, address);
    await harness.pass(rewardHoldDays(sold) + 5);
    for (let minute = 0; minute < 2; minute += 1) await runCron();
    expect(await stateOf(friend)).toBe("waiting");
    await contest(declared);
    await runCron();
    expect(await stateOf(friend)).toBe("approved");
  });

  test("a renewal is a separate contract: a change of it doesn't delay the reward for the earlier payment, and an open withdrawal does", async () => {
    const { friend, address } = await payingFriend();
    await harness.pass(366);
    await reconcileCustomer(harness.app, friend);
    const change = await people.change(friend, { planId: large.id, interval: "year" });
    await declare(change, address);
    await runCron();
    expect(await stateOf(friend)).not.toBe("approved");
    await env.DB.exec("update withdrawals set state = 'contested', closed_at = 1, contest_reason = 'x'");
    await runCron();
    expect(await stateOf(friend)).toBe("approved");
  });
});

test("a withdrawal that isn't linked to the friend's order delays nothing", async () => {
  const { friend, order } = await payingFriend();
  await declare(order, "stranger@example.com");
  await harness.pass(rewardHoldDays(sold));
  await runCron();
  expect(await stateOf(friend)).toBe("approved");
});
