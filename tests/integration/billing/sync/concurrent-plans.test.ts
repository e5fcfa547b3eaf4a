import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { balanceOf } from "#app/modules/billing/credit/rules.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { askAsOperator, operatorToken } from "#tests/support/clients/operator-driver.ts";
import { testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let harness: BillingHarness;
beforeEach(async () => {
  await emptyTables("unclaimed_customers");
  harness = await openBillingHarness();
});

/** Stripe counts in seconds. */
const aSecond = (2 * secondMs) / dayMs;

async function priceOf(planId: string): Promise<string> {
  const [price] = (await harness.stripe.prices.list({ lookup_keys: [priceKey(planId, "month")] })).data;
  return price?.id ?? "";
}

/** A subscription that the team creates in Stripe's dashboard; a trial needs no card. */
async function give(planId: string, customer: string, trialDays?: number) {
  const trial = trialDays === undefined ? {} : { trial_period_days: trialDays };
  return harness.stripe.subscriptions.create({ customer, items: [{ price: await priceOf(planId) }], ...trial });
}

async function facts() {
  const { subscriptions, orders, emails } = await harness.rows();
  return {
    plans: subscriptions.map(({ plan_id, state, end_cause }) => [plan_id, state, end_cause]).toSorted(),
    orders: orders.map(({ state }) => state).toSorted(),
    told: emails
      .map(({ template }) => template)
      .filter((template) => ["plan-duplicate", "refund", "credit-note"].includes(String(template))),
  };
}

async function refunded(): Promise<number> {
  return (await harness.record()).charges.reduce((sum, charge) => sum + charge.refundedMinor, 0);
}

describe("a trial that the team gives in the dashboard", () => {
  test("expires a checkout that is open, and is the plan", async () => {
    const begun = await harness.choose();
    await give(large.id, await harness.customerId(), 30);
    await harness.reconcile();
    expect(await facts()).toMatchObject({ plans: [[large.id, "active", null]], orders: ["expired", "paid"] });
    const session = new URL(begun.ok ? begun.value.url : "").pathname.split("/").at(-1) ?? "";
    expect((await harness.stripe.checkout.sessions.retrieve(session)).status).toBe("expired");
    expect(harness.reports).toEqual([]);
  });

  test("takes the place of a plan that was paid for, whose unused time is refunded once", async () => {
    await harness.buy(small.id, "year");
    await harness.reconcile();
    await harness.pass(73);
    await give(large.id, await harness.customerId(), 30);
    await Promise.all([harness.reconcile(), harness.reconcile(), harness.reconcile()]);
    await harness.reconcile();
    expect(await facts()).toEqual({
      plans: [
        [small.id, "ended", "duplicate"],
        [large.id, "active", null],
      ],
      orders: ["paid", "partially-refunded"],
      told: ["credit-note", "plan-duplicate"],
    });
    // Four fifths of the year were left.
    expect(Math.abs((await refunded()) - minor(small, "year") * 0.8)).toBeLessThanOrEqual(1);
  });
});

test.each([
  ["alone", 1],
  ["in part", 0.5],
])("a renewed month that credit paid %s goes back as it was paid once another plan runs", async (_, part) => {
  const sync = async () => {
    await harness.reconcile();
    await syncCredit(harness.app, harness.accountId);
    return balanceOf(await listLedgerLines(harness.app.db, harness.accountId));
  };
  await harness.buy();
  await sync();
  const usedMinor = Math.floor(minor(small) * part);
  const credit = { amount: -usedMinor, currency: harness.app.product.currency.toLowerCase() };
  await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), credit);
  await sync();
  await harness.pass(31);
  expect(await sync()).toBe(0);
  const [plan] = (await harness.record()).subscriptions;
  await give(large.id, await harness.customerId(), 30);
  const { periodStartsAt = 0, periodEndsAt = 0 } = plan ?? {};
  const unused = (periodEndsAt - harness.app.clock()) / (periodEndsAt - periodStartsAt);
  const creditMinor = await sync();
  expect([await sync(), await sync()]).toEqual([creditMinor, creditMinor]);
  expect(Math.abs(creditMinor - usedMinor * unused)).toBeLessThanOrEqual(1);
  expect(Math.abs((await refunded()) + creditMinor - minor(small) * unused)).toBeLessThanOrEqual(1);
  const { documents } = await harness.rows();
  const notes = documents.filter(({ reason }) => reason === "credit");
  expect(notes.map(({ total_minor, money_minor }) => [total_minor, money_minor])).toEqual([[creditMinor, 0]]);
  await harness.app.settled();
  const amount = formatMoney({ amountMinor: creditMinor, currency: harness.app.product.currency }, "en");
  const about = harness.app.emails.filter(({ text }) => text.includes(amount));
  // The plan's end, and the credit note.
  expect(about.length).toBeGreaterThanOrEqual(2);
});

describe.each([
  ["that the team paused", "pause_requested", 30],
  ["whose trial ended without a card", "trial_end_without_payment_method", 30],
  ["that the team paused, and the other is paid for", "pause_requested", undefined],
])("a plan %s", (_, cause, trialDays) => {
  test("ends as soon as the team gives another one, which is the plan", async () => {
    await harness.buy(small.id);
    await harness.reconcile();
    const [plan] = (await harness.stripe.subscriptions.list()).data;
    await harness.control("pause", { subscription: plan?.id ?? "", paused: "yes", cause });
    await harness.reconcile();
    expect(await facts()).toMatchObject({ plans: [[small.id, "paused", null]] });
    await harness.pass(aSecond);
    await harness.useCard("pm_card_visa");
    await give(large.id, await harness.customerId(), trialDays);
    await Promise.all([harness.reconcile(), harness.reconcile()]);
    await harness.reconcile();
    expect(await facts()).toMatchObject({
      plans: [
        [small.id, "ended", "duplicate"],
        [large.id, "active", null],
      ],
      told: ["credit-note", "plan-duplicate"],
    });
    expect(harness.reports).toEqual([]);
  });
});

test("a refund of the older plan that Stripe refuses is listed for operators until it has been made", async () => {
  await harness.buy(small.id, "year");
  await harness.reconcile();
  await harness.pass(73);
  const order = String((await harness.rows()).orders[0]?.["id"]);
  await harness.control("dispute", { order });
  await give(large.id, await harness.customerId(), 30);
  await harness.reconcile();
  expect(await facts()).toMatchObject({
    plans: [
      [small.id, "ended", "duplicate"],
      [large.id, "active", null],
    ],
  });
  const app = testApp({ operatorToken, payments: harness.payments });
  const said = async () => {
    const { json } = await askAsOperator(app, "/review?list=plans");
    const { json: person } = await askAsOperator(app, `/person?find=${harness.accountId}`);
    const { attention } = person["summary"] as { attention: string[] };
    return {
      listed: json["plans"] as { todo: string }[],
      attention: attention.filter((line) => line.startsWith("plan of")),
    };
  };
  const owed = minor(small, "year") * 0.8;
  const [before] = (await harness.rows()).subscriptions;
  expect(Math.abs(Number(before?.["refund_owed_minor"]) - owed)).toBeLessThanOrEqual(1);
  const { listed, attention } = await said();
  expect(listed).toHaveLength(1);
  expect(listed[0]?.todo).toMatch(/^refund €/);
  expect(attention).toEqual([expect.stringContaining(listed[0]?.todo ?? "")]);
  await harness.control("dispute", { order, outcome: "won" });
  await harness.reconcile();
  expect((await said()).listed[0]?.todo).toBe(listed[0]?.todo);
  // A refund in the second in which the newer plan began would lower the older one's price instead.
  await harness.pass(aSecond);
  await harness.control("refund", { order, amountMinor: Number(before?.["refund_owed_minor"]) });
  await harness.reconcile();
  const after = await said();
  expect(after.listed[0]?.todo).toMatch(/^nothing/);
  expect((await harness.rows()).subscriptions[0]?.["refund_owed_minor"]).toBe(0);
});

describe("two plans that were paid at the same moment", () => {
  test("leave the newer one, and all of the older one's charge is refunded", async () => {
    const first = await harness.choose();
    await harness.useCard("pm_card_visa");
    // The session was paid while the dashboard created another one; neither is known here.
    await harness.leaveCheckout(first.ok ? first.value.url : "", "paid");
    await harness.pass(aSecond);
    await give(large.id, await harness.customerId());
    await Promise.all([harness.reconcile(), harness.reconcile()]);
    await harness.reconcile();
    expect(await facts()).toEqual({
      plans: [
        [small.id, "ended", "duplicate"],
        [large.id, "active", null],
      ],
      orders: ["paid", "refunded"],
      told: ["credit-note", "plan-duplicate"],
    });
    expect(await refunded()).toBe(minor(small));
    const running = (await harness.stripe.subscriptions.list({ status: "active" })).data;
    expect(running).toHaveLength(1);
  });

  test("are no failure of the events, and a sync that Stripe interrupts is completed by the next", async () => {
    await harness.buy(small.id, "year");
    await harness.reconcile();
    await harness.pass(73);
    await harness.useCard("pm_card_visa");
    await give(large.id, await harness.customerId());
    const { payments } = harness;
    const down = { ok: false, refusal: { reason: "provider-unreachable", isFinal: false } } as const;
    const halfway = { ...harness.app, payments: { ...payments, endUnpaid: async () => down } };
    expect(await harness.reconcile(halfway)).toEqual(down);
    const unused = await refunded();
    expect(Math.abs(unused - minor(small, "year") * 0.8)).toBeLessThanOrEqual(1);
    for (const event of await harness.events()) expect(await harness.hear(event)).toMatchObject({ ok: true });
    expect(await facts()).toMatchObject({
      orders: ["paid", "partially-refunded"],
      told: ["credit-note", "plan-duplicate"],
    });
    expect(await refunded()).toBe(unused);
  });
});

describe("a customer that the team creates in the dashboard, with an account's address", () => {
  async function created(email: string, planId = small.id) {
    const { id } = await harness.stripe.customers.create({ email });
    await give(planId, id, 30);
    return id;
  }
  const hearAll = async () => {
    for (const event of await harness.events()) await harness.hear(event);
  };
  const unclaimed = async () =>
    (await env.DB.prepare("select provider_id as id, plan_id as plan, reason from unclaimed_customers").all()).results;

  test("is the account's if it has none, with its plan", async () => {
    const { email } = await harness.account();
    const id = await created(email.toUpperCase());
    await hearAll();
    expect((await harness.rows()).customers).toMatchObject([{ provider_id: id }]);
    expect(await facts()).toMatchObject({ plans: [[small.id, "active", null]] });
    expect((await harness.stripe.customers.retrieve(id)) as object).toMatchObject({
      metadata: { account: harness.accountId },
    });
    expect(await unclaimed()).toEqual([]);
  });

  test("waits for an operator if the account has another one", async () => {
    await harness.buy();
    await harness.reconcile();
    const id = await created((await harness.account()).email);
    await hearAll();
    expect(await unclaimed()).toEqual([{ id, plan: small.id, reason: "other-customer" }]);
    expect(await facts()).toMatchObject({ plans: [[small.id, "active", null]] });
  });

  test("is named to operators who ask about the account, by its address or by the customer", async () => {
    await harness.buy();
    await harness.reconcile();
    const { email } = await harness.account();
    const id = await created(email);
    await hearAll();
    const app = testApp({ operatorToken, payments: harness.payments });
    const { json: review } = await askAsOperator(app, "/review?list=unclaimed");
    const todo: unknown = expect.stringContaining("own customer");
    expect(review["unclaimed"]).toMatchObject([{ id, email, reason: "other-customer", todo }]);
    for (const wanted of [email, id]) {
      const { json } = await askAsOperator(app, `/person?find=${encodeURIComponent(wanted)}`);
      const { attention } = json["summary"] as { attention: string[] };
      expect([wanted, attention.filter((line) => line.includes(id))]).toEqual([wanted, [todo]]);
    }
    const [subscription] = (await harness.stripe.subscriptions.list({ customer: id })).data;
    await harness.stripe.subscriptions.cancel(subscription?.id ?? "");
    await hearAll();
    const { json: after } = await askAsOperator(app, `/person?find=${encodeURIComponent(email)}`);
    expect(after["summary"]).toMatchObject({ attention: [] });
  });

  test("waits for somebody who signs up with the address, who has the plan within an hour", async () => {
    const id = await created("later@example.com");
    await hearAll();
    expect(await unclaimed()).toEqual([{ id, plan: small.id, reason: "no-account" }]);
    await env.DB.prepare("update accounts set email = ?1, email_canonical = ?1 where id = ?2")
      .bind("later@example.com", harness.accountId)
      .run();
    const cron = (laterMs: number) =>
      sweepOrders({ ...harness.app, payments: harness.payments.withOwnDeadline(), clock: () => Date.now() + laterMs });
    await cron(0);
    expect(await unclaimed()).toHaveLength(1);
    await cron(dayMs);
    expect(await unclaimed()).toEqual([]);
    expect(await facts()).toMatchObject({ plans: [[small.id, "active", null]] });
  });

  test("is left alone if it buys nothing that is sold here, or names an account of another site", async () => {
    const { email } = await harness.account();
    await harness.stripe.customers.create({ email });
    const other = await harness.stripe.customers.create({ email, metadata: { account: "acc_elsewhere" } });
    await give(small.id, other.id, 30);
    await hearAll();
    expect((await harness.rows()).customers).toEqual([]);
    expect(await unclaimed()).toEqual([]);
  });
});

test("an event that failed says why, and about which customer", async () => {
  await harness.buy();
  const event = (await harness.events()).find(({ type }) => type === "customer.subscription.created");
  if (!event) throw new Error("There is no event");
  await harness.control("disorder", { apiFault: { kind: "html", next: 20 } });
  await harness.hear(event, { ...harness.app, payments: harness.payments.withOwnDeadline() });
  await harness.control("disorder", {});
  const row = await env.DB.prepare("select state, customer_id as customer, failure from webhook_events where id = ?")
    .bind(event.id)
    .first();
  expect(row).toEqual({ state: "failed", customer: await harness.customerId(), failure: "Stripe didn't answer" });
  await harness.hear(event);
  expect(await env.DB.prepare("select failure from webhook_events where id = ?").bind(event.id).first()).toEqual({
    failure: null,
  });
});
