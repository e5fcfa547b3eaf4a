import type { ReferralId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { postCredit } from "#app/modules/billing/credit/commands/post-credit.server.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { balanceOf, earnedLineId, type Line } from "#app/modules/billing/credit/rules.ts";
import { addEarned, requestReversal, listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { sweepLedger } from "#app/modules/billing/credit/commands/sweep-ledger.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { nextCharge } from "#app/modules/billing/subscriptions/rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { counting, killedAt, killedAtCall } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

let harness: BillingHarness;

/** With a plan for 6.00 a month, independent of the config, since the deducted amounts are written out below. */
const plans = product.plans.map((plan) =>
  plan.id === small.id ? { ...plan, prices: { month: { amountMinor: 600 }, year: { amountMinor: 6000 } } } : plan,
);
const sold: ProductConfig = { ...product, plans };

beforeEach(async () => {
  harness = await openBillingHarness(sold);
});

const always = sql`true`;

/** A reward for a friend, as the referrals module writes it. */
async function earn(referralId: ReferralId, amountMinor = 500, now = harness.app.clock()) {
  await addEarned(
    harness.app.db,
    { referralId, accountId: harness.accountId, amountMinor, currency: product.currency, now },
    always,
  );
}

const takeBack = (referralId: ReferralId) => requestReversal(harness.app.db, referralId, "refund", always);
const sync = (own: App = harness.app) => syncCredit(own, harness.accountId);

async function ledger(): Promise<Line[]> {
  return await listLedgerLines(harness.app.db, harness.accountId);
}

/** The kind of each line, and its amount. */
async function linesWritten(): Promise<[string, string, number][]> {
  return (await ledger()).map(({ kind, why, amountMinor }) => [kind, why, amountMinor]);
}

/** What the provider takes off the next charges; below zero is owed. */
async function atProvider(): Promise<number> {
  const customer = await harness.stripe.customers.retrieve(await harness.customerId());
  return customer.deleted ? 0 : 0 - customer.balance;
}

async function storedCredit(): Promise<number> {
  const stored = await env.DB.prepare("select credit_minor as credit from customers where account_id = ?")
    .bind(harness.accountId)
    .first<{ credit: number }>();
  return stored?.credit ?? 0;
}

/** All three agree: the lines, the balance stored for the customer, the provider. */
async function expectCredit(amountMinor: number) {
  expect([balanceOf(await ledger()), await storedCredit(), await atProvider()]).toEqual([
    amountMinor,
    amountMinor,
    amountMinor,
  ]);
}

async function subscribe() {
  await harness.buy();
  await harness.reconcile();
}

/** What a webhook does on any event. */
async function hear() {
  await harness.reconcile();
  expect(await sync()).toMatchObject({ ok: true });
}

test("an amount below Stripe's minimum is carried to the next charge as the plan's page says, and asks Stripe for nothing more", async () => {
  await subscribe();
  const customer = await harness.customerId();
  await harness.stripe.customers.createBalanceTransaction(customer, { amount: 31, currency: "eur" });
  await hear();
  expect([balanceOf(await ledger()), await storedCredit(), await atProvider()]).toEqual([0, -31, -31]);
  const listBalanceTransactions = () => Promise.reject(new Error("Stripe was asked"));
  const unasked = { ...harness.app, payments: { ...harness.payments, listBalanceTransactions } };
  expect(await sync(unasked)).toMatchObject({ ok: true });
  const { running, creditMinor } = await showPlan(harness.app, harness.accountId);
  const next = running && nextCharge(running, () => 0, creditMinor);
  expect(next).toMatchObject({ amountMinor: 631, carriedMinor: 31 });
  await harness.pass(32);
  await hear();
  await expectCredit(0);
  expect((await harness.record()).charges.map(({ amountMinor }) => amountMinor).toSorted()).toEqual([600, 631]);
});

describe("credit of an account that never paid", () => {
  test("stays in the ledger without a customer, and reduces the first payment once there is one", async () => {
    await earn("ref_1");
    await hear().catch(() => undefined);
    await sync();
    expect(await harness.customerId()).toBe("");
    const account = await harness.account();
    expect(await postCredit(harness.app, account)).toEqual({ ok: true, value: null });
    await expectCredit(500);
    const begun = await harness.choose(small.id, "month");
    if (!begun.ok) throw new Error(begun.refusal.reason);
    await harness.leaveCheckout(begun.value.url, "paid");
    await hear();
    await expectCredit(0);
    expect(await linesWritten()).toEqual([
      ["earned", "friend", 500],
      ["applied", "order", -500],
    ]);
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid", amount_minor: 100, credit_minor: 500 }]);
  });

  test("can be reversed and expires there, also for forty simultaneous requests", async () => {
    await earn("ref_1", 500, harness.app.clock() - 400 * 86_400_000);
    await earn("ref_2");
    await earn("ref_3");
    await takeBack("ref_2");
    await Promise.all(Array.from({ length: 40 }, () => sync()));
    await sync();
    expect((await linesWritten()).slice(3).toSorted()).toEqual([
      ["expired", "term", -500],
      ["reversed", "refund", -500],
    ]);
    expect(await harness.customerId()).toBe("");
    await postCredit(harness.app, await harness.account());
    await expectCredit(500);
  });
});

describe("credit of a customer", () => {
  beforeEach(subscribe);

  test("is posted once for any number of requests, and reduces the next renewal", async () => {
    await earn("ref_1");
    await Promise.all(Array.from({ length: 40 }, () => sync()));
    await sync();
    await expectCredit(500);
    const { data: booked } = await harness.stripe.customers.listBalanceTransactions(await harness.customerId());
    expect(booked.map(({ amount, metadata }) => [amount, metadata])).toEqual([[-500, { line: earnedLineId("ref_1") }]]);
    await harness.pass(31.5);
    await hear();
    await expectCredit(0);
    const [, renewal] = (await harness.rows()).orders;
    expect(renewal).toMatchObject({ kind: "renewal", amount_minor: 100, credit_minor: 500 });
    const [, line] = await ledger();
    expect(line).toMatchObject({ kind: "applied", why: "order", amountMinor: -500, invoiceId: renewal?.invoice_id });
  });

  test("is returned with the order that used it once that is refunded in full, and not for a partial refund", async () => {
    await earn("ref_1");
    await sync();
    await harness.pass(31.5);
    await hear();
    const { data } = await harness.stripe.charges.list({ customer: await harness.customerId(), limit: 1 });
    const charge = data[0]?.id ?? "";
    await harness.stripe.refunds.create({ charge, amount: 40 });
    await hear();
    await expectCredit(0);
    await harness.stripe.refunds.create({ charge });
    await hear();
    await hear();
    await expectCredit(500);
    expect((await linesWritten()).at(-1)).toEqual(["reversed", "order-refunded", 500]);
    expect((await ledger()).at(-1)).toMatchObject({ expiresAt: null });
  });

  test("that a refunded order returns belongs to its reward, and is deducted if that reward was reversed", async () => {
    await earn("ref_1");
    await sync();
    await harness.pass(31.5);
    await hear();
    await takeBack("ref_1");
    await sync();
    expect((await ledger()).at(-1)).toMatchObject({ kind: "reversed", owedMinor: 500 });
    const { data } = await harness.stripe.charges.list({ customer: await harness.customerId() });
    for (const { id, paid } of data) if (paid) await harness.stripe.refunds.create({ charge: id });
    await hear();
    await Promise.all(Array.from({ length: 10 }, () => sync()));
    // In the end nothing was paid and nothing is left.
    expect(await linesWritten()).toContainEqual(["reversed", "order-refunded", 500]);
    expect((await linesWritten()).filter(([, why]) => why === "made-up")).toEqual([["reversed", "made-up", -500]]);
    await expectCredit(0);
  });

  test("expires after twelve months, as far as it is left, also at the provider, for any number of requests", async () => {
    await earn("ref_1", 1000, harness.app.clock() - 364 * 86_400_000);
    await sync();
    await harness.pass(31.5);
    await harness.reconcile();
    await Promise.all(Array.from({ length: 40 }, () => sync()));
    await hear();
    expect((await linesWritten()).slice(1)).toEqual([
      ["applied", "order", -600],
      ["expired", "term", -400],
    ]);
    await expectCredit(0);
    await harness.pass(31);
    await sweepLedger(harness.app);
    expect(await linesWritten()).toHaveLength(3);
  });

  test("that is reversed is deducted as far as it is available; the next reward covers the rest, never below zero", async () => {
    await earn("ref_1", 800);
    await sync();
    await harness.pass(31.5);
    await hear();
    await expectCredit(200);
    await takeBack("ref_1");
    await Promise.all(Array.from({ length: 40 }, () => sync()));
    await sync();
    await expectCredit(0);
    expect((await ledger()).at(-1)).toMatchObject({
      kind: "reversed",
      why: "refund",
      amountMinor: -200,
      owedMinor: 600,
    });
    await earn("ref_2");
    await sync();
    await earn("ref_3");
    await sync();
    await expectCredit(400);
    expect((await linesWritten()).slice(3)).toEqual([
      ["earned", "friend", 500],
      ["reversed", "made-up", -500],
      ["earned", "friend", 500],
      ["reversed", "made-up", -100],
    ]);
  });

  test("that was used up is marked as reversed, though nothing is left to deduct", async () => {
    await earn("ref_1");
    await sync();
    await harness.pass(31.5);
    await hear();
    await takeBack("ref_1");
    await sync();
    await sync();
    expect((await ledger()).slice(2)).toMatchObject([{ kind: "reversed", amountMinor: 0, owedMinor: 500 }]);
    await expectCredit(0);
  });

  test("that was used up is deducted from another reward immediately, and that part can't be spent", async () => {
    await earn("ref_1");
    await sync();
    await harness.pass(31.5);
    await hear();
    await earn("ref_2");
    await sync();
    await takeBack("ref_1");
    await sync();
    await expectCredit(0);
    expect((await linesWritten()).slice(-2)).toEqual([
      ["reversed", "refund", 0],
      ["reversed", "made-up", -500],
    ]);
  });

  test("that the team adjusts, or that remains between charges, is in the ledger, too", async () => {
    const customer = await harness.customerId();
    const adjust = (amount: number) =>
      harness.stripe.customers.createBalanceTransaction(customer, { amount, currency: product.currency.toLowerCase() });
    await adjust(-700);
    await adjust(200);
    await hear();
    await expectCredit(500);
    await adjust(530);
    await hear();
    // The provider says that 0.30 is owed: that is not credit.
    expect([balanceOf(await ledger()), await atProvider()]).toEqual([0, -30]);
    await earn("ref_1");
    await sync();
    await expectCredit(470);
    expect(await linesWritten()).toEqual([
      ["earned", "given", 700],
      ["reversed", "taken", -200],
      ["reversed", "taken", -500],
      ["earned", "friend", 500],
      ["applied", "debt", -30],
    ]);
  });

  test("survives the deletion of the customer at the provider, and is posted for the next one", async () => {
    await earn("ref_1", 800);
    await sync();
    await harness.pass(31.5);
    await hear();
    await harness.stripe.customers.del(await harness.customerId());
    await hear();
    expect(balanceOf(await ledger())).toBe(200);
    await earn("ref_2");
    await earn("ref_3");
    await takeBack("ref_2");
    await sync();
    expect(balanceOf(await ledger())).toBe(700);
    const begun = await harness.choose(small.id, "month");
    expect(begun.ok).toBe(true);
    await hear();
    await expectCredit(700);
  });

  test("isn't stored by an answer of the provider that is older than the stored one", async () => {
    const give = async (amountMinor: number) => {
      const given = { amount: -amountMinor, currency: product.currency.toLowerCase() };
      await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), given);
      await harness.pass(1);
      await harness.reconcile();
    };
    await give(300);
    const { payments } = harness;
    let isFirst = true;
    const listBalanceTransactions: typeof payments.listBalanceTransactions = async (...about) => {
      const listed = await payments.listBalanceTransactions(...about);
      // Between the answer and its storing, a sync was faster.
      if (isFirst) await give(200);
      isFirst = false;
      return listed;
    };
    await sync({ ...harness.app, payments: { ...payments, listBalanceTransactions } });
    expect(await storedCredit()).toBe(500);
    await sync();
    await expectCredit(500);
  });

  test("that an invoice used during a deduction is returned, so that no debt is left", async () => {
    await earn("ref_1");
    await sync();
    await takeBack("ref_1");
    const customer = await harness.customerId();
    const { payments } = harness;
    let isFirst = true;
    const addBalanceTransaction: typeof payments.addBalanceTransaction = async (input) => {
      // Between our read and our taking, an invoice was faster.
      if (isFirst)
        await harness.stripe.customers.createBalanceTransaction(customer, {
          amount: 300,
          currency: product.currency.toLowerCase(),
        });
      isFirst = false;
      return payments.addBalanceTransaction(input);
    };
    await sync({ ...harness.app, payments: { ...payments, addBalanceTransaction } });
    await expectCredit(0);
    expect((await ledger()).slice(1)).toMatchObject([
      { kind: "reversed", why: "taken", amountMinor: -300 },
      { kind: "reversed", why: "refund", amountMinor: -200, owedMinor: 300 },
    ]);
  });
});

type Step =
  | { kind: "earn" | "give" | "take" | "owe"; amountMinor: number }
  | { kind: "ask-back"; nth: number }
  | { kind: "month" }
  | { kind: "year" }
  | { kind: "refund" }
  | { kind: "sync"; dies: { call: number; when: "before" | "after" } | null };

const amountMinor = fc.integer({ min: 1, max: 900 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("earn"), amountMinor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("give", "take", "owe"), amountMinor }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("ask-back"), nth: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "month" }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: "year" }, { kind: "refund" }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("sync"),
      dies: fc.option(
        fc.record({
          call: fc.integer({ min: 1, max: 6 }),
          when: fc.constantFrom("before", "after") as fc.Arbitrary<"before" | "after">,
        }),
      ),
    }),
  },
) as fc.Arbitrary<Step>;

describe("random events, with a Worker killed anywhere,", () => {
  test("never leave a negative sum of lines, which finally is the provider's credit, and the stored balance is the provider's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 12 }), async (steps) => {
        harness = await openBillingHarness(sold);
        await subscribe();
        let rewards = 0;
        for (const step of steps) {
          if (step.kind === "earn") await earn(`ref_${(rewards += 1)}`, step.amountMinor);
          else if (rewards > 0 || step.kind !== "ask-back") await live(step, rewards);
          await expectNeverNegative();
        }
        await hear();
        await sync();
        await expectNeverNegative();
        const balance = await atProvider();
        expect([balanceOf(await ledger()), await storedCredit()]).toEqual([Math.max(0, balance), balance]);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  async function live(step: Exclude<Step, { kind: "earn" }>, rewards: number) {
    const customer = await harness.customerId();
    switch (step.kind) {
      case "give":
      case "take":
      case "owe": {
        const available = await atProvider();
        const most = step.kind === "take" ? Math.min(step.amountMinor, Math.max(0, available)) : step.amountMinor;
        const amount = step.kind === "give" ? -step.amountMinor : most;
        if (amount !== 0)
          await harness.stripe.customers.createBalanceTransaction(customer, {
            amount,
            currency: product.currency.toLowerCase(),
          });
        return;
      }
      case "ask-back":
        return takeBack(`ref_${1 + (step.nth % rewards)}`);
      case "month":
        await harness.pass(31);
        return void (await harness.reconcile());
      case "year":
        return void (await harness.pass(366));
      case "refund": {
        const { data } = await harness.stripe.charges.list({ customer, limit: 20 });
        const charge = data.find(({ paid, refunded }) => paid && !refunded);
        if (charge) await harness.stripe.refunds.create({ charge: charge.id });
        return void (await harness.reconcile());
      }
      case "sync": {
        const { call = Infinity, when = "before" } = step.dies ?? {};
        const { payments } = killedAtCall(harness.payments, call, when);
        return void (await sync({ ...harness.app, payments }).catch(() => undefined));
      }
    }
  }

  async function expectNeverNegative() {
    const lines = await ledger();
    const sums = lines.map((_, index) => balanceOf(lines.slice(0, index + 1)));
    expect(Math.min(0, ...sums)).toBe(0);
  }
});

describe("a Worker that is killed while it posts lines", () => {
  /** Earned, and a reward that is reclaimed: two bookings and a taking. */
  async function begin() {
    harness = await openBillingHarness(sold);
    await subscribe();
    await earn("ref_1");
    await sync();
    await earn("ref_2");
    await takeBack("ref_1");
  }

  test("leaves nothing half done at any point, and the next cron run has the same result", async () => {
    await begin();
    const alive = counting({ db: harness.app.db, payments: harness.payments });
    await sync({ ...harness.app, ...alive.app });
    const killPoints = alive.killPoints();
    expect(killPoints.filter(({ kind }) => kind === "call").length).toBeGreaterThan(4);
    expect(killPoints.filter(({ kind }) => kind === "batch").length).toBeGreaterThan(3);
    for (const point of killPoints) {
      await begin();
      const dying = sync({ ...harness.app, ...killedAt(point, { ...harness, db: harness.app.db }) });
      if (point.kind === "call") await expect(dying).rejects.toThrow("killed");
      else await dying.catch(() => undefined);
      await expectWhole(`${point.when} ${point.kind} ${point.nth}`);
    }
  });

  async function expectWhole(point: string) {
    await sweepLedger(harness.app);
    await sweepLedger(harness.app);
    expect([point, (await linesWritten()).toSorted(), await atProvider(), harness.reports]).toEqual([
      point,
      [
        ["earned", "friend", 500],
        ["earned", "friend", 500],
        ["reversed", "refund", -500],
      ],
      500,
      [],
    ]);
    const { data } = await harness.stripe.customers.listBalanceTransactions(await harness.customerId());
    expect([point, data.length]).toEqual([point, 3]);
  }
});
