import type { OrderId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { withdrawalEnd } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import {
  byContract,
  change,
  conclude,
  declare,
  type End,
  giveBack,
  orders,
  type Sold,
  contractTotals,
  sum,
} from "#tests/support/billing/contracts.ts";
import type { BillingHarness } from "#tests/support/billing/billing-harness.ts";

/**
 * Random chains: a purchase, changes up and down, renewals, and refunds of any order for any reason, in full or in
 * part, in any order. The test calculates what was used on its own, from prices and time, and compares.
 */
type Step =
  | { do: "change"; to: Sold }
  | { do: "back"; which: number; by: End; isWhole: boolean }
  | { do: "declare"; which: number }
  | { do: "pass"; hours: number }
  | { do: "sync" };

const plans = [small, large];
const sold = fc.constantFrom<Sold>(
  ...plans.flatMap(({ id: planId }) => (["month", "year"] as const).map((interval) => ({ planId, interval }))),
);
const changes = { weight: 4, arbitrary: fc.record({ do: fc.constant("change" as const), to: sold }) };
const backs = {
  weight: 3,
  arbitrary: fc.record({
    do: fc.constant("back" as const),
    which: fc.nat(5),
    by: fc.constantFrom<End>("withdrawal", "operator", "dispute-lost"),
    isWhole: fc.boolean(),
  }),
};
const others = [
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("pass" as const), hours: fc.constantFrom(1, 30, 70, 320, 470) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sync" as const) }) },
];
/** Declared today, and refunded when the next period runs. */
const late = fc.tuple(fc.nat(5), fc.nat(5)).map(([which, refunded]): Step[] => [
  { do: "declare", which },
  { do: "pass", hours: 320 },
  { do: "pass", hours: 470 },
  { do: "back", which: refunded, by: "operator", isWhole: true },
]);
/** Changes first, so that most runs have a chain whose orders can be refunded. */
const life = fc
  .tuple(
    fc.array(fc.oneof(changes, ...others), { maxLength: 6 }),
    fc.oneof(fc.constant<Step[]>([]), late),
    fc.array(fc.oneof(backs, changes, ...others), { minLength: 1, maxLength: 5 }),
  )
  .map((parts): Step[] => parts.flat());

/** The value of what runs from `from` on, by the price list. */
type Section = { from: number; perMs: number; endsAt: number };

type Life = {
  harness: BillingHarness;
  stretches: Section[];
  /** By order: what a bank took, and what was refunded here, which the site may not know yet. */
  lostMinor: Map<string, number>;
  refundedMinor: Map<string, number>;
  /** The contracts with a timely withdrawal, and all orders that any declaration was about. */
  withdrawnFrom: Set<number>;
  declared: Set<string>;
  /** Orders of periods that were over when all of them were refunded: those change nothing. */
  goodwill: Set<string>;
  /** When an order of the running contract, or of one with a withdrawal, was refunded in full for the first time. */
  undoneAt: number | null;
};

async function play(first: Sold["interval"], steps: Step[]): Promise<Life> {
  await env.DB.exec("delete from withdrawals");
  const harness = await conclude([{ planId: small.id, interval: first }]);
  const own: Life = {
    harness,
    stretches: [],
    lostMinor: new Map(),
    refundedMinor: new Map(),
    withdrawnFrom: new Set(),
    declared: new Set(),
    goodwill: new Set(),
    undoneAt: null,
  };
  own.stretches.push(await stretchOf(harness));
  for (const step of steps) {
    if (step.do === "pass") await pass(own, step.hours / 24);
    if (step.do === "sync") await harness.reconcile();
    if (step.do === "change") await changePlan(own, step.to);
    if (step.do === "declare") await declareOf(own, step.which);
    if (step.do === "back") await backOf(own, step);
  }
  return own;
}

async function stretchOf(harness: BillingHarness): Promise<Section> {
  const [running] = (await harness.record()).subscriptions;
  const [row] = (await harness.rows()).subscriptions;
  const plan = plans.find(({ id }) => id === row?.plan_id) ?? small;
  const worth = minor(plan, row?.interval === "year" ? "year" : "month");
  const { periodStartsAt = 0, periodEndsAt = 0 } = running ?? {};
  return { from: harness.app.clock(), perMs: worth / (periodEndsAt - periodStartsAt), endsAt: periodEndsAt };
}

/** At most one period ends in the meantime. */
async function pass({ harness, stretches, undoneAt }: Life, days: number) {
  await harness.pass(days);
  if (undoneAt !== null) return;
  await harness.reconcile();
  const from = stretches.at(-1)?.endsAt ?? 0;
  if (from <= harness.app.clock()) stretches.push({ ...(await stretchOf(harness)), from });
}

/** If it is charged immediately it is part of the chain; a smaller plan begins later and isn't. */
async function changePlan({ harness, stretches }: Life, to: Sold) {
  // By when they were paid: a refund that the site learns of meanwhile changes a state.
  const countPaid = async () => (await orders(harness)).filter(({ paidAt }) => paidAt !== null).length;
  const before = await countPaid();
  try {
    await change(harness, to);
  } catch (error) {
    // The plan that runs already, or no running plan.
    if (!/No quote|Nothing runs/.test(String(error))) throw error;
  }
  await harness.reconcile();
  if ((await countPaid()) > before) stretches.push(await stretchOf(harness));
}

async function declareOf(own: Life, which: number) {
  const links = await orders(own.harness);
  const order = links[which % links.length];
  if (!order || order.paidAt === null) return;
  await declare(own.harness, order.id);
  await noteDeclared(own, order.id);
}

/** The first declaration about an order counts. */
async function noteDeclared(own: Life, orderId: OrderId) {
  if (own.declared.has(orderId)) return;
  own.declared.add(orderId);
  const contracts = await byContract(own.harness);
  const contract = contracts.findIndex((group) => group.some(({ id }) => id === orderId));
  const isInTime = ({ kind, paidAt }: { kind: string; paidAt: number | null }) =>
    kind !== "renewal" &&
    own.harness.app.clock() < (withdrawalEnd({ kind: "change", paidAt, buyerTimeZone: null }, product, [])?.until ?? 0);
  // A declaration may name a later charge as well.
  const withdrawn = contracts.findIndex((group, index) => index <= contract && group.some(isInTime));
  if (withdrawn >= 0) own.withdrawnFrom.add(withdrawn);
}

async function backOf(own: Life, { which, by, isWhole }: Extract<Step, { do: "back" }>) {
  const { harness, lostMinor, refundedMinor } = own;
  const links = await orders(harness);
  const order = links[which % links.length];
  if (!order) return;
  const lost = lostMinor.get(order.id) ?? 0;
  const refunded = Math.max(order.backMinor, refundedMinor.get(order.id) ?? 0);
  const open = order.paidMinor - refunded - lost;
  // Stripe refunds nothing of a charge that a bank took a part of.
  if (open < 2 || lost > 0) return;
  const amountMinor = isWhole ? open : Math.ceil(open / 3);
  await giveBack(harness, order.id, by, amountMinor);
  // The site dates a bank's decision by when it learns of it, which is immediately here.
  if (by === "dispute-lost") await harness.reconcile();
  if (by === "dispute-lost") lostMinor.set(order.id, amountMinor);
  else refundedMinor.set(order.id, refunded + amountMinor);
  if (by === "withdrawal") await noteDeclared(own, order.id);
  if (!isWhole) return;
  const contracts = await byContract(harness);
  const contract = contracts.findIndex((group) => group.some(({ id }) => id === order.id));
  const isWithdrawn = [...own.withdrawnFrom].some((withdrawn) => withdrawn <= contract);
  if (isWithdrawn || contract === contracts.length - 1) own.undoneAt ??= harness.app.clock();
  else own.goodwill.add(order.id);
}

function usedMinor(stretches: Section[], at: number): number {
  return sum(
    stretches.map(
      ({ from, perMs }, index) => perMs * Math.max(0, Math.min(at, stretches[index + 1]?.from ?? at) - from),
    ),
  );
}

async function expectFair({ harness, stretches, lostMinor, declared, goodwill, undoneAt }: Life) {
  const { plan, rows, paidMinor, retainedMinor } = await contractTotals(harness);
  const { charges, creditMinor } = await harness.record();
  const roundingMinor = 2 * stretches.length;
  for (const { refundedMinor, amountMinor } of charges) expect(refundedMinor).toBeLessThanOrEqual(amountMinor);
  for (const { backMinor, paidMinor: paid } of rows) expect(backMinor).toBeLessThanOrEqual(paid);
  expect(plan).toBe(undoneAt === null ? "runs" : "ended");
  if (undoneAt === null) {
    // All that was paid covers what was used and what is still to come, and includes every order. What is below Stripe's minimum is carried
    // over to the next payment.
    const endsAt = stretches.at(-1)?.endsAt ?? 0;
    const carriedMinor = Math.max(0, -creditMinor);
    expect(paidMinor + carriedMinor).toBeGreaterThanOrEqual(Math.floor(usedMinor(stretches, endsAt)) - roundingMinor);
    for (const { id, paidMinor: paid, backMinor } of rows) {
      expect(paid === 0 || goodwill.has(id) || backMinor + (lostMinor.get(id) ?? 0) < paid).toBe(true);
    }
    return;
  }
  const used = usedMinor(stretches, undoneAt);
  const lost = sum([...lostMinor.values()]);
  // What Stripe can't refund, because a bank took a part of it: an operator was informed.
  const stuck = rows.filter(({ id }) => lostMinor.has(id));
  const stuckMinor = sum(
    stuck.map(({ id, paidMinor: paid, backMinor }) => paid - backMinor - (lostMinor.get(id) ?? 0)),
  );
  expect(retainedMinor - lost - stuckMinor).toBeLessThanOrEqual(used + roundingMinor);
  const sent = charges.flatMap(({ refunds }) => refunds).filter(({ restOf }) => restOf !== null);
  const sentMinor = sum(sent.map(({ amountMinor }) => amountMinor));
  if (declared.size === 0) expect(sentMinor).toBeLessThanOrEqual(paidMinor - used + roundingMinor);
  const unexpected = harness.reports.filter((report) => !/is disputed|charge_disputed/.test(report));
  expect(unexpected).toEqual([]);
}

/** Found by chance: the site learns of a refund only when the plan is changed; a change costs less than Stripe's minimum. */
const foundByChance: [Sold["interval"], Step[]][] = [
  [
    "month",
    [
      { do: "pass", hours: 470 },
      { do: "pass", hours: 320 },
      { do: "pass", hours: 470 },
      { do: "back", which: 0, by: "operator", isWhole: true },
      { do: "change", to: { planId: small.id, interval: "year" } },
      { do: "pass", hours: 470 },
    ],
  ],
  [
    "month",
    [
      { do: "pass", hours: 320 },
      { do: "pass", hours: 320 },
      { do: "pass", hours: 30 },
      { do: "pass", hours: 30 },
      { do: "change", to: { planId: large.id, interval: "month" } },
      { do: "change", to: { planId: small.id, interval: "month" } },
    ],
  ],
];

test("for random refunds in a random chain, no plan runs unpaid, no refund exceeds the payments, and no customer pays for an unused part", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("month" as const, "month" as const, "year" as const),
      life,
      async (first, steps) => {
        await expectFair(await play(first, steps));
      },
    ),
    { numRuns: 30, examples: foundByChance },
  );
}, 180_000);
