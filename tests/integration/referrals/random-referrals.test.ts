import { idOf } from "#tests/support/ids.ts";
import { type AccountId, noAccount } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { balanceOf } from "#app/modules/billing/credit/rules.ts";
import { deleteDueAccounts } from "#app/modules/closing/commands/delete-due-accounts.server.ts";
import { endBilling } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { postCredit } from "#app/modules/billing/credit/commands/post-credit.server.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { listLedgerLines } from "#app/modules/billing/credit/queries.server.ts";
import { sweepLedger } from "#app/modules/billing/credit/commands/sweep-ledger.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { advanceReferral } from "#app/modules/referrals/commands/advance-referral.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { rewardHoldDays } from "#app/modules/referrals/reward.rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { cards, type Friends, friendsOf } from "#tests/support/billing/friends.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { referralTerms } from "#tests/support/site/worker-app.ts";

/**
 * Random sequences of actions by a referrer and friends with real rules, rows and a Stripe emulator: they buy,
 * withdraw, are refunded, dispute, and time passes. No account ever ends up with more than it paid and is entitled
 * to.
 */
type Step =
  | { do: "buy"; who: number; card: number; interval: "month" | "year" }
  | { do: "upgrade"; who: number }
  /** Closes the account, which is erased immediately. */
  | { do: "leave"; who: number }
  /** Of which of their paid orders, the newest first. */
  | { do: "refund" | "withdraw" | "dispute" | "lose" | "win"; who: number; which: number }
  | { do: "pass"; days: number };

/** The referrer, two accounts of one mailbox, and a third friend. */
const addresses = ["referrer@referrer.example", "friend@gmail.com", "fri.end+2@googlemail.com", "other@other.example"];
const who = fc.nat(addresses.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("buy" as const),
      who,
      card: fc.nat(2),
      interval: fc.constantFrom("month" as const, "year" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("upgrade" as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("refund", "withdraw", "dispute", "lose", "win"),
      who,
      which: fc.nat(2),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pass" as const), days: fc.constantFrom(1, 16, 31, 200) }) },
);

const usedReward: Step[] = [
  { do: "buy", who: 3, card: 1, interval: "year" },
  { do: "pass", days: 31 },
  { do: "buy", who: 0, card: 0, interval: "month" },
  { do: "refund", who: 3, which: 0 },
  { do: "refund", who: 0, which: 0 },
];
const upgraded: Step[] = [
  { do: "buy", who: 3, card: 0, interval: "year" },
  { do: "pass", days: 16 },
  { do: "upgrade", who: 3 },
  { do: "pass", days: 16 },
];
/** A friend who is erased before the refund; and the same with a declaration, which the refund answers. */
const left = (["refund", "lose"] as const).flatMap((end): Step[][] => [
  [
    { do: "buy", who: 3, card: 0, interval: "year" },
    { do: "leave", who: 3 },
    { do: end, who: 3, which: 0 },
  ],
  [
    { do: "buy", who: 3, card: 0, interval: "year" },
    { do: "withdraw", who: 3, which: 0 },
    { do: "leave", who: 3 } as const,
    { do: end, who: 3, which: 0 } as const,
    { do: "leave", who: 3 } as const,
    { do: "pass", days: 31 },
  ],
]);
/** Of the change, and of the purchase that it replaced. */
const withdrawn = [0, 1].map((which): Step[] => [
  ...upgraded.slice(0, 3),
  { do: "withdraw", who: 3, which },
  { do: "pass", days: 31 },
]);

type Stage = { harness: BillingHarness; people: Friends; ids: string[] };

async function reconcile({ harness, ids }: Stage) {
  for (const id of ids) {
    await reconcileCustomer(harness.app, idOf("acc", id));
    await advanceReferral(harness.app, idOf("acc", id));
    await reconcileCustomer(harness.app, idOf("acc", id));
    await syncCredit(harness.app, idOf("acc", id));
  }
  await sweepReferrals(harness.app);
  await sweepLedger(harness.app);
  await harness.app.settled();
}

async function paidOrder(id: string, which: number): Promise<string | null> {
  const { results } = await env.DB.prepare(
    `select id from orders where account_id = ? and paid_at is not null and amount_minor > 0 order by number_year desc, number_in_year desc`,
  )
    .bind(id)
    .all<{ id: string }>();
  return results[which % results.length]?.id ?? null;
}

async function take(stage: Stage, next: Step): Promise<void> {
  const { harness, people, ids } = stage;
  if (next.do === "pass") return harness.pass(next.days);
  const id = ids[next.who] ?? noAccount;
  if (next.do === "buy") {
    const [account] = await findAccount(harness.app.db, idOf("acc", id));
    const buyer = await findBuyer(harness.app, idOf("acc", id));
    if (account?.state !== "active" || buyer.running) return;
    const booked = await postCredit(harness.app, account);
    if (!booked.ok) throw new Error(booked.refusal.reason);
    const { creditMinor } = await findBuyer(harness.app, idOf("acc", id));
    await people.buy(idOf("acc", id), cards[next.card] ?? "", { interval: next.interval, creditMinor });
    return;
  }
  if (next.do === "leave") {
    await endBilling(harness.app, idOf("acc", id));
    await env.DB.prepare("update accounts set state = 'closed', restorable_until = 0 where id = ? and state = 'active'")
      .bind(id)
      .run();
    // Nothing, while a declaration is open.
    await deleteDueAccounts(harness.app);
    return;
  }
  if (next.do === "upgrade") {
    // Nothing is changed without a plan, with the larger one already, or while a payment is open.
    const running = (await findBuyer(harness.app, idOf("acc", id))).running;
    if (running)
      await people.change(idOf("acc", id), { planId: large.id, interval: running.interval }).catch(ignoreNoQuote);
    return;
  }
  const order = await paidOrder(id, next.which);
  if (!order) return;
  // What Stripe refuses (nothing left, disputed already) didn't happen.
  const control = (name: string, body: object) => harness.control(name, body).catch(() => undefined);
  switch (next.do) {
    case "refund":
      await control("refund", { order });
      return;
    case "withdraw": {
      const email = parseEmailAddress(addresses[next.who] ?? "");
      if (email)
        await declareWithdrawal(
          harness.app,
          { name: "N", order, email },
          { ip: "192.0.2.7", accountId: null, isOwn: true },
        );
      return;
    }
    case "dispute":
      await control("dispute", { order });
      return;
    case "lose":
      await control("dispute", { order, outcome: "lost" });
      return;
    case "win":
      await control("dispute", { order, outcome: "won" });
  }
}

function ignoreNoQuote(error: unknown) {
  if (!/No quote/.test(String(error))) throw error;
}

type Paid = {
  id: string;
  cause: "new-plan" | "renewal" | "change";
  takesOver: number;
  paidAt: number;
  retainedMinor: number;
  dispute: string;
  isDeclared: number;
};

/**
 * A reward that was given just now is for money that can't be reclaimed any more: each contract with all of its
 * orders.
 */
async function expectHeld({ harness }: Stage, isGivenBefore: (friendId: AccountId) => boolean) {
  for (const friendId of (await approvedFriends()).filter((id) => !isGivenBefore(idOf("acc", id)))) {
    const { results } = await env.DB.prepare(
      `select o.id, kind as cause, paid_at as paidAt, amount_minor - refunded_minor as retainedMinor, dispute,
         exists (select 1 from withdrawals w where w.order_id = o.id and w.state in ('declared', 'acknowledged')) as isDeclared,
         exists (select 1 from order_lines l where l.order_id = o.id and l.amount_minor < 0) as takesOver
       from orders o where account_id = ? and paid_at is not null order by created_at, id`,
    )
      .bind(friendId)
      .all<Paid>();
    const contracts = results.reduce<Paid[][]>((groups, order) => {
      if (order.cause === "change" && order.takesOver === 1) groups.at(-1)?.push(order);
      else groups.push([order]);
      return groups;
    }, []);
    const since = harness.app.clock() - rewardHoldDays(harness.app.product) * dayMs;
    const safe = contracts.flatMap((contract) => {
      if (contract.some(({ isDeclared }) => isDeclared === 1)) return [];
      const lastAt = Math.max(...contract.filter(({ cause }) => cause !== "renewal").map(({ paidAt }) => paidAt));
      return contract.filter(
        ({ paidAt, dispute }) => Math.max(paidAt, lastAt) <= since && ["none", "won"].includes(dispute),
      );
    });
    const safeMinor = safe.reduce((all, { retainedMinor }) => all + Math.max(0, retainedMinor), 0);
    expect(safeMinor).toBeGreaterThanOrEqual(harness.app.product.referral.qualifyingAmountMinor);
  }
}

async function approvedFriends() {
  const { results } = await env.DB.prepare("select friend_id as id from referrals where state = 'approved'").all<{
    id: string;
  }>();
  return results.map(({ id }) => id);
}

const sum = async (query: string, id: string) =>
  (await env.DB.prepare(query).bind(id).first<{ sum: number | null }>())?.sum ?? 0;

async function expectEntitled({ harness, ids }: Stage) {
  const { friendDiscountMinor, referrerCreditMinor } = referralTerms;
  const { data: refunds } = await harness.stripe.refunds.list({ limit: 100 });
  const discounts = refunds.filter(({ metadata }) => metadata?.["purpose"] === "friend-discount");
  // Two of the friends share a mailbox.
  expect(discounts.length).toBeLessThanOrEqual(2);
  const paidBy = await Promise.all(
    discounts.map(async ({ charge }) => {
      const { payment_method_details: details } = await harness.stripe.charges.retrieve(String(charge));
      return details?.card?.fingerprint;
    }),
  );
  expect(new Set(paidBy).size).toBe(discounts.length);
  for (const id of ids) {
    const charged = await sum(
      "select sum(amount_minor) as sum from orders where account_id = ? and paid_at is not null",
      id,
    );
    const back = await sum("select sum(refunded_minor) as sum from orders where account_id = ?", id);
    const given = await sum("select sum(friend_discount_minor) as sum from orders where account_id = ?", id);
    expect(back).toBeLessThanOrEqual(charged);
    expect(given).toBeLessThanOrEqual(friendDiscountMinor);
    // Credit that is available or was used in paid orders comes from valid rewards; otherwise nothing pays for it.
    const rewards = await sum("select count(*) as sum from referrals where referrer_id = ? and state = 'approved'", id);
    const lines = await listLedgerLines(harness.app.db, idOf("acc", id));
    expect(balanceOf(lines)).toBeGreaterThanOrEqual(0);
    const used = await sum(
      `select sum(credit_minor) as sum from orders where account_id = ? and paid_at is not null and state <> 'refunded' and credit_minor > 0`,
      id,
    );
    const owed = lines.reduce((all, line) => all + line.owedMinor + (line.why === "made-up" ? line.amountMinor : 0), 0);
    // What was used of a reward that was reversed later is owed, and is the only amount beyond the valid rewards.
    expect(balanceOf(lines) + used - owed).toBeLessThanOrEqual(rewards * referrerCreditMinor);
    // No credit is available while something is owed.
    expect(owed === 0 || balanceOf(lines) === 0).toBe(true);
  }
}

test("for random actions of friends and referrers, no account ends up with more than it paid and is entitled to", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
      const harness = await openBillingHarness({ ...product, referral: referralTerms, withdrawalDays: 14 });
      await env.DB.prepare("delete from referrals").run();
      await env.DB.prepare(
        "update accounts set email = id || '@past.example', email_canonical = id || '@past.example', mailbox_hashed_at = 1 where id like 'acc_friend%'",
      ).run();
      const people = friendsOf(harness);
      const ids = [await people.person(addresses[0])];
      for (const address of addresses.slice(1)) ids.push(await people.broughtBy(ids[0] ?? noAccount, { address }));
      const stage = { harness, people, ids };
      for (const next of steps) {
        const given = new Set(await approvedFriends());
        await take(stage, next);
        await reconcile(stage);
        await expectHeld(stage, (id) => given.has(id));
        await expectEntitled(stage);
      }
    }),
    // Always included: a reward that is used, reversed, and returned by the refund of the order that had used it; and
    // refunds of a contract whose plan was changed.
    {
      numRuns: 12,
      endOnFailure: true,
      examples: [usedReward, upgraded, ...left, ...withdrawn].map((steps) => [steps]),
    },
  );
}, 240_000);
