import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OrderId } from "#app/core/id.ts";
import { amountStep } from "#app/core/money/round-amount.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { sampleContractOrder } from "#tests/support/billing/sample-contract-order.ts";
import { type ContractOrder } from "./contract-orders.rules.ts";
import { decideContract, supersededOwed, withdrawalOwed } from "./contract.rules.ts";

const stepped = ["EUR", "JPY", "KWD", "BHD", "JOD", "OMR", "TND", "ISK", "UGX"];
const periodSeconds = (30 * dayMs) / secondMs;

/** Rounds a fraction of whole numbers to the step, halves up: written without floats, to be compared with what the site computes. */
function nearest(over: bigint, under: bigint, currency: string): number {
  const step = BigInt(amountStep(currency));
  return Number(((2n * over + under * step) / (2n * under * step)) * step);
}

const line = (amountMinor: number, from: number, until = periodSeconds) => ({
  amountMinor,
  periodStartsAt: from * secondMs,
  periodEndsAt: until * secondMs,
});

type Terms = { currency: string; price: number; larger: number; changedAt: number; refundedAt: number; part: number };

/** A plan, and a larger one from `changedAt` on: what Stripe charges for both, in multiples of the step. */
const terms = fc
  .record({
    currency: fc.constantFrom(...stepped),
    price: fc.integer({ min: 100, max: 100_000 }),
    more: fc.integer({ min: 1, max: 100_000 }),
    changedAt: fc.integer({ min: 1, max: periodSeconds - 2 }),
    later: fc.integer({ min: 1, max: periodSeconds }),
    part: fc.integer({ min: 0, max: 50 }),
  })
  .map(({ currency, price, more, changedAt, later, part }): Terms => {
    const step = amountStep(currency);
    const refundedAt = Math.min(changedAt + later, periodSeconds);
    return { currency, price: price * step, larger: (price + more) * step, changedAt, refundedAt, part: part * step };
  });

function ordersOf({ currency, price, larger, changedAt }: Terms): [ContractOrder<OrderId>, ContractOrder<OrderId>] {
  const left = periodSeconds - changedAt;
  const share = (amount: number) => nearest(BigInt(amount * left), BigInt(periodSeconds), currency);
  const lines = [line(-share(price), changedAt), line(share(larger), changedAt)];
  return [
    sampleContractOrder("ord_purchase", { currency, paidMinor: price, lines: [line(price, 0)] }),
    sampleContractOrder("ord_change", {
      billingReason: "change",
      currency,
      paidMinor: share(larger) - share(price),
      paidAt: changedAt * secondMs,
      lines,
    }),
  ];
}

describe("what is refunded of a contract", () => {
  test("is a multiple of the currency's step, and the unused part of what was paid, to the last unit", () => {
    fc.assert(
      fc.property(terms, (own) => {
        const [purchase, change] = ordersOf(own);
        const { currency, refundedAt, part } = own;
        const returnedAt = refundedAt * secondMs;
        const reduced = { ...purchase, returnedMinor: part, returnedAt };
        const hit = { ...change, returnedMinor: change.paidMinor, returnedAt };
        const sent = decideContract([reduced, hit], { declaredAt: null, endedAt: null }).send;
        const lines = [purchase, change].flatMap(({ lines: each }) => each);
        const total = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        const paid = purchase.paidMinor + change.paidMinor - part;
        // Each line is prorated by the seconds that are left of its own period.
        const [whole, rest] = [BigInt(periodSeconds), BigInt(periodSeconds - own.changedAt)];
        const left = BigInt(periodSeconds - refundedAt);
        const [bought = 0, credited = 0, charged = 0] = lines.map(({ amountMinor }) => amountMinor);
        const unusedOver = (BigInt(bought) * rest + BigInt(credited + charged) * whole) * left;
        const share = nearest(BigInt(paid) * unusedOver, BigInt(total) * whole * rest, currency);
        const owed =
          change.paidMinor === 0 ? 0 : Math.min(purchase.paidMinor - part, Math.max(0, share - change.paidMinor));
        expect(sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(owed);
        for (const { amountMinor } of sent) expect(amountMinor % amountStep(currency)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  test("of an order that a change replaced is what that change's own invoice credits for it", () => {
    fc.assert(
      fc.property(terms, (own) => {
        const [purchase, change] = ordersOf(own);
        const credits = -(change.lines[0]?.amountMinor ?? 0);
        const owed = withdrawalOwed([purchase, { ...change, withdrawUntil: 60 * dayMs }], own.refundedAt * secondMs);
        const backOf = (id: OrderId) => owed?.money.find((share) => share.id === id)?.amountMinor ?? 0;
        expect(backOf("ord_purchase")).toBe(credits);
        expect(backOf("ord_change")).toBe(change.paidMinor);
      }),
      { numRuns: 500 },
    );
  });

  test("of an order that credit paid in part is as much of the credit, and both add up to the unused part", () => {
    const paidBy = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(terms, paidBy, (own, share) => {
        const [whole, change] = ordersOf(own);
        const step = amountStep(own.currency);
        const creditMinor = Math.floor((whole.paidMinor / step) * share) * step;
        const purchase = { ...whole, paidMinor: whole.paidMinor - creditMinor, creditMinor };
        const at = own.changedAt * secondMs;
        const withdrawn = withdrawalOwed([purchase, { ...change, withdrawUntil: 60 * dayMs }], at);
        const superseded = supersededOwed([{ ...purchase, returns: [] }], { supersededAt: at });
        const unused = nearest(
          BigInt(own.price * (periodSeconds - own.changedAt)),
          BigInt(periodSeconds),
          own.currency,
        );
        for (const owed of [withdrawn, superseded]) {
          const backOf = (shares: { id: OrderId; amountMinor: number }[] = []) =>
            shares.find(({ id }) => id === "ord_purchase")?.amountMinor ?? 0;
          expect(backOf(owed?.money) + backOf(owed?.credit)).toBe(unused);
          const exactMinor = (creditMinor * (periodSeconds - own.changedAt)) / periodSeconds;
          expect(Math.abs(backOf(owed?.credit) - exactMinor)).toBeLessThanOrEqual(step);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["KWD", 1_500, 26.8, 1_340],
    ["KWD", 50_000, 27, 45_000],
    ["ISK", 1_000_000, 19.5, 650_000],
    ["ISK", 100_000, 19.99, 66_600],
    ["EUR", 999, 15, 500],
  ])("in %s of %i after a withdrawal with %f of 30 days left is %i", (currency, price, daysLeft, owed) => {
    const at = periodSeconds - (daysLeft * dayMs) / secondMs;
    const [purchase] = ordersOf({ currency, price, larger: price, changedAt: 1, refundedAt: 1, part: 0 });
    const takesOver = sampleContractOrder("ord_change", { currency, paidAt: at * secondMs, withdrawUntil: 60 * dayMs });
    expect(withdrawalOwed([purchase, takesOver], at * secondMs)?.money).toEqual([
      { id: "ord_purchase", amountMinor: owed },
    ]);
  });
});
