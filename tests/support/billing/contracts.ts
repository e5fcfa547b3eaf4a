import { idOf } from "#tests/support/ids.ts";
import type { OrderId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { large, small } from "./catalogue.ts";
import { openBillingHarness, type BillingHarness } from "./billing-harness.ts";

export type Sold = { planId: string; interval: Interval };

/** Each replaces the unused part of the one before. */
export const contracts = {
  "a purchase": [{ planId: small.id, interval: "month" }],
  "a change to a year": [
    { planId: small.id, interval: "month" },
    { planId: small.id, interval: "year" },
  ],
  "a change to the larger plan": [
    { planId: small.id, interval: "month" },
    { planId: large.id, interval: "month" },
  ],
  "a change of a change": [
    { planId: small.id, interval: "month" },
    { planId: small.id, interval: "year" },
    { planId: large.id, interval: "year" },
  ],
} satisfies Record<string, Sold[]>;

export async function offer(harness: BillingHarness, input: Sold, accountId = harness.accountId) {
  const running = await findRunningSubscription(harness.app.db, accountId);
  if (!running) throw new Error("Nothing runs");
  const contractTotals = { accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
  const offered = await offerChange(harness.app, contractTotals, input);
  if (!("quote" in offered)) throw new Error(`No quote: ${JSON.stringify(offered)}`);
  return offered.quote;
}

export async function change(harness: BillingHarness, input: Sold, own = harness.app) {
  const quote = await offer(harness, input);
  return startChange(own, await harness.account(), { ...input, quote });
}

export async function conclude([first, ...changes]: readonly Sold[], daysBetween = 0): Promise<BillingHarness> {
  const harness = await openBillingHarness();
  await harness.buy(first?.planId, first?.interval);
  await harness.reconcile();
  for (const input of changes) {
    if (daysBetween > 0) await harness.pass(daysBetween);
    const started = await change(harness, input);
    if (!started.ok) throw new Error(started.refusal.reason);
    await harness.reconcile();
  }
  return harness;
}

/** As the form does it, for an order that exists. */
export async function declare(harness: BillingHarness, orderId: OrderId) {
  await env.DB.prepare(
    `insert or ignore into withdrawals (id, order_id, state, name, order_typed, email, declared_at, declared_by)
     values (?1, ?2, 'declared', 'A', 'A', 'a@example.com', ?3, 'owner')`,
  )
    .bind(`wdr_${await hashToken(orderId)}`, orderId, harness.app.clock())
    .run();
}

export const declarations = async () =>
  (await env.DB.prepare("select state from withdrawals").all<{ state: string }>()).results.map(({ state }) => state);

/** In the order in which they were paid; unpaid ones come last. */
export async function orders(harness: BillingHarness) {
  const rows = (await harness.rows()).orders.map((order) => ({
    id: idOf("ord", order.id),
    paidMinor: Number(order.amount_minor),
    backMinor: Number(order.refunded_minor),
    state: order.state,
    kind: String(order.kind),
    paidAt: order.paid_at === null ? null : Number(order.paid_at),
  }));
  return rows.toSorted((left, right) => (left.paidAt ?? Infinity) - (right.paidAt ?? Infinity) || 0);
}

/** Paid orders by contract: a change belongs with the one before if it replaced a part of it. */
export async function byContract(harness: BillingHarness) {
  const { results } = await env.DB.prepare("select distinct order_id from order_lines where amount_minor < 0").all();
  const isTakeOver = (id: string) => results.some(({ order_id: of }) => of === id);
  const paid = (await orders(harness)).filter(({ paidAt }) => paidAt !== null);
  return paid.reduce<(typeof paid)[]>((groups, order) => {
    if (order.kind === "change" && isTakeOver(order.id)) groups.at(-1)?.push(order);
    else groups.push([order]);
    return groups;
  }, []);
}

export const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** What was kept of the customer's payments, and whether a plan runs, here and at the provider. */
export async function contractTotals(harness: BillingHarness) {
  await harness.reconcile();
  await harness.reconcile();
  const rows = await orders(harness);
  const [subscription] = (await harness.rows()).subscriptions;
  const [there] = (await harness.record()).subscriptions;
  expect(there?.status === "canceled").toBe(subscription?.state === "ended");
  const billing = await harness.record();
  expect(sum(billing.charges.map(({ refundedMinor }) => refundedMinor))).toBe(
    sum(rows.map(({ backMinor }) => backMinor)),
  );
  return {
    plan: subscription?.state === "ended" ? "ended" : "runs",
    retainedMinor: sum(rows.map(({ paidMinor, backMinor }) => paidMinor - backMinor)),
    paidMinor: sum(rows.map(({ paidMinor }) => paidMinor)),
    rows,
  };
}

export type End = "withdrawal" | "operator" | "dispute-lost";

export async function giveBack(harness: BillingHarness, order: OrderId, by: End, amountMinor?: number) {
  const amount = amountMinor !== undefined && { amountMinor };
  if (by === "dispute-lost") return harness.control("dispute", { order, outcome: "lost", ...amount });
  if (by === "withdrawal") await declare(harness, order);
  return harness.control("refund", { order, ...amount });
}

/** What the pages of a contract's orders show of a withdrawal from it: the same on all of them. */
export async function offered(harness: BillingHarness) {
  const pages = await Promise.all(
    (await orders(harness)).map(({ id }) => showOrder(harness.app, harness.accountId, id)),
  );
  const shown = pages.map((detail) => {
    const { declared, offer } = detail?.withdrawal ?? {};
    if (offer) return offer.totalMinor;
    if (!declared) return "nothing";
    return declared.state === "refunded" ? "settled" : "declared";
  });
  const [first] = shown;
  expect(shown).toEqual(shown.map(() => first));
  return first;
}
