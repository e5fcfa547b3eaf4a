import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { browseOrders } from "#app/modules/billing/history/reads/browse-orders.server.ts";
import { readOrdersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { pageSize } from "#app/modules/billing/orders/rules.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { watched } from "#tests/support/database/recording-database.ts";
import { testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

const mine = "acc_reads";
const noon = Date.UTC(2026, 5, 15, 12);

beforeEach(async () => {
  await emptyTables("withdrawals", "history_events", "order_lines", "orders", "accounts");
  await env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
  )
    .bind(mine)
    .run();
});

/** Two years, in each as many paid orders as cancelled ones; the newest is of the newer year. */
async function orders(count: number): Promise<void> {
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
       number_year, number_in_year, paid_at)
     with recursive nth(n) as (select 0 union all select n + 1 from nth where n < ?2 - 1),
       facts as (select n, n % 2 = 0 as paid, n >= ?2 / 2 as late, ?4 - iif(n >= ?2 / 2, 0, 31536000000) + n as at from nth)
     select 'ord_' || printf('%06d', n), ?1, iif(paid, 'paid', 'cancelled'), 'renewal', ?3, 'month', 'EUR', 600, at, 0,
       iif(paid, iif(late, 2026, 2025), null), iif(paid, n, null), iif(paid, at, null) from facts`,
  )
    .bind(mine, count, small.id, noon)
    .run();
}

/** The rows that the database read for one page, over all statements. */
async function rowsRead(query: string): Promise<{ shown: number; read: number }> {
  const { statements, using } = watched(testApp());
  const page = await browseOrders(using, mine, readOrdersQuery(new URLSearchParams(query)));
  const answers = await env.DB.batch(statements.map((noted) => env.DB.prepare(noted.query).bind(...noted.values)));
  return { shown: page.orders.length, read: answers.reduce((sum, { meta }) => sum + meta.rows_read, 0) };
}

const ways = ["", "state=paid", "state=cancelled", "year=2026", "year=2025", "year=2025&state=cancelled"];

async function readOf(count: number) {
  await env.DB.prepare("delete from orders").run();
  await orders(count);
  const newest = `after=${noon + count}.ord_999999`;
  const found = [];
  for (const way of [...ways, newest]) found.push({ way: way === newest ? "after" : way, ...(await rowsRead(way)) });
  return found;
}

test("a page of the orders reads as many rows of two thousand as of a hundred, with any filter", async () => {
  const few = await readOf(100);
  expect(few.map(({ shown }) => shown)).toEqual(few.map(() => pageSize));
  expect(await readOf(2000)).toEqual(few);
});

test("a list of twenty orders on one page reads no more rows than that", async () => {
  const [most] = await readOf(2000);
  const [all] = await readOf(pageSize);
  expect(all?.shown).toBe(pageSize);
  expect(all?.read).toBeLessThanOrEqual(most?.read ?? 0);
});
