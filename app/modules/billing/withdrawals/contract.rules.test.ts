import type { OrderId } from "#app/core/id.ts";
import { describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { sampleContractOrder } from "#tests/support/billing/sample-contract-order.ts";
import { offerWithdrawal } from "./contract-offer.rules.ts";
import { type ContractOrder, groupOrders, withdrawableWith } from "./contract-orders.rules.ts";
import {
  type DatedOrder,
  decideContract,
  supersededOwed,
  withdrawalOwed,
  type contractStages,
  contractTable,
  type HowMuch,
  type MoneyBackReason,
  untouched,
} from "./contract.rules.ts";

const end = 365 * dayMs;
const line = (amountMinor: number, periodStartsAt: number, periodEndsAt = end) => ({
  amountMinor,
  periodStartsAt,
  periodEndsAt,
});

function order(id: OrderId, change: Partial<ContractOrder<OrderId>> = {}): ContractOrder<OrderId> {
  return sampleContractOrder(id, { billingReason: "change", paidMinor: 600, withdrawUntil: 14 * dayMs, ...change });
}

/** A year for 6,000 after one day of a month for 600; then the larger year for 15,000, again after one day. */
const purchase = order("ord_purchase", { billingReason: "new-plan", lines: [line(600, 0, 30 * dayMs)] });
const change = order("ord_change", {
  paidMinor: 5420,
  paidAt: dayMs,
  lines: [line(-580, dayMs, 30 * dayMs), line(6000, dayMs)],
});
const again = order("ord_again", {
  paidMinor: 9000,
  paidAt: 2 * dayMs,
  lines: [line(-5984, 2 * dayMs), line(14984, 2 * dayMs)],
});
const contracts = {
  purchase: [purchase],
  change: [purchase, change],
  "change-of-change": [purchase, change, again],
} satisfies Record<(typeof contractStages)[number], ContractOrder[]>;

const reasons: MoneyBackReason[] = ["withdrawal", "operator", "dispute-lost"];
const amounts: HowMuch[] = ["part", "full"];
const cells = Object.entries(contracts).flatMap(([name, orders]) =>
  reasons.flatMap((reason) =>
    amounts.flatMap((howMuch) => orders.map((_, index) => ({ name, orders, reason, howMuch, index }))),
  ),
);

describe("a refund of one order", () => {
  test.each(cells)("$name: $reason of $howMuch of order $index", ({ orders, reason, howMuch, index }) => {
    const at = 3 * dayMs;
    const hit = orders.map((each, place) => {
      const returnedMinor = { part: 100, full: each.paidMinor }[howMuch];
      const lostMinor = reason === "dispute-lost" ? returnedMinor : 0;
      return place === index ? { ...each, returnedMinor, lostMinor, returnedAt: at } : each;
    });
    const verdict = decideContract(hit, { declaredAt: reason === "withdrawal" ? 2 * dayMs : null, endedAt: null });
    expect(verdict).toMatchObject(contractTable[reason][howMuch]);
    const paid = orders.reduce((sum, { paidMinor }) => sum + paidMinor, 0);
    const back =
      hit.reduce((sum, { returnedMinor }) => sum + returnedMinor, 0) +
      verdict.send.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    if (howMuch !== "full") expect(verdict.send).toEqual([]);
    else if (reason === "withdrawal") expect(back).toBe(paid);
    // Three days of a year, or of a month, were used; refunds beyond that stay.
    else expect(back).toBeGreaterThanOrEqual(Math.floor(paid * (orders.length === 1 ? 0.9 : 0.98)));
  });
});

const idsOf = (groups: ContractOrder[][]) => groups.map((orders) => orders.map(({ id }) => id));

describe("what is charged for the next period", () => {
  const renewal = order("ord_renewal", {
    billingReason: "renewal",
    paidAt: 30 * dayMs,
    withdrawUntil: null,
    lines: [line(600, 30 * dayMs, 60 * dayMs)],
  });

  test.each([
    ["in time", 13 * dayMs, [["ord_purchase", "ord_renewal"]]],
    ["in time, of no order of theirs", null, [["ord_purchase"], ["ord_renewal"]]],
    ["too late", 14 * dayMs, [["ord_purchase"], ["ord_renewal"]]],
  ])("is refunded with the period before if that was withdrawn from %s", (_, declaredAt, groups) => {
    const declarations = [{ id: declaredAt === null ? null : purchase.id, declaredAt: declaredAt ?? 0 }];
    expect(idsOf(groupOrders([purchase, renewal], declarations))).toEqual(groups);
  });

  test.each([
    ["before it was paid", { returnedMinor: 600, returnedAt: 29 * dayMs }, [["ord_purchase", "ord_renewal"]]],
    ["after it was paid", { returnedMinor: 600, returnedAt: 31 * dayMs }, [["ord_purchase"], ["ord_renewal"]]],
    ["in part", { returnedMinor: 500, returnedAt: 29 * dayMs }, [["ord_purchase"], ["ord_renewal"]]],
  ])("continues if the period before was refunded %s", (_, gone, groups) => {
    expect(idsOf(groupOrders([{ ...purchase, ...gone }, renewal], []))).toEqual(groups);
  });

  test("is mentioned with an order while that can be withdrawn from", () => {
    const named = (at: number) => withdrawableWith([purchase, renewal], "ord_purchase", [], at).map(({ id }) => id);
    expect(named(13 * dayMs)).toEqual(["ord_purchase", "ord_renewal"]);
    expect(named(14 * dayMs)).toEqual(["ord_purchase"]);
    expect(withdrawableWith([purchase, renewal], "ord_renewal", [], 14 * dayMs).map(({ id }) => id)).toEqual([
      "ord_renewal",
    ]);
  });

  test("can be withdrawn from under its own number, too, while the order that it renewed can be", () => {
    const early = { ...renewal, paidAt: 5 * dayMs };
    const declared = (declaredAt: number) => groupOrders([purchase, early], [{ id: "ord_renewal", declaredAt }]);
    expect(idsOf(declared(13 * dayMs))).toEqual([["ord_purchase", "ord_renewal"]]);
    expect(idsOf(declared(14 * dayMs))).toEqual([["ord_purchase"], ["ord_renewal"]]);
    expect(withdrawableWith([purchase, early], "ord_renewal", [], 13 * dayMs)).toHaveLength(2);
  });

  test("is refunded completely, and the plan ends, whichever of the two orders an operator refunds", () => {
    for (const gone of ["ord_purchase", "ord_renewal"]) {
      const orders = [purchase, renewal].map((each) =>
        each.id === gone ? { ...each, returnedMinor: each.paidMinor, returnedAt: 31 * dayMs } : each,
      );
      const verdict = decideContract(orders, { declaredAt: 13 * dayMs, endedAt: null });
      const other = gone === "ord_purchase" ? "ord_renewal" : "ord_purchase";
      expect(verdict).toMatchObject({ subscription: "ends", send: [{ id: other, amountMinor: 600 }] });
    }
  });
});

describe("a contract", () => {
  test("without a refund is running, whatever is declared", () => {
    for (const declaredAt of [null, dayMs]) {
      const verdict = decideContract([purchase, change], { declaredAt, endedAt: null });
      expect(verdict).toMatchObject({ ...untouched, send: [], creditToDeductMinor: 0 });
    }
  });

  test("whose order was partly lost and then refunded was withdrawn from if that was declared, otherwise ended by an operator", () => {
    const hit = [{ ...purchase, returnedMinor: 600, lostMinor: 200, returnedAt: 2 * dayMs }, change];
    expect(decideContract(hit, { declaredAt: dayMs, endedAt: null })).toMatchObject(contractTable.withdrawal.full);
    expect(decideContract(hit, { declaredAt: null, endedAt: null })).toMatchObject(contractTable.operator.full);
  });

  test("of which a bank took one whole order counts as withdrawn from when another one is refunded afterwards", () => {
    const lost = { ...purchase, returnedMinor: 600, lostMinor: 600, returnedAt: 2 * dayMs };
    const declaration = { declaredAt: dayMs, endedAt: 2 * dayMs };
    expect(decideContract([lost, change, again], declaration)).toMatchObject(contractTable["dispute-lost"].full);
    const refunded = { ...change, returnedMinor: change.paidMinor, returnedAt: 3 * dayMs };
    const verdict = decideContract([lost, refunded, again], declaration);
    expect(verdict).toMatchObject({ ...contractTable.withdrawal.full, send: [{ id: "ord_again", amountMinor: 9000 }] });
  });

  test("begins with a purchase, a renewal, or a change that takes over nothing", () => {
    const renewal = order("ord_renewal", { billingReason: "renewal", lines: [line(6000, 0)] });
    const apart = order("ord_apart", { lines: [line(600, 0)] });
    const split = groupOrders([purchase, change, renewal, again, apart], []);
    expect(idsOf(split)).toEqual([["ord_purchase", "ord_change"], ["ord_renewal", "ord_again"], ["ord_apart"]]);
  });

  test("can be withdrawn from as a whole; of an order that is too old, only the part that the change took over is refunded", () => {
    const old = {
      ...purchase,
      billingReason: "renewal" as const,
      withdrawUntil: null,
      paidMinor: 6000,
      lines: [line(6000, 0)],
    };
    const later = {
      ...again,
      paidAt: 73 * dayMs,
      withdrawUntil: 87 * dayMs,
      lines: [line(-4800, 73 * dayMs), line(12_000, 73 * dayMs)],
    };
    expect(withdrawalOwed([old, later], 80 * dayMs)?.money).toEqual([
      { id: "ord_purchase", amountMinor: 4800 },
      { id: "ord_again", amountMinor: 9000 },
    ]);
    expect(withdrawalOwed([old, later], 87 * dayMs)).toBeNull();
  });

  test("that ended before is not undone by a refund, and is by a withdrawal", () => {
    const hit = [{ ...purchase, returnedMinor: 600, returnedAt: 5 * dayMs }, change];
    expect(decideContract(hit, { declaredAt: null, endedAt: 4 * dayMs }).send).toEqual([]);
    expect(decideContract(hit, { declaredAt: dayMs, endedAt: 4 * dayMs }).send).toEqual([
      { id: "ord_change", amountMinor: 5420 },
    ]);
  });

  test("is undone by a withdrawal only if a refund followed the declaration; an earlier refund doesn't count", () => {
    const sentFor = (declaredAt: number, { returnedMinor = 600, ...rest } = {}) =>
      decideContract([{ ...purchase, returnedMinor, returnedAt: 5 * dayMs, ...rest }, change], {
        declaredAt,
        endedAt: null,
      }).owed;
    expect(sentFor(5 * dayMs)).toBe("all");
    // Stripe's clock may differ from ours by a minute.
    expect(sentFor(5 * dayMs + minuteMs)).toBe("all");
    expect(sentFor(5 * dayMs + minuteMs + 1)).toBe("unused");
    expect(sentFor(6 * dayMs, { returnedMinor: 599 })).toBe("nothing");
  });

  test("whose plan had ended when a change was paid refunds that payment", () => {
    const verdict = decideContract([purchase, { ...change, paidAt: 9 * dayMs }], {
      declaredAt: null,
      endedAt: 8 * dayMs,
    });
    expect(verdict.send).toEqual([{ id: "ord_change", amountMinor: 5420 }]);
  });

  test("refunds nothing twice: earlier refunds and chargebacks count", () => {
    const hit = [
      { ...purchase, returnedMinor: 600, returnedAt: 3 * dayMs },
      { ...change, restSentMinor: 5420 },
    ];
    expect(decideContract(hit, { declaredAt: dayMs, endedAt: null }).send).toEqual([]);
  });

  const shown = { number: null, state: "paid", creditReturnedMinor: 0, lastDay: { year: 1970, month: 1, day: 15 } };

  test("counts left-over credit as refunded, and deducts the excess", () => {
    const leftOver = order("ord_left", {
      paidMinor: 0,
      creditMinor: -4500,
      lines: [line(-5000, dayMs), line(500, dayMs)],
    });
    const whole = order("ord_year", { billingReason: "new-plan", paidMinor: 6000, lines: [line(6000, 0)] });
    const offered = offerWithdrawal(
      [
        { ...whole, ...shown, number: "2026-000001" },
        { ...leftOver, ...shown },
      ],
      dayMs,
    );
    expect(offered).toMatchObject({ totalMinor: 1500, orders: [{ backMinor: 1500 }, { backMinor: 0 }] });
    const hit = [{ ...whole, returnedMinor: 6000, returnedAt: 2 * dayMs }, leftOver];
    expect(decideContract(hit, { declaredAt: dayMs, endedAt: null })).toMatchObject({
      send: [],
      creditToDeductMinor: 4500,
    });
  });

  test("that was refunded or charged back offers no further withdrawal", () => {
    expect(offerWithdrawal([{ ...purchase, ...shown, state: "refunded", returnedMinor: 600 }], 0)).toBeNull();
    expect(offerWithdrawal([{ ...purchase, ...shown, returnedMinor: 600, lostMinor: 600 }], 0)).toBeNull();
  });

  test("of which one order was refunded offers the rest, and one that cost nothing is offered as well", () => {
    const rest = { ...change, ...shown, returnedMinor: 5300 };
    const hit = [{ ...purchase, ...shown, state: "refunded", returnedMinor: 600 }, rest];
    expect(offerWithdrawal(hit, dayMs)).toMatchObject({
      totalMinor: 120,
      orders: [{ backMinor: 0 }, { backMinor: 120 }],
    });
    expect(offerWithdrawal([{ ...purchase, ...shown, paidMinor: 0 }], 0)).toMatchObject({ totalMinor: 0 });
  });
});

describe("the credit that paid a part of a contract", () => {
  const half = (each: ContractOrder<OrderId>) => ({
    ...each,
    paidMinor: each.paidMinor - Math.floor(each.paidMinor / 2),
    creditMinor: Math.floor(each.paidMinor / 2),
  });
  /** Half of 6,000 was credit, and half of the year is left. */
  const year = half(order("ord_year", { billingReason: "new-plan", paidMinor: 6000, lines: [line(6000, 0)] }));
  const middle = 182.5 * dayMs;
  const later = half(
    order("ord_later", { paidMinor: 600, paidAt: middle, lines: [line(-3000, middle), line(3600, middle)] }),
  );
  const returned = { returnedMinor: later.paidMinor, returnedAt: middle };
  const backOf = (orders: ContractOrder<OrderId>[], facts: Partial<Parameters<typeof decideContract>[1]> = {}) => {
    const { send, creditBack } = decideContract(orders, { declaredAt: null, endedAt: null, ...facts });
    return { send, creditBack };
  };

  test("goes back for its unused time, whoever undoes the contract", () => {
    const money = [{ id: "ord_year", amountMinor: 1500 }];
    const credit = [{ id: "ord_year", amountMinor: 1500 }];
    // What was refunded in full gives all of its credit back by itself.
    expect(backOf([year, { ...later, ...returned }])).toEqual({ send: money, creditBack: credit });
    expect(backOf([year, { ...later, ...returned, lostMinor: returned.returnedMinor }])).toEqual({
      send: money,
      creditBack: credit,
    });
    expect(
      backOf(
        [
          { ...year, withdrawUntil: null },
          { ...later, ...returned, withdrawUntil: 365 * dayMs },
        ],
        {
          declaredAt: middle,
        },
      ),
    ).toEqual({ send: money, creditBack: [...credit, { id: "ord_later", amountMinor: 300 }] });
    expect(backOf([year], { endedAt: middle, noticeUntil: middle })).toEqual({ send: money, creditBack: credit });
  });

  test("goes back completely for what was charged after the plan had ended", () => {
    expect(backOf([year, later], { endedAt: middle - 1 })).toEqual({
      send: [{ id: "ord_later", amountMinor: 300 }],
      creditBack: [{ id: "ord_later", amountMinor: 300 }],
    });
  });

  test("is not counted twice, if a part of what was paid became credit again", () => {
    const smaller = order("ord_smaller", {
      paidMinor: 0,
      creditMinor: -2000,
      paidAt: middle,
      lines: [line(-3000, middle), line(1000, middle)],
    });
    const all = { ...year, paidMinor: 0, creditMinor: 6000 };
    const { money, credit } = supersededOwed(
      [all, smaller].map((each) => ({ ...each, returns: [] })),
      { supersededAt: middle },
    );
    expect([money, credit]).toEqual([[], [{ id: "ord_year", amountMinor: 1000 }]]);
  });

  test("stays with the plan while nothing undoes it", () => {
    expect(backOf([year, later])).toEqual({ send: [], creditBack: [] });
    expect(backOf([{ ...year, returnedMinor: 1, returnedAt: 1 }, later])).toEqual({ send: [], creditBack: [] });
  });
});

describe("what is owed of a plan that a newer one superseded", () => {
  const at = { supersededAt: 73 * dayMs };
  /** Four fifths of 6,000 were unused. */
  const year = order("ord_year", { billingReason: "new-plan", paidMinor: 6000, lines: [line(6000, 0)] });
  const back = (...returns: [amountMinor: number, day: number][]) => ({
    returnedMinor: returns.reduce((sum, [amountMinor]) => sum + amountMinor, 0),
    returnedAt: Math.max(...returns.map(([, day]) => day * dayMs)),
    returns: returns.map(([amountMinor, day]) => ({ amountMinor, at: day * dayMs })),
  });
  const owedOf = (...orders: (ContractOrder<OrderId> & Partial<DatedOrder<OrderId>>)[]) =>
    supersededOwed(
      orders.map((each) => ({ returns: [], ...each })),
      at,
    ).money;

  test.each<[string, Partial<DatedOrder<OrderId>>, number]>([
    ["is all of it as long as nothing was refunded", {}, 4800],
    ["is nothing once the site has refunded it", { restSentMinor: 4800 }, 0],
    ["is nothing once an operator has", back([4800, 80]), 0],
    ["is the rest after an operator refunded a part", back([4000, 80]), 800],
    ["is nothing if a bank took the payment", { ...back([6000, 80]), lostMinor: 6000 }, 0],
    ["is less if the price was lowered before", back([1000, 0]), 4000],
    ["stays so after the first cent", back([1000, 0], [1, 80]), 3999],
    ["is the rest of that after an operator refunded parts", back([1000, 0], [1000, 80], [500, 81]), 2500],
  ])("%s", (_, change, owedMinor) => {
    expect(owedOf({ ...year, ...change }).reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(owedMinor);
  });

  test("is refunded from each order once, and what came back of one counts for all", () => {
    const later = order("ord_later", { billingReason: "renewal", paidMinor: 6000, paidAt: 74 * dayMs });
    expect(owedOf(year, later)).toEqual([
      { id: "ord_year", amountMinor: 4800 },
      { id: "ord_later", amountMinor: 6000 },
    ]);
    expect(owedOf(year, { ...later, restSentMinor: 6000 })).toEqual([{ id: "ord_year", amountMinor: 4800 }]);
    expect(owedOf({ ...year, ...back([6000, 80]) }, later)).toEqual([{ id: "ord_later", amountMinor: 4800 }]);
  });
});
