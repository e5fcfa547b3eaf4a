import { idOf } from "#tests/support/ids.ts";
import { type OrderId, noOrder, noWithdrawal, type WithdrawalId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { eraseAccount } from "#app/modules/closing/commands/erase-account.server.ts";
import { deleteDueAccounts } from "#app/modules/closing/commands/delete-due-accounts.server.ts";
import { restoreMs } from "#app/modules/closing/rules.ts";
import { endBilling } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { sweepLedger } from "#app/modules/billing/credit/commands/sweep-ledger.server.ts";
import { addRefunds } from "#app/modules/billing/history/reads/add-refunds.server.ts";
import { previewContestedWithdrawal } from "#app/modules/operators/decision-emails.server.ts";
import { advanceReferral } from "#app/modules/referrals/commands/advance-referral.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import type { WithdrawalState } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { conclude, contracts, declarations, declare, orders } from "#tests/support/billing/contracts.ts";
import { cards, friendsOf } from "#tests/support/billing/friends.ts";
import { referralTerms } from "#tests/support/site/worker-app.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

beforeEach(async () => {
  await emptyTables("withdrawals", "friend_discounts", "referrals");
});

/** As on the page: billing ends first. */
async function leave({ app, accountId }: BillingHarness, id = accountId) {
  expect(await endBilling(app, id)).toMatchObject({ ok: true });
  await env.DB.prepare("update accounts set state = 'closed', restorable_until = ? where id = ?")
    .bind(app.clock() + restoreMs, id)
    .run();
}

async function sweep({ app }: BillingHarness) {
  await deleteDueAccounts(app);
  await app.settled();
}

/** After the days in which an account can be restored, and the cron run that follows. */
async function waitForErasure(harness: BillingHarness) {
  await harness.pass(restoreMs / dayMs + 0.1);
  await sweep(harness);
}

async function stateOf(id: string) {
  return env.DB.prepare("select state from accounts where id = ?").bind(id).first<string>("state");
}

/** Every event that hasn't been delivered so far. */
async function handleAll(harness: BillingHarness) {
  for (const event of await harness.events()) await harness.hear(event);
  await harness.app.settled();
}

const emailsTo = ({ app }: BillingHarness) => app.emails.map(({ to, subject }) => `${to} ${subject}`);

async function owedOf({ app }: BillingHarness) {
  const { results } = await env.DB.prepare(
    "select id, order_id as orderId, state, declared_at as declaredAt from withdrawals",
  ).all<{ id: string; orderId: OrderId; state: WithdrawalState; declaredAt: number }>();
  return (await addRefunds(app, results)).map(({ owedMinor }) => owedMinor);
}

async function moneyOf(harness: BillingHarness) {
  return (await orders(harness)).map(({ paidMinor, backMinor, state }) => [paidMinor, backMinor, state]);
}

describe("an account with a declaration of withdrawal", () => {
  test("is erased once everything owed has been refunded, and its owner is emailed about both", async () => {
    const harness = await conclude(contracts["a change to a year"], 5);
    const [month, year] = await orders(harness);
    await declare(harness, year?.id ?? noOrder);
    await leave(harness);
    await waitForErasure(harness);
    expect(await stateOf(harness.accountId)).toBe("closed");
    const paidMinor = (month?.paidMinor ?? 0) + (year?.paidMinor ?? 0);
    expect(await owedOf(harness)).toEqual([paidMinor]);

    await harness.control("refund", { order: year?.id });
    await handleAll(harness);
    expect(await moneyOf(harness)).toEqual(
      [month, year].map((order) => [order?.paidMinor, order?.paidMinor, "refunded"]),
    );
    expect(await declarations()).toEqual(["refunded"]);
    await sweep(harness);
    expect(await stateOf(harness.accountId)).toBe("erased");
    const address = `${harness.accountId}@example.com`;
    const subjects = emailsTo(harness)
      .slice(-3)
      .map((line) => line.replace(`${address} `, ""));
    expect(subjects).toEqual([
      expect.stringMatching(subjectOf("refund")),
      expect.stringMatching(subjectOf("refund")),
      emailOf({ template: "account-erased" }).subject,
    ]);
  });

  test("is erased once an operator has contested the declaration", async () => {
    const harness = await conclude(contracts["a purchase"]);
    const [order] = await orders(harness);
    await declare(harness, order?.id ?? noOrder);
    await leave(harness);
    await waitForErasure(harness);
    expect(await stateOf(harness.accountId)).toBe("closed");
    const id = await env.DB.prepare("select id from withdrawals").first<string>("id");
    expect(await contestWithdrawal(harness.app, idOf("wdr", id ?? noWithdrawal), "Too late")).toMatchObject({
      ok: true,
    });
    await sweep(harness);
    expect(await stateOf(harness.accountId)).toBe("erased");
  });
});

describe("after an erasure", () => {
  const personal = `select
      (select count(*) from orders where receipt_url is not null or checkout_url is not null)
    + (select count(*) from documents where buyer ->> 'name' is not null or buyer ->> 'paidBy' is not null)
    + (select count(*) from subscriptions where card_brand is not null or card_last4 is not null) as count`;

  test("orders are updated by a refund and a dispute, send no email, and store no new personal data", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await harness.reconcile();
    await harness.pass(31.1);
    await harness.reconcile();
    await leave(harness);
    await waitForErasure(harness);
    expect(await stateOf(harness.accountId)).toBe("erased");
    const emailsBefore = emailsTo(harness);
    const [first, second] = await orders(harness);

    await harness.control("refund", { order: second?.id });
    await handleAll(harness);
    expect((await orders(harness)).map(({ state }) => state)).toEqual(["paid", "refunded"]);
    await harness.control("dispute", { order: first?.id, outcome: "lost" });
    await handleAll(harness);
    const row = await env.DB.prepare("select dispute from orders where id = ?")
      .bind(first?.id)
      .first<string>("dispute");
    expect(row).toBe("lost");
    expect(emailsTo(harness)).toEqual(emailsBefore);
    expect((await harness.rows()).emails.filter(({ state }) => state !== "sent")).toEqual([]);
    expect(await env.DB.prepare(personal).first<number>("count")).toBe(0);
  });

  test("a refund answers a declaration that arrived during the erasure, and the rest of the contract is refunded", async () => {
    const harness = await conclude(contracts["a change to a year"]);
    const [month, year] = await orders(harness);
    await declaredTooLate(harness, year?.id ?? noOrder);
    await harness.control("refund", { order: year?.id });
    await handleAll(harness);
    expect(await moneyOf(harness)).toEqual(
      [month, year].map((order) => [order?.paidMinor, order?.paidMinor, "refunded"]),
    );
    expect(await declarations()).toEqual(["refunded"]);
  });

  test("a declaration is contested without an email, which the operator is informed of", async () => {
    const harness = await conclude(contracts["a purchase"]);
    const [order] = await orders(harness);
    const id = await declaredTooLate(harness, order?.id ?? noOrder);
    const emailsBefore = emailsTo(harness);
    const contested = await contestWithdrawal(harness.app, id, "Too late");
    expect(contested).toEqual({ ok: true, value: null });
    expect(contested.ok && previewContestedWithdrawal(contested.value, "Too late")).toEqual({ emails: [], pages: [] });
    await harness.app.settled();
    expect(emailsTo(harness)).toEqual(emailsBefore);
    expect((await harness.rows()).emails.filter(({ state }) => state !== "sent")).toEqual([]);
    expect(await declarations()).toEqual(["contested"]);
  });

  /** Between the first statement of an erasure and its batch; returns the declaration's id. */
  async function declaredTooLate(harness: BillingHarness, orderId: OrderId): Promise<WithdrawalId> {
    const { app, accountId } = harness;
    const { email } = await harness.account();
    await leave(harness);
    await harness.pass(13.5);
    await env.DB.prepare("update accounts set erasure_at = ? where id = ?").bind(app.clock(), accountId).run();
    await declare(harness, orderId);
    expect(await eraseAccount(app, { id: accountId, email, address: email })).toMatchObject({ ok: true });
    await app.settled();
    expect(await stateOf(accountId)).toBe("erased");
    return idOf("wdr", await env.DB.prepare("select id from withdrawals").first("id"));
  }
});

describe("the reward for a friend whose account was deleted", () => {
  async function aFriend() {
    const harness = await openBillingHarness({ ...product, referral: referralTerms });
    const people = friendsOf(harness);
    const referrer = await people.person();
    const friend = await people.broughtBy(referrer);
    const order = await people.buy(friend, cards[0], { interval: "year" });
    const tick = async () => {
      await handleAll(harness);
      await advanceReferral(harness.app, friend);
      await sweepReferrals(harness.app);
      await sweepLedger(harness.app);
      await harness.app.settled();
    };
    await tick();
    return { harness, people, referrer, friend, order, tick };
  }

  /** Only the friend's discount has been refunded so far. */
  async function refundAll({ stripe }: BillingHarness) {
    const [charge] = (await stripe.charges.list({ limit: 100 })).data;
    await stripe.refunds.create({ charge: charge?.id ?? "" });
  }

  test.each(["refund", "dispute"])("isn't given once the payment is returned by a %s", async (how) => {
    const { harness, people, referrer, friend, order, tick } = await aFriend();
    await leave(harness, friend);
    await waitForErasure(harness);
    expect(await stateOf(friend)).toBe("erased");
    if (how === "refund") await refundAll(harness);
    else await harness.control("dispute", { order, outcome: "lost" });
    await tick();
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: how });
    await harness.pass(40);
    await tick();
    expect(await people.ledger(referrer)).toEqual([]);
  });

  test("is given if the payment was kept, and reversed by a later lost dispute", async () => {
    const { harness, people, referrer, friend, order, tick } = await aFriend();
    await leave(harness, friend);
    await waitForErasure(harness);
    await harness.pass(31);
    await tick();
    expect(await people.referral(friend)).toMatchObject({ state: "approved" });
    await harness.control("dispute", { order, outcome: "lost" });
    await tick();
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "dispute" });
    expect(await people.ledger(referrer)).toHaveLength(2);
  });

  test("ends with the answer to a declaration of withdrawal, before the friend is erased", async () => {
    const { harness, people, friend, order, tick } = await aFriend();
    await declare(harness, order);
    await leave(harness, friend);
    await waitForErasure(harness);
    await tick();
    expect([await stateOf(friend), (await people.referral(friend))?.["state"]]).toEqual(["closed", "waiting"]);
    await refundAll(harness);
    await tick();
    expect(await people.referral(friend)).toMatchObject({ state: "void", void_why: "refund" });
    await sweep(harness);
    expect(await stateOf(friend)).toBe("erased");
  });
});
