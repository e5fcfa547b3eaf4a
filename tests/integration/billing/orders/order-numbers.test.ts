import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { startOfDay } from "#app/core/time/calendar.ts";
import {
  addPaidOrder,
  addOpenOrder,
  type OrderPayment,
  payOrder,
} from "#app/modules/billing/orders/payments.queries.server.ts";
import { accountingYear } from "#app/modules/billing/orders/rules.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

/** The turn of the year on the seller's calendar, which isn't that of UTC. */
const turn = startOfDay({ year: 2027, month: 1, day: 1 }, product.timeZone);

let app: TestApp;

beforeEach(async () => {
  app = testApp();
  await emptyTables("history_events", "order_lines", "orders", "accounts");
});

function payment(n: number, paidAt: number): OrderPayment {
  return {
    checkoutId: null,
    invoiceId: `in_${n}`,
    currency: product.currency,
    mismatch: null,
    amountMinor: minor(small),
    taxMinor: 0,
    discountMinor: 0,
    creditMinor: 0,
    receiptUrl: null,
    buyerTimeZone: product.timeZone,
    attempts: 1,
    paidAt,
    accountingYear: accountingYear(paidAt, app.product.timeZone),
    lines: [{ description: small.name, amountMinor: minor(small), periodStartsAt: paidAt, periodEndsAt: paidAt + 1 }],
  };
}

/** Each order has its own account, since an account has at most one open purchase. */
async function accounts(count: number): Promise<void> {
  const insert = env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
  );
  await env.DB.batch(Array.from({ length: count }, (_, n) => insert.bind(`acc_${n}`)));
}

const sold = { planId: small.id, interval: "month", currency: "EUR", createdAt: turn } as const;

function facts(n: number, kind: "new-plan" | "renewal" | "change") {
  return { ...sold, id: `ord_${n}` as const, accountId: `acc_${n}` as const, kind };
}

/**
 * As syncs write them: an open purchase is paid, and a renewal or change that wasn't started here is added as paid.
 */
async function pay(n: number, paidAt: number): Promise<void> {
  const paid = payment(n, paidAt);
  const kinds = ["new-plan", "renewal", "change"] as const;
  const kind = kinds[n % 3] ?? "renewal";
  const whole = payOrder(app.db, `ord_${n}`, paid, paidAt);
  if (kind === "new-plan") await app.db.batch(whole);
  else await app.db.batch([addPaidOrder(app.db, { ...facts(n, kind), ...paid }, paidAt), ...whole]);
}

async function open(count: number): Promise<void> {
  await accounts(count);
  for (let n = 0; n < count; n += 3) {
    await app.db.batch(addOpenOrder(app.db, { ...facts(n, "new-plan"), ...payment(n, turn) }, turn));
  }
}

/** By year, in their order. */
async function numbers(): Promise<[number, number[]][]> {
  const { results } = await env.DB.prepare(
    `select number_year as year, group_concat(number_in_year) as taken
     from (select * from orders where paid_at is not null order by number_in_year) group by number_year`,
  ).all<{ year: number; taken: string }>();
  return results.map(({ year, taken }) => [year, taken.split(",").map(Number)]);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("numbers of orders", () => {
  test("have neither gaps nor duplicates for simultaneous purchases, renewals and changes, each found by several syncs", async () => {
    await open(60);
    const paid = Array.from({ length: 180 }, (_, index) => pay(index % 60, turn - 1));
    await Promise.all(paid);
    expect(await numbers()).toEqual([[2026, upTo(60)]]);
  });

  test("start again with the seller's year, in any order of payments of both years", async () => {
    await open(60);
    const paid = Array.from({ length: 60 }, (_, n) => pay(n, n % 2 === 0 ? turn - 1 : turn));
    await Promise.all(paid);
    expect(await numbers()).toEqual([
      [2026, upTo(30)],
      [2027, upTo(30)],
    ]);
  });

  test("continue in the old year for payments of that year that are found in the new one", async () => {
    await open(3);
    await pay(1, turn - 1);
    await pay(2, turn);
    await pay(0, turn - 2);
    expect(await numbers()).toEqual([
      [2026, [1, 2]],
      [2027, [1]],
    ]);
  });

  test("are not used up by a payment whose batch fails", async () => {
    await open(6);
    await pay(1, turn);
    await env.DB.prepare(
      "create trigger killed before insert on order_lines begin select raise(abort, 'killed'); end",
    ).run();
    const killed = await Promise.allSettled([pay(2, turn), pay(3, turn), pay(4, turn)]);
    await env.DB.prepare("drop trigger killed").run();
    expect(killed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await Promise.all([pay(5, turn), pay(4, turn), pay(3, turn), pay(2, turn)]);
    expect(await numbers()).toEqual([[2027, upTo(5)]]);
  });

  test("are found by an index, whatever the number of orders", async () => {
    const [statement] = payOrder(app.db, "ord_1", payment(1, turn), turn);
    const { sql, params } = statement.getQuery();
    const { results } = await env.DB.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
    expect(results.map(({ detail }) => detail).join("\n")).toContain("orders_number (number_year=?)");
  });
});
