import { type AccountId, noAccount } from "#app/core/id.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { readOrdersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { listLatest, listOrders, listStates, listYears } from "#app/modules/billing/history/browse.queries.server.ts";
import { pageSize } from "#app/modules/billing/orders/rules.ts";
import { recentOrdersMax } from "#app/modules/billing/history/spending.rules.ts";
import { product } from "#app/product/config.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { inTurns, median, quantile } from "../rounds.ts";
import { figure, type Table, wholeNumber } from "../table.ts";

const SIZES = [100, 1_000, 10_000];
const YEARS = [2024, 2025];

type D1 = Awaited<ReturnType<Site["database"]>>;
type Owner = { id: AccountId; size: number; visitor: Visitor };

/** Rows read and time taken by a page of orders, for customers with a hundred, a thousand and ten thousand of them. */
export async function* benchOrdersPage(site: Site, rounds: number): AsyncGenerator<Table> {
  const d1 = await site.database();
  const owners: Owner[] = [];
  for (const size of SIZES) owners.push(await addOwner(site, d1, size));
  const pages = owners.flatMap((owner) => waysOf(owner).map((way) => ({ owner, ...way })));
  const samples = await inTurns(rounds, pages, async ({ owner, query }) => timeOf(owner.visitor, query));
  const rows = [];
  for (const page of pages) {
    const own = samples.get(page) ?? [];
    rows.push([
      `${wholeNumber(page.owner.size)}, ${page.name}`,
      wholeNumber(await rowsRead(d1, page.owner.id, page.query)),
      figure(median(own), "ms", 1),
      figure(quantile(own, 0.95), "ms", 1),
    ]);
  }
  yield {
    title: "Billing: a page of the orders of one person",
    notes: [
      `${pageSize} on a page. Time is that of the whole page, the person's session and the way there and back included.`,
    ],
    head: ["orders", "rows read", "time", "95 %"],
    rows,
  };
}

const waysOf = ({ size }: Owner) => [
  { name: "the newest", query: "" },
  { name: "from the middle", query: `?after=${Date.UTC(2025, 0, 1)}.ord_${size}` },
  { name: "one state of one year", query: "?state=cancelled&year=2024" },
];

/** A customer who signed up on the pages and has two years of orders, every other one paid. */
async function addOwner(site: Site, d1: D1, size: number): Promise<Owner> {
  const email = `owner-of-${size}@example.com`;
  const visitor = await site.visitor().open("/signup");
  await askForCode(visitor, email);
  await typeCode(visitor, await site.codeTo(email));
  const found = await d1.prepare("select id from accounts where email = ?").bind(email).first<{ id: AccountId }>();
  const id = found?.id ?? noAccount;
  await d1
    .prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
         number_year, number_in_year, paid_at)
       with recursive nth(n) as (select 0 union all select n + 1 from nth where n < ?2 - 1),
         facts as (select n, n % 2 = 0 as paid, iif(n < ?2 / 2, ${YEARS[0]}, ${YEARS[1]}) as year from nth),
         dated as (select n, paid, year, unixepoch(year || '-07-01') * 1000 + n as at from facts)
       select 'ord_' || (?2 + n), ?1, iif(paid, 'paid', 'cancelled'), 'renewal', ?3, 'month', 'EUR', 600, at, 0,
         iif(paid, year, null), iif(paid, ?2 + n, null), iif(paid, at, null) from dated`,
    )
    .bind(id, size, small.id)
    .run();
  return { id, size, visitor };
}

async function timeOf(visitor: Visitor, query: string): Promise<number> {
  const startedAt = performance.now();
  await visitor.open(`/settings/orders${query}`);
  if (visitor.status !== 200) throw new Error(`The orders were answered with ${visitor.status}`);
  return performance.now() - startedAt;
}

async function rowsRead(d1: D1, accountId: AccountId, query: string): Promise<number> {
  // The same interface through a proxy: only the types of the two packages differ.
  const db = openDatabase(d1 as unknown as Parameters<typeof openDatabase>[0]);
  const input = readOrdersQuery(new URLSearchParams(query));
  const requests = [
    listOrders(db, accountId, { ...input, timeZone: product.timeZone, limit: pageSize + 1 }),
    listStates(db, accountId),
    listYears(db, accountId, input.state),
    listLatest(db, accountId, 0, recentOrdersMax),
  ].map((statement) => statement.toSQL());
  const answers = await d1.batch(requests.map(({ sql, params }) => d1.prepare(sql).bind(...params)));
  return answers.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}
