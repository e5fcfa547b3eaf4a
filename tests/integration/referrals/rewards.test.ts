import { idOf } from "#tests/support/ids.ts";
import { type AccountId, noAccount, type ReferralId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import type { App } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs } from "#app/core/time/time.ts";
import { postCredit } from "#app/modules/billing/credit/commands/post-credit.server.ts";
import { addEarned } from "#app/modules/billing/credit/queries.server.ts";
import { sweepLedger } from "#app/modules/billing/credit/commands/sweep-ledger.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { decideReferral } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { approveReward } from "#app/modules/referrals/commands/approve-reward.server.ts";
import { checkOwnCards } from "#app/modules/referrals/commands/check-own-cards.server.ts";
import { advanceReferral } from "#app/modules/referrals/commands/advance-referral.server.ts";
import { listReferralsUnderReview } from "#app/modules/referrals/everyone.queries.server.ts";
import { findReward } from "#app/modules/referrals/rewards.queries.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { cards, type Friends, friendsOf } from "#tests/support/billing/friends.ts";
import { counting, killedAt, killedAtCall } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { referralTerms } from "#tests/support/site/worker-app.ts";

/** Rewards alone: the friend discount has its own tests. */
const terms = { ...referralTerms, friendDiscountMinor: 0 };

let harness: BillingHarness;
let people: Friends;
let referrer: AccountId;

async function begin() {
  // No withdrawal: the hold is what the terms say, less than a month.
  harness = await openBillingHarness({ ...product, referral: terms, withdrawalDays: "off" });
  people = friendsOf(harness);
  await env.DB.prepare("delete from referrals").run();
  referrer = await people.person();
}

beforeEach(begin);

const qualify = (friendId: AccountId, own: App = harness.app) => advanceReferral(own, friendId);
const forty = <Value>(run: () => Promise<Value>) => Promise.all(Array.from({ length: 40 }, run));
const stateOf = async (friendId: AccountId) => (await people.referral(friendId))?.["state"];

/** The cron job, one run of it. */
async function runCron() {
  await sweepReferrals(harness.app);
  await sweepLedger(harness.app);
  await harness.app.settled();
}

/** A friend whose payment is 14 days old. */
async function qualifiedFriend(card?: string): Promise<AccountId> {
  const friend = await people.broughtBy(referrer);
  await people.buy(friend, card);
  await qualify(friend);
  await harness.pass(14);
  return friend;
}

async function refund(friendId: AccountId, amount?: number) {
  const { data } = await harness.stripe.charges.list({ customer: await customerOf(friendId), limit: 1 });
  await harness.stripe.refunds.create({ charge: data[0]?.id ?? "", ...(amount && { amount }) });
  await reconcileCustomer(harness.app, friendId);
}

async function customerOf(accountId: AccountId): Promise<string> {
  const row = await env.DB.prepare("select provider_id as id from customers where account_id = ?")
    .bind(accountId)
    .first<{ id: string }>();
  return row?.id ?? "";
}

async function emails(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select template from emails where template like 'reward%' order by created_at, rowid",
  ).all<{
    template: string;
  }>();
  return results.map(({ template }) => template);
}

describe("the reward for a friend", () => {
  test("is due fourteen days after the payment, exact to the millisecond, and given once with one email, for any number of requests", async () => {
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    await forty(() => qualify(friend));
    const { paid_at: paidAt } = (await env.DB.prepare("select paid_at from orders where account_id = ?")
      .bind(friend)
      .first<{
        paid_at: number;
      }>()) ?? { paid_at: 0 };
    expect(await people.referral(friend)).toMatchObject({ state: "waiting", waits_until: paidAt + 14 * dayMs });
    const at = (ms: number): App => ({ ...harness.app, clock: () => ms });
    await qualify(friend, at(paidAt + 14 * dayMs - 1));
    expect(await stateOf(friend)).toBe("waiting");
    await forty(() => qualify(friend, at(paidAt + 14 * dayMs)));
    expect(await people.referral(friend)).toMatchObject({ state: "approved", approved_at: paidAt + 14 * dayMs });
    expect(await people.ledger(referrer)).toEqual(["earned friend 500"]);
    expect(await emails()).toEqual(["reward-earned"]);
  });

  test("counts from the payment that reaches the threshold: the renewal, not the discounted first payment", async () => {
    harness.app.product = { ...harness.app.product, referral: referralTerms };
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    await forty(() => qualify(friend));
    await reconcileCustomer(harness.app, friend);
    await qualify(friend);
    expect(await stateOf(friend)).toBe("signed-up");
    await harness.pass(31.5);
    await reconcileCustomer(harness.app, friend);
    await qualify(friend);
    const { results } = await env.DB.prepare("select paid_at as at from orders where account_id = ? order by paid_at")
      .bind(friend)
      .all<{ at: number }>();
    expect(await people.referral(friend)).toMatchObject({
      state: "waiting",
      waits_until: (results[1]?.at ?? 0) + 14 * dayMs,
    });
  });

  test("isn't due for an order with a total of zero", async () => {
    const friend = await people.broughtBy(referrer);
    const credit = {
      referralId: "ref_own" as const,
      accountId: friend,
      amountMinor: minor(small),
      currency: product.currency,
    };
    await addEarned(harness.app.db, { ...credit, now: harness.app.clock() }, sql`true`);
    const [account] = await findAccount(harness.app.db, friend);
    if (!account) throw new Error("There is no account");
    expect(await postCredit(harness.app, account)).toMatchObject({ ok: true });
    await people.buy(friend, cards[0], { creditMinor: minor(small) });
    await qualify(friend);
    expect(
      await harness.app.db.$client.prepare("select state from orders where account_id = ?").bind(friend).first(),
    ).toEqual({
      state: "paid",
    });
    expect(await stateOf(friend)).toBe("signed-up");
  });

  test("waits while the referrer's account is closed, and is given once it is restored", async () => {
    const friend = await qualifiedFriend();
    const become = (state: string) =>
      env.DB.prepare("update accounts set state = ? where id = ?").bind(state, referrer).run();
    await become("closed");
    await runCron();
    expect(await stateOf(friend)).toBe("waiting");
    await become("active");
    await runCron();
    expect(await stateOf(friend)).toBe("approved");
  });

  test("isn't given for the thirteenth friend in a year, even if forty are due at the same time, and would be a year later", async () => {
    const friends: string[] = [];
    for (let count = 0; count < 16; count += 1) friends.push(await people.broughtBy(referrer));
    const now = harness.app.clock();
    // Payments as their orders store them, without sixteen cards.
    await env.DB.batch(
      friends.flatMap((friend, index) => [
        env.DB.prepare(
          `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, number_year, number_in_year,
             created_at, paid_at, updated_at) values (?1, ?2, 'paid', 'new-plan', 'golden', 'month', '${product.currency}', 600, 1, ?3, 0, ?4, ?4)`,
        ).bind(`ord_cap${index}`, friend, index + 1, now - 14 * dayMs),
        env.DB.prepare("update referrals set state = 'waiting', waits_until = ? where friend_id = ?").bind(now, friend),
      ]),
    );
    await Promise.all(
      friends.flatMap((friend) => [
        qualify(idOf("acc", friend)),
        qualify(idOf("acc", friend)),
        qualify(idOf("acc", friend)),
      ]),
    );
    const states = await Promise.all(friends.map(async (friend) => people.referral(idOf("acc", friend))));
    expect(states.filter((row) => row?.["state"] === "approved")).toHaveLength(12);
    expect(states.filter((row) => row?.["void_why"] === "cap")).toHaveLength(4);
    expect(await people.ledger(referrer)).toHaveLength(12);
    await harness.pass(366);
    const later = await qualifiedFriend(cards[1]);
    await qualify(later);
    expect(await stateOf(later)).toBe("approved");
  });
});

describe("a refund", () => {
  test("cancels a reward that isn't due yet", async () => {
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    await qualify(friend);
    await refund(friend);
    await forty(() => qualify(friend));
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "refund" });
    await harness.pass(20);
    await runCron();
    expect(await people.ledger(referrer)).toEqual([]);
    expect(await emails()).toEqual([]);
  });

  test("of a part counts by what was kept", async () => {
    const [enough, short] = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
    await people.buy(enough, cards[0]);
    await people.buy(short, cards[1]);
    await qualify(enough);
    await qualify(short);
    const surplus = minor(small) - referralTerms.qualifyingAmountMinor;
    await refund(enough, surplus);
    await refund(short, surplus + 1);
    await harness.pass(14);
    await runCron();
    expect([await stateOf(enough), await stateOf(short)]).toEqual(["approved", "void"]);
  });

  test("of the payment that reached the threshold makes the days count from a later one, if there is one", async () => {
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    await qualify(friend);
    const first = (await people.referral(friend))?.["waits_until"];
    await harness.pass(31.5);
    await reconcileCustomer(harness.app, friend);
    const { data } = await harness.stripe.charges.list({ customer: await customerOf(friend) });
    await harness.stripe.refunds.create({ charge: data.at(-1)?.id ?? "" });
    await reconcileCustomer(harness.app, friend);
    await runCron();
    const row = await people.referral(friend);
    expect(row?.["state"]).toBe("waiting");
    expect(Number(row?.["waits_until"])).toBeGreaterThan(Number(first) + 30 * dayMs);
  });

  test("reverses a given reward with a new line, once, with one email, for any number of requests", async () => {
    const friend = await qualifiedFriend();
    await runCron();
    await refund(friend);
    await forty(() => qualify(friend));
    await runCron();
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "refund" });
    expect(await people.ledger(referrer)).toEqual(["earned friend 500", "reversed refund -500"]);
    expect(await emails()).toEqual(["reward-earned", "reward-reversed"]);
  });

  test("of a given reward names the amount that was given, even if the config's amount has changed since", async () => {
    const friend = await qualifiedFriend();
    await runCron();
    harness.app.product = { ...harness.app.product, referral: { ...referralTerms, referrerCreditMinor: 900 } };
    await refund(friend);
    await qualify(friend);
    await harness.app.settled();
    const { currency } = harness.app.product;
    const [given, today] = [500, 900].map((amountMinor) => formatMoney({ amountMinor, currency }, "en"));
    expect(harness.app.emails.at(-1)?.text).toContain(given);
    expect(harness.app.emails.at(-1)?.text).not.toContain(today);
  });

  test("isn't emailed to a referrer who has switched off reward emails", async () => {
    await env.DB.prepare("update accounts set emails_off = ? where id = ?").bind('["rewards"]', referrer).run();
    const friend = await qualifiedFriend();
    await runCron();
    await refund(friend);
    await runCron();
    expect(await people.ledger(referrer)).toHaveLength(2);
    expect(await emails()).toEqual([]);
  });

  test("may follow a bank's decision: nothing is given until then, and the decision counts", async () => {
    const [won, lost] = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
    const orders = [await people.buy(won, cards[0]), await people.buy(lost, cards[1])];
    await harness.pass(13);
    for (const order of orders) await harness.control("dispute", { order });
    for (const friend of [won, lost]) await reconcileCustomer(harness.app, friend);
    await runCron();
    await harness.pass(2);
    await runCron();
    expect([await stateOf(won), await stateOf(lost)]).toEqual(["waiting", "waiting"]);
    await harness.control("dispute", { order: orders[0], outcome: "won" });
    await harness.control("dispute", { order: orders[1], outcome: "lost" });
    for (const friend of [won, lost]) await reconcileCustomer(harness.app, friend);
    await runCron();
    expect(await stateOf(won)).toBe("approved");
    expect(await people.referral(lost)).toMatchObject({ state: "void", void_why: "dispute" });
  });

  test("by a dispute at the same moment prevents the reward", async () => {
    const friend = await qualifiedFriend();
    // Read before the dispute was received.
    const [reward] = await findReward(harness.app.db, friend);
    if (!reward) throw new Error("There is no referral");
    await env.DB.prepare("update orders set dispute = 'needs-response' where account_id = ?").bind(friend).run();
    const terms = { qualifyingMinor: referralTerms.qualifyingAmountMinor, currency: harness.app.product.currency };
    expect(await approveReward(harness.app, reward, terms)).toBe(false);
    expect([await stateOf(friend), await people.ledger(referrer)]).toEqual(["waiting", []]);
  });
});

describe("a friend who shares a card", () => {
  test("pays with the referrer's card", async () => {
    await people.buy(referrer, cards[0]);
    const friend = await people.broughtBy(referrer);
    await people.buy(friend, cards[0]);
    await qualify(friend);
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "same-card" });
  });

  test("pays with the card of the referrer's referrer, a circle of two", async () => {
    await people.buy(referrer, cards[0]);
    const between = await people.broughtBy(referrer);
    const friend = await people.broughtBy(between);
    await people.buy(friend, cards[0]);
    await qualify(friend);
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "same-card" });
  });

  test("pays with another friend's card: of many that are checked at the same time, one counts", async () => {
    const friends = await Promise.all([1, 2, 3, 4].map(() => people.broughtBy(referrer)));
    for (const friend of friends) await people.buy(friend, cards[0]);
    await Promise.all(friends.flatMap((friend) => Array.from({ length: 10 }, () => qualify(friend))));
    const states = await Promise.all(friends.map(stateOf));
    expect(states.toSorted()).toEqual(["void", "void", "void", "waiting"]);
  });

  test("was referred by an account that later pays with the same card, using the credit earned for the friend: the credit is reversed, once", async () => {
    const friend = await qualifiedFriend(cards[0]);
    const other = await qualifiedFriend(cards[1]);
    await runCron();
    await people.buy(referrer, cards[0]);
    await forty(() => checkOwnCards(harness.app, referrer));
    await runCron();
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "same-card" });
    expect(await stateOf(other)).toBe("approved");
    expect(await people.ledger(referrer)).toEqual([
      "earned friend 500",
      "earned friend 500",
      "reversed same-card -500",
    ]);
    expect((await emails()).filter((template) => template === "reward-reversed")).toHaveLength(1);
  });

  test("is also found by the cron job if no request compared the cards: once the provider answers, and each payer once", async () => {
    const friend = await qualifiedFriend(cards[0]);
    await runCron();
    await people.buy(referrer, cards[0]);
    await runCron();
    expect(await stateOf(friend)).toBe("approved");
    await harness.pass(1);
    await harness.control("disorder", { apiFault: { kind: "500", next: 20 } });
    await sweepReferrals(harness.app);
    expect(await stateOf(friend)).toBe("approved");
    await harness.control("disorder", {});
    await forty(runCron);
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "same-card" });
    expect((await emails()).filter((template) => template === "reward-reversed")).toHaveLength(1);
    const counted = killedAtCall(harness.payments, 0, "before");
    await sweepReferrals({ ...harness.app, payments: counted.payments });
    expect(counted.counted.calls).toBe(0);
  });

  test("has no card number stored here, only a fingerprint", async () => {
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    await qualify(friend);
    expect((await people.referral(friend))?.["cards"]).toMatch(/^\|[0-9a-z]{52}\|$/);
  });
});

describe("many sign-ups by one link from one network within an hour", () => {
  const ip = "2001:db8:1:2:3::4";

  test("are all put under review, also when forty arrive at the same time; other networks and links aren't", async () => {
    const code = await people.codeOf(referrer);
    expect(code).toHaveLength(10);
    const elsewhere = await people.broughtBy(referrer, { ip: "192.0.2.1" });
    const friends = await Promise.all(
      Array.from({ length: 40 }, (_, host) => people.broughtBy(referrer, { ip: `2001:db8:1:2::${host}` })),
    );
    const other = await people.broughtBy(await people.person(), { ip });
    const states = await Promise.all(friends.map(stateOf));
    expect(new Set(states)).toEqual(new Set(["under-review"]));
    expect([await stateOf(elsewhere), await stateOf(other)]).toEqual(["signed-up", "signed-up"]);
    expect(await listReferralsUnderReview(harness.app.db, null, 100)).toHaveLength(40);
    const { results } = await env.DB.prepare("select * from referrals").all();
    expect(JSON.stringify(results)).not.toContain("2001:db8");
  });

  test("are not put under review for a family, and an hour later counting starts again", async () => {
    const family = await Promise.all([1, 2, 3].map(() => people.broughtBy(referrer, { ip })));
    expect(await Promise.all(family.map(stateOf))).toEqual(["signed-up", "signed-up", "signed-up"]);
    await harness.pass(1 / 24);
    expect(await stateOf(await people.broughtBy(referrer, { ip }))).toBe("signed-up");
  });

  test("continue automatically after seven days, also if the friend has paid meanwhile", async () => {
    const friends = await Promise.all([1, 2, 3, 4].map(() => people.broughtBy(referrer, { ip })));
    const [paying = noAccount] = friends;
    await people.buy(paying);
    await harness.pass(6.9);
    await runCron();
    expect(await stateOf(paying)).toBe("under-review");
    await harness.pass(0.2);
    await runCron();
    expect(await Promise.all(friends.map(stateOf))).toEqual(["waiting", "signed-up", "signed-up", "signed-up"]);
  });

  test("are decided by an operator, once, with a reason, and then continue or count for nothing", async () => {
    const friends = await Promise.all([1, 2, 3, 4].map(() => people.broughtBy(referrer, { ip })));
    const listed = await listReferralsUnderReview(harness.app.db, null, 100);
    expect(listed).toMatchObject(
      friends.map(() => ({ referrerId: referrer, referrer: expect.stringContaining(referrer) })),
    );
    const [good, bad] = listed;
    if (!good || !bad) throw new Error("nobody");
    await people.buy(good.friendId);
    const decide = (id: ReferralId, verdict: "approve" | "void") =>
      decideReferral(harness.app, id, { verdict, reason: "a school class" });
    const answers = await forty(() => decide(good.id, "approve"));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toEqual({ ok: false, refusal: { reason: "not-under-review" } });
    expect(await decide(bad.id, "void")).toEqual({ ok: true, value: { email: null, of: "sign-up" } });
    expect(await decide("ref_none", "void")).toEqual({ ok: false, refusal: { reason: "referral-unknown" } });
    expect(await people.referral(good.friendId)).toMatchObject({ state: "waiting", decision: "a school class" });
    expect(await people.referral(bad.friendId)).toMatchObject({ state: "void", void_why: "review" });
  });
});

describe("without events", () => {
  test("the cron job finds the payment, its due date and its refund", async () => {
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    await runCron();
    expect(await stateOf(friend)).toBe("waiting");
    await harness.pass(14);
    await runCron();
    expect(await stateOf(friend)).toBe("approved");
    await harness.pass(10);
    await refund(friend);
    await runCron();
    expect(await stateOf(friend)).toBe("void");
    expect(await people.ledger(referrer)).toEqual(["earned friend 500", "reversed refund -500"]);
  });

  test("the cron job waits for a provider that doesn't answer, and continues once it does", async () => {
    const friend = await people.broughtBy(referrer);
    await people.buy(friend);
    const silent = {
      ...harness.payments,
      withOwnDeadline: () => silent,
      listPaidMethods: async () => unreachable,
    } as typeof harness.payments;
    await sweepReferrals({ ...harness.app, payments: silent });
    expect(await stateOf(friend)).toBe("qualified");
    await runCron();
    expect(await stateOf(friend)).toBe("waiting");
  });

  const unreachable = { ok: false, refusal: { reason: "provider-unreachable", isFinal: false } } as const;
});

describe("a Worker that is killed while a reward is", () => {
  const scenes: Record<
    string,
    { before: () => Promise<AccountId>; ledger: string[]; state: string; emails: string[] }
  > = {
    qualified: {
      before: async () => {
        const friend = await people.broughtBy(referrer);
        await people.buy(friend);
        return friend;
      },
      ledger: [],
      state: "waiting",
      emails: [],
    },
    given: {
      before: () => qualifiedFriend(),
      ledger: ["earned friend 500"],
      state: "approved",
      emails: ["reward-earned"],
    },
    "taken back": {
      before: async () => {
        const friend = await qualifiedFriend();
        await runCron();
        await refund(friend);
        return friend;
      },
      ledger: ["earned friend 500", "reversed refund -500"],
      state: "void",
      emails: ["reward-earned", "reward-reversed"],
    },
  };

  test.each(Object.entries(scenes))("%s, at any point, leaves nothing half done", async (_name, scene) => {
    const stage = async () => {
      await begin();
      await people.buy(referrer, cards[4]);
      return scene.before();
    };
    const living = await stage();
    const alive = counting({ db: harness.app.db, payments: harness.payments });
    await qualify(living, { ...harness.app, ...alive.app });
    for (const point of alive.killPoints()) {
      const friend = await stage();
      await qualify(friend, { ...harness.app, ...killedAt(point, { ...harness, db: harness.app.db }) }).catch(
        () => undefined,
      );
      for (let minute = 0; minute < 3; minute += 1) await runCron();
      const where = `${point.when} ${point.kind} ${point.nth}`;
      expect([where, await stateOf(friend), await people.ledger(referrer), await emails()]).toEqual([
        where,
        scene.state,
        scene.ledger,
        scene.emails,
      ]);
      const customer = await harness.stripe.customers.retrieve(await customerOf(referrer));
      const sum = scene.ledger.reduce((all, line) => all + Number(line.split(" ").at(-1)), 0);
      expect([where, customer.deleted ? 0 : 0 - customer.balance]).toEqual([where, sum]);
    }
  });
});
