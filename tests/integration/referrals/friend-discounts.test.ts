import { idOf } from "#tests/support/ids.ts";
import { type AccountId, type OrderId, noOrder, noAccount, noReferral } from "#app/core/id.ts";
import { runInDurableObject } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { dayMs } from "#app/core/time/time.ts";
import { domainHash } from "#app/modules/accounts/customer-hashes.rules.ts";
import { addFormerAddress } from "#app/modules/accounts/former-addresses.queries.server.ts";
import { sealFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { product } from "#app/product/config.ts";
import { hashMailboxes } from "#app/modules/accounts/commands/hash-mailboxes.server.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { refused } from "#app/core/result.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { decideReferral } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { listDiscountsUnderReview } from "#app/modules/referrals/everyone.queries.server.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { advanceReferral } from "#app/modules/referrals/commands/advance-referral.server.ts";
import { readFriendship, showDiscount } from "#app/modules/referrals/reads/show-discount.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { cards, type Friends, friendsOf } from "#tests/support/billing/friends.ts";
import { counting, killedAt } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { referralTerms } from "#tests/support/site/worker-app.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

let harness: BillingHarness;
let people: Friends;
let referrer: AccountId;

const discount = referralTerms.friendDiscountMinor;
const price = minor(small);
const { currency } = product;

beforeEach(async () => {
  harness = await openBillingHarness();
  people = friendsOf(harness);
  await env.DB.prepare("delete from referrals").run();
  referrer = await people.person();
});

const qualify = (friend: AccountId, own: App = harness.app) => advanceReferral(own, friend);
const forty = <Value>(run: () => Promise<Value>) => Promise.all(Array.from({ length: 40 }, run));

async function runCron() {
  await sweepReferrals(harness.app);
  await harness.app.settled();
}

/** Pays, and runs everything that follows from it. */
async function pay(friend: AccountId, card = cards[0]) {
  const order = await people.buy(friend, card);
  await qualify(friend);
  await reconcileCustomer(harness.app, friend);
  await qualify(friend);
  await harness.app.settled();
  return order;
}

/** The sentence of the email that says why there is no discount. */
function refusedBecause(why: "known-mailbox" | "operator"): RegExp {
  const [reason = ""] = emailOf({ template: "friend-discount-refused", why, amount: gap, url: "" }).before;
  return fillGaps(reason);
}

async function discountOf(friend: string) {
  return env.DB.prepare("select state, why, amount_minor as amount from friend_discounts where friend_id = ?")
    .bind(friend)
    .first<{ state: string; why: string | null; amount: number }>();
}

async function orderRow(order: string) {
  return env.DB.prepare(
    `select state, amount_minor as charged, refunded_minor as refunded, friend_discount_minor as discount from orders where id = ?`,
  )
    .bind(order)
    .first();
}

/** What was refunded in all, according to the provider. */
async function refunds() {
  const { data } = await harness.stripe.refunds.list({ limit: 100 });
  return data.map(({ amount, metadata }) => [amount, metadata?.["purpose"] ?? "refund"]);
}

async function templates(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select template from emails where template like '%discount%' order by rowid",
  ).all<{
    template: string;
  }>();
  return results.map(({ template }) => template);
}

const withoutDiscount = { state: "paid", charged: price, refunded: 0, discount: 0 };
const withDiscount = { state: "paid", charged: price, refunded: discount, discount };

/** On the page after the payment and on the order's page: the same. */
async function shownOn(accountId: AccountId, orderId: OrderId) {
  const detail = await showOrder(harness.app, accountId, orderId);
  if (!detail) throw new Error("There is no such order");
  const shown = readFriendship(harness.app.product, detail.order, detail.friendship);
  expect(await showDiscount(harness.app, accountId, detail.order)).toEqual(shown);
  return shown;
}

/** As an account that paid before payment marks existed, and hasn't been reconciled since. */
async function forgetMethods(account: string) {
  await env.DB.batch([
    env.DB.prepare("delete from customer_hashes where kind = 'payment-method' and account_id = ?").bind(account),
    env.DB.prepare("update customers set methods_hashed_at = null where account_id = ?").bind(account),
  ]);
}

/** As a confirmed change of address leaves it: the new mailbox has to be looked up again. */
async function changeAddressTo(friend: string, address: string) {
  await env.DB.prepare("update accounts set email = ?2, email_canonical = ?2, mailbox_hashed_at = null where id = ?1")
    .bind(friend, address)
    .run();
}

/** The charges of this friend were made by a method for which Stripe returns no fingerprint: Link. */
async function payByLink(friend: AccountId, { isRefunded = false } = {}) {
  const order = await people.buy(friend, cards[0]);
  const row = await env.DB.prepare("select provider_id as id from customers where account_id = ?")
    .bind(friend)
    .first<{ id: string }>();
  const emulator = env.STRIPE_ACCOUNT.getByName(harness.emulatorHost);
  await runInDurableObject(emulator, (_, { storage }) => {
    storage.sql.exec(
      `update objects set body = json_set(json_remove(body, '$.payment_method_details.card'), '$.payment_method_details.type', 'link',
         '$.payment_method_details.link', json('{"country":"DE"}')) where kind = 'charge' and customer = ?`,
      row?.id ?? "",
    );
  });
  await env.DB.prepare("delete from customer_hashes where kind = 'payment-method' and account_id = ?")
    .bind(friend)
    .run();
  if (isRefunded) {
    await harness.control("refund", { order });
    await reconcileCustomer(harness.app, friend);
  }
  await qualify(friend);
  await harness.app.settled();
  return order;
}

describe("the friend discount", () => {
  test("is refunded from the first payment once it has arrived: once, for any number of requests, with one email, and the plan continues", async () => {
    const friend = await people.broughtBy(referrer);
    expect((await findBuyer(harness.app, friend)).friend).not.toBeNull();
    const order = await people.buy(friend);
    expect(await orderRow(order)).toEqual(withoutDiscount);
    await forty(() => qualify(friend));
    await forty(() => reconcileCustomer(harness.app, friend));
    await harness.app.settled();
    expect(await refunds()).toEqual([[discount, "friend-discount"]]);
    expect(await orderRow(order)).toEqual(withDiscount);
    expect(await discountOf(friend)).toEqual({ state: "paid", why: null, amount: discount });
    expect(await templates()).toEqual(["friend-discount"]);
    const plans = await env.DB.prepare("select state from subscriptions where account_id = ?").bind(friend).all();
    expect(plans.results).toEqual([{ state: "active" }]);
    const result = await env.DB.prepare("select what from history_events where order_id = ? and what like '%discount%'")
      .bind(order)
      .all();
    expect(result.results).toEqual([{ what: "friend-discount" }]);
    // Nothing is left of it for a second payment.
    expect((await findBuyer(harness.app, friend)).friend).toBeNull();
    await harness.pass(31.5);
    await pay(friend, cards[1]).catch(() => reconcileCustomer(harness.app, friend));
    await runCron();
    expect(await refunds()).toHaveLength(1);
  });

  test("isn't given without a referral, or if the referral is void", async () => {
    const stranger = await people.person();
    await pay(stranger);
    const own = await people.broughtBy(referrer, { address: `acc_x+self@${crypto.randomUUID()}.example` });
    await env.DB.prepare("update referrals set state = 'void', void_why = 'self' where friend_id = ?").bind(own).run();
    await pay(own, cards[1]);
    await runCron();
    expect(await refunds()).toEqual([]);
  });

  test("isn't paid while the sign-up is under review, and is once the review has passed", async () => {
    const friend = await people.broughtBy(referrer);
    const until = harness.app.clock() + 3_600_000;
    await env.DB.prepare("update referrals set state = 'under-review', waits_until = ? where friend_id = ?")
      .bind(until, friend)
      .run();
    const order = await pay(friend);
    await runCron();
    expect([await discountOf(friend), await orderRow(order)]).toEqual([null, withoutDiscount]);
    const id = String((await people.referral(friend))?.["id"]);
    expect(
      await decideReferral(harness.app, idOf("ref", id), { verdict: "approve", reason: "a family" }),
    ).toMatchObject({
      ok: true,
    });
    await reconcileCustomer(harness.app, friend);
    expect(await orderRow(order)).toEqual(withDiscount);
  });

  test.each(["approve", "void"] as const)(
    "isn't paid while a burst of later sign-ups puts its sign-up under review, and %s decides",
    async (verdict) => {
      const friend = await people.broughtBy(referrer);
      await people.buy(friend);
      const payFriendDiscount = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
      await qualify(friend, { ...harness.app, payments: { ...harness.payments, payFriendDiscount } });
      expect(await discountOf(friend)).toMatchObject({ state: "due" });
      await env.DB.prepare("update referrals set state = 'under-review', waits_until = ? where friend_id = ?")
        .bind(harness.app.clock() + 3_600_000, friend)
        .run();
      await runCron();
      await qualify(friend);
      expect(await refunds()).toEqual([]);
      const id = String((await people.referral(friend))?.["id"]);
      expect(await decideReferral(harness.app, idOf("ref", id), { verdict, reason: "looked at" })).toMatchObject({
        ok: true,
      });
      await runCron();
      await harness.app.settled();
      expect(await discountOf(friend)).toMatchObject(
        verdict === "approve" ? { state: "paid" } : { state: "refused", why: "operator" },
      );
      expect(await refunds()).toEqual(verdict === "approve" ? [[discount, "friend-discount"]] : []);
      if (verdict === "void") expect(await templates()).toEqual(["friend-discount-refused"]);
    },
  );

  test("is shown as expected before it is given, then with its result, and not at all once it is paid", async () => {
    const friend = await people.broughtBy(referrer);
    const shown = (order: OrderId, own = friend) => shownOn(own, order);
    await env.DB.prepare("update referrals set state = 'under-review', waits_until = ? where friend_id = ?")
      .bind(harness.app.clock() + 1000, friend)
      .run();
    const order = await people.buy(friend);
    const expected = { state: "expected", amountMinor: discount, currency: harness.app.product.currency };
    expect(await shown(order)).toEqual({ ...expected, isUnderReview: true });
    await env.DB.prepare("update referrals set state = 'signed-up', waits_until = null where friend_id = ?")
      .bind(friend)
      .run();
    expect(await shown(order)).toEqual({ ...expected, isUnderReview: false });
    // What is announced is what is then given.
    await qualify(friend);
    expect(await shown(order)).toBeNull();
    expect(await refunds()).toEqual([[expected.amountMinor, "friend-discount"]]);
    const stranger = await people.broughtBy(referrer);
    const byLink = await payByLink(stranger);
    expect(await shown(byLink, stranger)).toMatchObject({ state: "under-review" });
    // The page doesn't mention it for a later payment of the same account.
    await harness.pass(31.5);
    await reconcileCustomer(harness.app, stranger);
    const renewal = await env.DB.prepare("select id from orders where account_id = ? and kind = 'renewal'")
      .bind(stranger)
      .first<{ id: OrderId }>();
    expect(await shown(renewal?.id ?? noOrder, stranger)).toBeNull();
    const own = await people.broughtBy(referrer);
    await env.DB.prepare("update referrals set state = 'void', void_why = 'self' where friend_id = ?").bind(own).run();
    const refusal = { state: "refused", why: "known-mailbox", amountMinor: discount };
    expect(await shown(await people.buy(own, cards[2]), own)).toMatchObject(refusal);
  });

  test("is given by the cron job if a Worker was killed after the payment, or after a review ended", async () => {
    const [first, second] = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
    const orders = [await people.buy(first, cards[0])];
    const until = harness.app.clock() - 1;
    await env.DB.prepare("update referrals set state = 'under-review', waits_until = ? where friend_id = ?")
      .bind(until, second)
      .run();
    orders.push(await people.buy(second, cards[1]));
    await runCron();
    for (const friend of [first, second]) await reconcileCustomer(harness.app, friend);
    expect(await Promise.all(orders.map(orderRow))).toEqual([withDiscount, withDiscount]);
  });

  test("waits while a bank disputes the payment or a withdrawal is declared, and ends if the payment is refunded", async () => {
    const addresses = ["a", "b"].map((name) => `${name}-${crypto.randomUUID()}@${crypto.randomUUID()}.example`);
    const [first, second] = [
      await people.broughtBy(referrer, { address: addresses[0] }),
      await people.broughtBy(referrer, { address: addresses[1] }),
    ];
    const orders = [await people.buy(first, cards[0]), await people.buy(second, cards[1])];
    await harness.control("dispute", { order: orders[0] });
    await reconcileCustomer(harness.app, first);
    const email = parseEmailAddress(addresses[1] ?? "");
    if (!email) throw new Error("No address");
    await declareWithdrawal(
      harness.app,
      { name: "Nils", order: orders[1] ?? "", email },
      { ip: "192.0.2.9", accountId: null, isOwn: true },
    );
    for (const friend of [first, second]) await qualify(friend);
    await runCron();
    expect(await refunds()).toEqual([]);
    await harness.control("dispute", { order: orders[0], outcome: "won" });
    await harness.control("refund", { order: orders[1] });
    for (const friend of [first, second]) await reconcileCustomer(harness.app, friend);
    await runCron();
    await reconcileCustomer(harness.app, first);
    expect(await orderRow(orders[0] ?? "")).toEqual(withDiscount);
    expect(await discountOf(second)).toMatchObject({ state: "refused", why: "money-back" });
    expect((await refunds()).toSorted()).toEqual(
      [
        [discount, "friend-discount"],
        [price, "refund"],
      ].toSorted(),
    );
  });

  test("waits while a declared withdrawal names a later change of its contract", async () => {
    const address = `c-${crypto.randomUUID()}@${crypto.randomUUID()}.example`;
    const friend = await people.broughtBy(referrer, { address });
    await people.buy(friend);
    const change = await people.change(friend, { planId: large.id, interval: "month" });
    const email = parseEmailAddress(address);
    if (!email) throw new Error("No address");
    const by = { ip: "192.0.2.9", accountId: null, isOwn: true };
    await declareWithdrawal(harness.app, { name: "Nils", order: change, email }, by);
    await qualify(friend);
    await runCron();
    expect([await discountOf(friend), await refunds()]).toMatchObject([{ state: "due" }, []]);
    await harness.control("refund", { order: change });
    await reconcileCustomer(harness.app, friend);
    await runCron();
    expect(await discountOf(friend)).toMatchObject({ state: "refused", why: "money-back" });
  });

  test("adds up with a later full refund to what was paid, and then the plan ends", async () => {
    const friend = await people.broughtBy(referrer);
    const order = await pay(friend);
    await harness.control("refund", { order });
    await reconcileCustomer(harness.app, friend);
    expect(await orderRow(order)).toEqual({ state: "refunded", charged: price, refunded: price, discount });
    const plans = await env.DB.prepare("select state from subscriptions where account_id = ?").bind(friend).all();
    expect(plans.results).toEqual([{ state: "ended" }]);
  });

  test("doesn't complete a withdrawal, and a real refund does", async () => {
    const address = `w-${crypto.randomUUID()}@${crypto.randomUUID()}.example`;
    const friend = await people.broughtBy(referrer, { address });
    const order = await people.buy(friend);
    await qualify(friend);
    const email = parseEmailAddress(address);
    if (!email) throw new Error("No address");
    await declareWithdrawal(
      harness.app,
      { name: "Nils", order, email },
      { ip: "192.0.2.8", accountId: null, isOwn: true },
    );
    await harness.app.settled();
    await reconcileCustomer(harness.app, friend);
    const state = async () =>
      (await env.DB.prepare("select state from withdrawals where order_id = ?").bind(order).first<{ state: string }>())
        ?.state;
    expect([await orderRow(order), await state()]).toEqual([withDiscount, "acknowledged"]);
    await harness.control("refund", { order });
    await reconcileCustomer(harness.app, friend);
    expect(await state()).toBe("refunded");
  });

  test("has the same result wherever a Worker is killed", async () => {
    const stage = async () => {
      await begin();
      const friend = await people.broughtBy(referrer);
      return { friend, order: await people.buy(friend) };
    };
    const living = await stage();
    const alive = counting({ ...harness, db: harness.app.db });
    await qualify(living.friend, { ...harness.app, ...alive.app });
    for (const point of alive.killPoints()) {
      const { friend, order } = await stage();
      await qualify(friend, { ...harness.app, ...killedAt(point, { ...harness, db: harness.app.db }) }).catch(
        () => undefined,
      );
      for (let minute = 0; minute < 2; minute += 1) await runCron();
      await reconcileCustomer(harness.app, friend);
      const where = `${point.when} ${point.kind} ${point.nth}`;
      expect([where, await refunds(), await orderRow(order)]).toEqual([
        where,
        [[discount, "friend-discount"]],
        withDiscount,
      ]);
    }
  });
});

async function begin() {
  harness = await openBillingHarness();
  people = friendsOf(harness);
  await env.DB.prepare("delete from referrals").run();
  referrer = await people.person();
}

describe("a friend who isn't a new customer", () => {
  test.each([
    ["m.box+m1@googlemail.com", "mbox@gmail.com"],
    ["box+m1@example.net", "box@example.net"],
  ])(
    "gets no discount by %s beside an account of %s, with any referrer, and is informed after the payment",
    async (again, before) => {
      await people.person(before);
      const friend = await people.broughtBy(referrer, { address: again });
      expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "returned" });
      // It isn't mentioned before the payment, which only the friend can decide on.
      expect((await findBuyer(harness.app, friend)).friend).toBeNull();
      const order = await people.buy(friend);
      const refusal = { state: "refused", why: "known-mailbox", amountMinor: discount, currency };
      expect([await shownOn(friend, order), await discountOf(friend)]).toEqual([refusal, null]);
      await forty(() => qualify(friend));
      await runCron();
      expect(await shownOn(friend, order)).toEqual(refusal);
      expect([await refunds(), await orderRow(order), await templates()]).toEqual([
        [],
        withoutDiscount,
        ["friend-discount-refused"],
      ]);
      expect(harness.app.emails.at(-1)?.text).toMatch(refusedBecause("known-mailbox"));
      // A later payment isn't the first one: nothing is mentioned.
      await harness.pass(31.5);
      await reconcileCustomer(harness.app, friend);
      await qualify(friend);
      await runCron();
      const renewal = await env.DB.prepare("select id from orders where account_id = ? and kind = 'renewal'")
        .bind(friend)
        .first<{ id: OrderId }>();
      expect([await shownOn(friend, renewal?.id ?? noOrder), await templates()]).toEqual([
        null,
        ["friend-discount-refused"],
      ]);
    },
  );

  test.each(["self", "circle"])("is informed in the same way if the sign-up was void because of %s", async (why) => {
    const friend = await people.broughtBy(referrer);
    await env.DB.prepare("update referrals set state = 'void', void_why = ? where friend_id = ?")
      .bind(why, friend)
      .run();
    await pay(friend);
    expect(await discountOf(friend)).toEqual({ state: "refused", why: "known-mailbox", amount: discount });
    expect(await templates()).toEqual(["friend-discount-refused"]);
  });

  const review = (friend: string) =>
    env.DB.prepare("update referrals set state = 'under-review', waits_until = ? where friend_id = ?")
      .bind(harness.app.clock() + 3_600_000, friend)
      .run();
  const refuse = async (friend: AccountId, own: App = harness.app) => {
    const id = String((await people.referral(friend))?.["id"]);
    return decideReferral(own, idOf("ref", id), { verdict: "void", reason: "one person" });
  };
  const byOperator = { state: "refused", why: "operator", amount: discount };

  test("is informed once, on the order and by email, that an operator refused the sign-up after the payment", async () => {
    const friend = await people.broughtBy(referrer);
    await review(friend);
    const order = await pay(friend);
    expect([await shownOn(friend, order), await templates()]).toMatchObject([
      { state: "expected", isUnderReview: true },
      [],
    ]);
    const answers = await forty(() => refuse(friend));
    const decided = answers.flatMap((each) => (each.ok ? [each.value] : []));
    expect(decided).toMatchObject([{ of: "sign-up", email: { content: { template: "friend-discount-refused" } } }]);
    await runCron();
    await qualify(friend);
    expect([await discountOf(friend), await templates(), await refunds()]).toEqual([
      byOperator,
      ["friend-discount-refused"],
      [],
    ]);
    expect(await shownOn(friend, order)).toEqual({
      state: "refused",
      why: "operator",
      amountMinor: discount,
      currency,
    });
    expect(harness.app.emails.at(-1)?.text).toMatch(refusedBecause("operator"));
  });

  test("is informed with the payment if an operator had already refused the sign-up", async () => {
    const friend = await people.broughtBy(referrer);
    await review(friend);
    expect(await refuse(friend)).toEqual({ ok: true, value: { of: "sign-up", email: null } });
    await runCron();
    expect([await discountOf(friend), await templates()]).toEqual([null, []]);
    const order = await people.buy(friend);
    expect(await shownOn(friend, order)).toMatchObject({ state: "refused", why: "operator" });
    // No request qualified it: the cron job finds it.
    await runCron();
    await runCron();
    expect([await discountOf(friend), await templates()]).toEqual([byOperator, ["friend-discount-refused"]]);
  });

  test("isn't informed of a refused sign-up if the discount's months had passed, or the payment was refunded", async () => {
    const [late, back] = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
    for (const friend of [late, back]) await review(friend);
    await env.DB.prepare("update referrals set signed_up_at = ? where friend_id = ?")
      .bind(harness.app.clock() - 366 * dayMs, late)
      .run();
    await pay(late);
    await harness.control("refund", { order: await pay(back, cards[1]) });
    await reconcileCustomer(harness.app, back);
    for (const friend of [late, back]) expect(await refuse(friend)).toMatchObject({ ok: true, value: { email: null } });
    await runCron();
    expect(await templates()).toEqual([]);
  });

  test("is informed of a refused sign-up wherever a Worker is killed", async () => {
    const stage = async () => {
      await begin();
      const friend = await people.broughtBy(referrer);
      await review(friend);
      await pay(friend);
      // The cron job has run since: what is missing now isn't caused by a payment.
      await runCron();
      await env.DB.prepare("update orders set updated_at = 0 where account_id = ?").bind(friend).run();
      return friend;
    };
    const living = await stage();
    const alive = counting({ ...harness, db: harness.app.db });
    await refuse(living, { ...harness.app, ...alive.app });
    expect(alive.killPoints().length).toBeGreaterThan(2);
    for (const point of alive.killPoints()) {
      const friend = await stage();
      await refuse(friend, { ...harness.app, ...killedAt(point, { ...harness, db: harness.app.db }) }).catch(
        () => undefined,
      );
      await runCron();
      // The operator who received no answer decides again.
      await refuse(friend);
      await runCron();
      const result = [await discountOf(friend), await templates()];
      const where = `${point.when} ${point.kind} ${point.nth}`;
      expect([where, result]).toEqual([where, [byOperator, ["friend-discount-refused"]]]);
    }
  }, 60_000);

  test("isn't informed if nothing was promised, or the referral was void for another reason", async () => {
    const [late, gone] = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
    const aYearAgo = harness.app.clock() - 366 * dayMs;
    await env.DB.batch([
      env.DB.prepare(
        "update referrals set state = 'void', void_why = 'returned', signed_up_at = ? where friend_id = ?",
      ).bind(aYearAgo, late),
      env.DB.prepare("update referrals set state = 'void', void_why = 'account-erased' where friend_id = ?").bind(gone),
    ]);
    for (const [index, friend] of [late, gone].entries()) {
      const order = await pay(friend, cards[index]);
      expect([await shownOn(friend, order), await discountOf(friend)]).toEqual([null, null]);
    }
    await runCron();
    expect(await templates()).toEqual([]);
  });

  test("is informed about the mailbox once, wherever a Worker is killed", async () => {
    const stage = async () => {
      await begin();
      const address = `box-${crypto.randomUUID().slice(0, 8)}`;
      await people.person(`${address}@gmail.com`);
      const friend = await people.broughtBy(referrer, { address: `${address}+1@gmail.com` });
      await people.buy(friend);
      return friend;
    };
    const living = await stage();
    const alive = counting({ ...harness, db: harness.app.db });
    await qualify(living, { ...harness.app, ...alive.app });
    expect(alive.killPoints().length).toBeGreaterThan(2);
    for (const point of alive.killPoints()) {
      const friend = await stage();
      await qualify(friend, { ...harness.app, ...killedAt(point, { ...harness, db: harness.app.db }) }).catch(
        () => undefined,
      );
      for (let minute = 0; minute < 2; minute += 1) await runCron();
      const result = [await discountOf(friend), await templates(), await refunds()];
      const once = [{ state: "refused", why: "known-mailbox", amount: discount }, ["friend-discount-refused"], []];
      expect([`${point.when} ${point.kind} ${point.nth}`, result]).toEqual([
        `${point.when} ${point.kind} ${point.nth}`,
        once,
      ]);
    }
  }, 60_000);

  test("gets no discount for a card that another account has paid with, even one without a referral", async () => {
    await pay(await people.person(), cards[0]);
    const friend = await people.broughtBy(referrer);
    const order = await pay(friend, cards[0]);
    expect(await discountOf(friend)).toMatchObject({ state: "refused", why: "known-method" });
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "same-card" });
    expect([await refunds(), await orderRow(order)]).toEqual([[], withoutDiscount]);
    expect(await templates()).toEqual(["friend-discount-refused"]);
  });

  test("gets none for the card of a customer from before hashes were stored: it waits until all of that customer's payment methods are recorded", async () => {
    const earlier = await people.person();
    await people.buy(earlier, cards[0]);
    await forgetMethods(earlier);
    await harness.pass(1);
    const friend = await people.broughtBy(referrer);
    const order = await people.buy(friend, cards[0]);
    const other = await people.broughtBy(referrer);
    await people.buy(other, cards[1]);
    for (const each of [friend, other]) await qualify(each);
    // For hours the provider doesn't answer; although the cron job has passed their payments, neither is lost.
    const listPaidMethods = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
    const silent = { ...harness.payments, listPaidMethods, withOwnDeadline: () => silent };
    for (let hours = 0; hours < 3; hours += 1) {
      await harness.pass(1 / 24);
      await sweepReferrals({ ...harness.app, payments: silent });
    }
    expect([await discountOf(friend), await discountOf(other), await refunds()]).toEqual([null, null, []]);
    await harness.pass(1 / 24);
    await runCron();
    expect(await discountOf(friend)).toMatchObject({ state: "refused", why: "known-method" });
    expect(await orderRow(order)).toEqual(withoutDiscount);
    expect(await discountOf(other)).toMatchObject({ state: "paid" });
    expect(await refunds()).toEqual([[discount, "friend-discount"]]);
  });

  test("gets none for the card of an older customer whom the provider has since deleted, and delays no other friend", async () => {
    const [gone, earlier] = [await people.person(), await people.person()];
    for (const [index, each] of [gone, earlier].entries()) await people.buy(each, cards[index]);
    for (const each of [gone, earlier]) await forgetMethods(each);
    await env.DB.prepare("update customers set provider_id = 'cus_nobody' where account_id = ?").bind(gone).run();
    await harness.pass(1);
    const friend = await people.broughtBy(referrer);
    await people.buy(friend, cards[1]);
    await qualify(friend);
    await runCron();
    expect(await discountOf(friend)).toMatchObject({ state: "refused", why: "known-method" });
  });

  test("gets one discount in total for four consecutive accounts of one mailbox with one card", async () => {
    for (const tag of ["", "+1", "+2", "+3"]) {
      const friend = await people.broughtBy(referrer, { address: `puppet${tag}@gmail.com` });
      await pay(friend, cards[0]);
    }
    await runCron();
    expect(await refunds()).toEqual([[discount, "friend-discount"]]);
  });

  test("gets one discount in total for six new accounts that pay with one card at the same time", async () => {
    const friends = await Promise.all(Array.from({ length: 6 }, () => people.broughtBy(referrer)));
    for (const friend of friends) await people.buy(friend, cards[0]);
    await env.DB.prepare("delete from customer_hashes where kind = 'payment-method'").run();
    await Promise.all(
      friends.flatMap((friend) => [qualify(friend), qualify(friend), reconcileCustomer(harness.app, friend)]),
    );
    await runCron();
    expect(await refunds()).toEqual([[discount, "friend-discount"]]);
  });

  test("gets none after changing the address to a mailbox that another account had, even one without a referral", async () => {
    await people.person("owner@gmail.com");
    const friend = await people.broughtBy(referrer);
    await changeAddressTo(friend, "o.wner+1@gmail.com");
    const order = await pay(friend);
    expect(await discountOf(friend)).toMatchObject({ state: "refused", why: "known-mailbox" });
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "returned" });
    expect([await refunds(), await orderRow(order)]).toEqual([[], withoutDiscount]);
    expect(await templates()).toEqual(["friend-discount-refused"]);
  });

  test("gets none for a mailbox that already earned one, even if its hash has moved to an older account", async () => {
    const [older, younger] = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
    await env.DB.prepare("update accounts set created_at = created_at - 1000 where id = ?").bind(older).run();
    await changeAddressTo(younger, "earned@gmail.com");
    await pay(younger, cards[0]);
    await changeAddressTo(older, "earned+1@gmail.com");
    await pay(older, cards[1]);
    const owners = await env.DB.prepare("select account_id as id from customer_hashes where account_id in (?1, ?2)")
      .bind(older, younger)
      .all<{ id: string }>();
    expect(owners.results.map(({ id }) => id)).toContain(older);
    expect(await discountOf(older)).toMatchObject({ state: "refused", why: "known-mailbox" });
    expect(await refunds()).toHaveLength(1);
  });

  test.each([
    ["as their hashes show", false],
    ["where no mark tells", true],
  ])(
    "gets one discount in total for four accounts that change to one mailbox and pay at the same time, %s",
    async (_, isUnhashed) => {
      const friends = await Promise.all(cards.slice(0, 4).map(() => people.broughtBy(referrer)));
      for (const [index, friend] of friends.entries()) await people.buy(friend, cards[index]);
      for (const [index, friend] of friends.entries())
        await changeAddressTo(friend, `racer-${isUnhashed}+${index}@gmail.com`);
      await hashMailboxes(harness.app);
      if (isUnhashed) await env.DB.prepare("delete from customer_hashes where kind = 'mailbox'").run();
      await Promise.all(friends.flatMap((friend) => [qualify(friend), qualify(friend)]));
      await runCron();
      const states = (await Promise.all(friends.map(discountOf))).map((found) => `${found?.state} ${found?.why}`);
      const known = "refused known-mailbox";
      expect(states.toSorted()).toEqual(["paid null", known, known, known]);
      expect(await refunds()).toHaveLength(1);
    },
  );

  test.each(["order_id", "mailbox_hash", "method_hash", "refund_id"])(
    "gets no second discount for one %s in the table, whatever a statement reads before it writes",
    async (column) => {
      const friends = [await people.broughtBy(referrer), await people.broughtBy(referrer)];
      const orders = [
        await people.buy(friends[0] ?? noAccount, cards[0]),
        await people.buy(friends[1] ?? noAccount, cards[1]),
      ];
      const add = async (index: number, same: string) => {
        const own = {
          order_id: orders[index],
          mailbox_hash: `m${index}`,
          method_hash: `c${index}`,
          refund_id: `r${index}`,
        };
        const row = { ...own, [column]: same };
        return env.DB.prepare(
          `insert into friend_discounts (referral_id, friend_id, order_id, state, amount_minor, currency, mailbox_hash,
             method_hash, refund_id, created_at) select id, friend_id, ?2, 'due', 1, 'EUR', ?3, ?4, ?5, 0 from referrals where friend_id = ?1`,
        )
          .bind(friends[index], row.order_id, row.mailbox_hash, row.method_hash, row.refund_id)
          .run();
      };
      const same = column === "order_id" ? (orders[0] ?? "") : "same";
      await env.DB.prepare("delete from friend_discounts").run();
      expect((await add(0, same)).meta.changes).toBe(1);
      await expect(add(1, same)).rejects.toThrow(`UNIQUE constraint failed: friend_discounts.${column}`);
      expect((await add(1, column === "order_id" ? (orders[1] ?? "") : "other")).meta.changes).toBe(1);
    },
  );

  test("is still recognised after the account was erased: its mailbox and its card earn nothing again", async () => {
    const gone = await people.broughtBy(referrer, { address: "leaver@gmail.com" });
    await pay(gone, cards[0]);
    await env.DB.prepare("update accounts set state = 'erased', email = ?1, email_canonical = ?1 where id = ?2")
      .bind(`gone-${gone}@invalid`, gone)
      .run();
    const again = await people.broughtBy(referrer, { address: "leaver+2@gmail.com" });
    expect(await people.referral(again)).toMatchObject({ state: "void", void_why: "returned" });
    const other = await people.broughtBy(referrer);
    await pay(other, cards[0]);
    expect(await discountOf(other)).toMatchObject({ state: "refused", why: "known-method" });
    expect(await refunds()).toHaveLength(1);
  });
});

describe("a discount that an operator has to review", () => {
  test("has a method without a fingerprint: neither discount nor reward is given until it is approved", async () => {
    const friend = await people.broughtBy(referrer);
    const order = await payByLink(friend);
    expect(await discountOf(friend)).toMatchObject({ state: "under-review", why: "payment-method" });
    expect(await templates()).toEqual(["friend-discount-review"]);
    expect(await refunds()).toEqual([]);
    const [listed] = await listDiscountsUnderReview(harness.app.db, null, 10);
    expect(listed).toMatchObject({ friendId: friend, orderId: order, why: "payment-method", amountMinor: discount });
    const decide = () =>
      decideReferral(harness.app, listed?.id ?? noReferral, { verdict: "approve", reason: "a new customer" });
    const answers = await Promise.all([decide(), decide(), decide()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    await reconcileCustomer(harness.app, friend);
    expect(await orderRow(order)).toEqual(withDiscount);
    expect(await refunds()).toHaveLength(1);
  });

  test("is over once it is approved if nothing was left of the payment, without a refund of nothing", async () => {
    const friend = await people.broughtBy(referrer);
    const order = await payByLink(friend, { isRefunded: true });
    expect(await discountOf(friend)).toEqual({ state: "under-review", why: "payment-method", amount: 0 });
    const { results } = await env.DB.prepare("select referral_id as id from friend_discounts where friend_id = ?")
      .bind(friend)
      .all<{ id: string }>();
    const approval = { verdict: "approve", reason: "a new customer" } as const;
    expect(await decideReferral(harness.app, idOf("ref", results[0]?.id), approval)).toMatchObject({ ok: true });
    await runCron();
    expect(await discountOf(friend)).toMatchObject({ state: "paid", amount: 0 });
    expect(await refunds()).toEqual([[price, "refund"]]);
    expect(await orderRow(order)).toMatchObject({ state: "refunded", discount: 0 });
    expect(harness.reports).toEqual([]);
  });

  test.each<[string, number | null]>([
    ["all", null],
    ["more than the discount leaves", price - discount + 1],
  ])(
    "is over without a report if %s of the order was refunded, and the site hadn't heard of it",
    async (_, amountMinor) => {
      const friend = await people.broughtBy(referrer);
      const order = await payByLink(friend);
      const [listed] = await listDiscountsUnderReview(harness.app.db, null, 10);
      await harness.control("refund", { order, amountMinor });
      const approval = { verdict: "approve", reason: "a new customer" } as const;
      expect(await decideReferral(harness.app, listed?.id ?? noReferral, approval)).toMatchObject({ ok: true });
      expect(await discountOf(friend)).toMatchObject({ state: "refused", why: "money-back" });
      const refunded = amountMinor ?? price;
      expect(await orderRow(order)).toMatchObject({ refunded, discount: 0 });
      expect(await refunds()).toEqual([[refunded, "refund"]]);
      expect(harness.reports).toEqual([]);
    },
  );

  test.each(["apple_pay", "google_pay"])(
    "has a card paid from %s, whose fingerprint may be the device's: it doesn't count as new, and isn't recognised later",
    async (wallet) => {
      const friend = await people.broughtBy(referrer);
      const order = await pay(friend, wallet);
      expect(await discountOf(friend)).toMatchObject({ state: "under-review", why: "payment-method" });
      expect(await orderRow(order)).toEqual(withoutDiscount);
      await runCron();
      expect([await refunds(), await templates()]).toEqual([[], ["friend-discount-review"]]);
      const noted = await env.DB.prepare("select 1 from customer_hashes where kind = 'payment-method'").all();
      expect(noted.results).toEqual([]);
    },
  );

  test("is the second one at a private domain, and refusing it ends the referral", async () => {
    const at = (name: string) => ({ address: `${name}@catch-all.example` });
    const [first, second] = [await people.broughtBy(referrer, at("a")), await people.broughtBy(referrer, at("b"))];
    await pay(first, cards[0]);
    await pay(second, cards[1]);
    expect([await discountOf(first), await discountOf(second)]).toMatchObject([
      { state: "paid" },
      { state: "under-review", why: "domain" },
    ]);
    const id = String((await people.referral(second))?.["id"]);
    expect(await decideReferral(harness.app, idOf("ref", id), { verdict: "void", reason: "one person" })).toMatchObject(
      {
        ok: true,
      },
    );
    expect(await discountOf(second)).toMatchObject({ state: "refused", why: "operator" });
    expect(await people.referral(second)).toMatchObject({ state: "void", void_why: "review" });
    expect(await templates()).toEqual(["friend-discount", "friend-discount-review", "friend-discount-refused"]);
    expect(await refunds()).toHaveLength(1);
  });

  /** A new domain for each test: the accounts of earlier ones still exist. */
  const newDomain = () => `${crypto.randomUUID().slice(0, 8)}.example`;

  test("is at the referrer's current or former domain, also if the referrer never paid", async () => {
    const [domain, former] = [newDomain(), newDomain()];
    const owner = await people.person(`me@${domain}`);
    const left = await sealFormerAddress(harness.app, { id: owner, email: `me@${former}` });
    await addFormerAddress(harness.app.db, left, sql`true`);
    const friends = [
      await people.broughtBy(owner, { address: `shop@${domain}` }),
      await people.broughtBy(owner, { address: `shop@${former}` }),
    ];
    for (const [index, friend] of friends.entries()) await pay(friend, cards[index]);
    const reviewed = { state: "under-review", why: "domain", amount: discount };
    expect(await Promise.all(friends.map(discountOf))).toEqual([reviewed, reviewed]);
    expect([await refunds(), await templates()]).toEqual([[], ["friend-discount-review", "friend-discount-review"]]);
  });

  test("is at a customer's domain, with any referrer, and whatever happened to that payment", async () => {
    const domain = newDomain();
    const customer = await people.person(`first@${domain}`);
    const paid = await people.buy(customer, cards[0]);
    await harness.control("refund", { order: paid });
    await reconcileCustomer(harness.app, customer);
    const friend = await people.broughtBy(referrer, { address: `second@${domain}` });
    const order = await pay(friend, cards[1]);
    expect(await discountOf(friend)).toEqual({ state: "under-review", why: "domain", amount: discount });
    expect(await shownOn(friend, order)).toMatchObject({ state: "under-review", why: "domain" });
    expect(await orderRow(order)).toEqual(withoutDiscount);
    // Neither the page nor the email reveals whether another account is a customer.
    const result = harness.app.emails.at(-1)?.text ?? "";
    const [, reason] = emailOf({ template: "friend-discount-review", why: "domain", amount: gap, url: "" }).before;
    expect(result).toContain(reason);
    expect(result).not.toMatch(/another (customer|friend|account)/i);
  });

  test("is at a subdomain or parent domain of a customer's, since a domain's owner has every name below it", async () => {
    const [ofReferrer, ofFriend, ofCustomer] = [newDomain(), newDomain(), newDomain()].map((name) =>
      name.replace(".example", ".co.uk"),
    );
    const owner = await people.person(`me@mail.${ofReferrer}`);
    await people.buy(await people.person(`customer@${ofCustomer}`), cards[0]);
    const before = await people.broughtBy(referrer, { address: `a@one.${ofFriend}` });
    await pay(before, cards[1]);
    expect(await discountOf(before)).toMatchObject({ state: "paid" });
    await harness.pass(1 / 24);
    const friends = [
      await people.broughtBy(owner, { address: `b@shop.${ofReferrer}` }),
      await people.broughtBy(referrer, { address: `c@two.${ofFriend}` }),
      await people.broughtBy(referrer, { address: `d@three.${ofCustomer}` }),
    ];
    for (const [index, friend] of friends.entries()) await pay(friend, cards[index + 2]);
    const reviewed = { state: "under-review", why: "domain", amount: discount };
    expect(await Promise.all(friends.map(discountOf))).toEqual([reviewed, reviewed, reviewed]);
  });

  test("is at the domain of a customer whose account was erased", async () => {
    const domain = newDomain();
    const hash = await domainHash(harness.app.pepper, domain);
    await env.DB.prepare("insert into deleted_addresses (address_hash, erased_at) values (?, 0)").bind(hash).run();
    const friend = await people.broughtBy(referrer, { address: `again@${domain}` });
    await pay(friend);
    expect(await discountOf(friend)).toMatchObject({ state: "under-review", why: "domain" });
  });

  test("is not at the domain of accounts that have paid nothing, or paid later", async () => {
    const domain = newDomain();
    const later = await people.person(`later@${domain}`);
    const friend = await people.broughtBy(referrer, { address: `friend@${domain}` });
    await people.buy(friend, cards[0]);
    await harness.pass(1 / 24);
    await people.buy(later, cards[1]);
    await qualify(friend);
    expect(await discountOf(friend)).toMatchObject({ state: "paid" });
    // Nor at a domain whose name ends alike.
    const other = await people.broughtBy(referrer, { address: `friend@other-${domain}` });
    await pay(other, cards[2]);
    expect(await discountOf(other)).toMatchObject({ state: "paid" });
  });

  test("is not one of two accounts at a public email provider", async () => {
    const customer = await people.person(`three${crypto.randomUUID().slice(0, 8)}@gmail.com`);
    await people.buy(customer, cards[2]);
    const friends = [
      await people.broughtBy(referrer, { address: `one${crypto.randomUUID().slice(0, 8)}@gmail.com` }),
      await people.broughtBy(referrer, { address: `two${crypto.randomUUID().slice(0, 8)}@gmail.com` }),
    ];
    for (const [index, friend] of friends.entries()) await pay(friend, cards[index]);
    expect(await refunds()).toHaveLength(2);
  });
});
