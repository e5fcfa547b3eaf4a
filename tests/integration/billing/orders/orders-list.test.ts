import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { startOfDay } from "#app/core/time/calendar.ts";
import { browseOrders, type OrdersPage } from "#app/modules/billing/history/reads/browse-orders.server.ts";
import { attemptsShownMax, readOrdersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { listOrderLines, listHistoryEvents } from "#app/modules/billing/history/browse.queries.server.ts";
import { type Order, pageSize } from "#app/modules/billing/orders/rules.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { showReceipt } from "#app/modules/billing/history/reads/show-receipt.server.ts";
import { writeOrdersCsv } from "#app/modules/billing/history/reads/write-orders-csv.server.ts";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { planOf, watched, wholeReads } from "#tests/support/database/recording-database.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { insertDocument } from "#tests/support/database/insert-document.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

const mine = "acc_mine";
const theirs = "acc_theirs";
const noon = Date.UTC(2026, 10, 20, 12);

let app: TestApp;
let made = 0;

beforeEach(async () => {
  app = testApp();
  made = 0;
  await emptyTables("withdrawals", "history_events", "order_lines", "orders", "accounts");
  const account = env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
  );
  await env.DB.batch([account.bind(mine), account.bind(theirs)]);
});

type Facts = {
  at?: number;
  state?: Order["state"];
  kind?: Order["kind"];
  year?: number | null;
  owner?: string;
};

/** Adds an order; with a year it is paid, and has the next number. */
function insert({
  at = noon,
  state = "paid",
  year = state === "paid" ? 2026 : null,
  owner = mine,
  kind = "renewal",
}: Facts) {
  made += 1;
  return env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
       number_year, number_in_year, paid_at)
     values (?, ?, ?, ?, '${small.id}', 'month', 'EUR', 600, ?, 0, ?, ?, ?)`,
  ).bind(`ord_${String(made).padStart(6, "0")}`, owner, state, kind, at, year, year && made, year && at);
}

async function orders(facts: Facts[]): Promise<void> {
  for (let start = 0; start < facts.length; start += 100) {
    await env.DB.batch(facts.slice(start, start + 100).map(insert));
  }
}

function browse(query = "", using: Pick<TestApp, "db" | "clock" | "product"> = app): Promise<OrdersPage> {
  return browseOrders(using, mine, readOrdersQuery(new URLSearchParams(query)));
}

const idsOf = (page: OrdersPage) => page.orders.map(({ id }) => id);

/** From page to page by each page's cursor. */
async function walk(query: string, meanwhile: (nth: number) => Promise<unknown> = async () => undefined) {
  const pages: string[][] = [];
  let page = await browse(query);
  for (;;) {
    pages.push(idsOf(page));
    if (!page.next) return pages;
    await meanwhile(pages.length);
    page = await browse(`${query}&after=${page.next.join(".")}`);
  }
}

describe("the list of orders", () => {
  test("is paginated, newest first, with each order once, also for orders of one moment", async () => {
    await orders(Array.from({ length: 2 * pageSize + 5 }, (_, nth) => ({ at: noon + Math.floor(nth / 10) })));
    const pages = await walk("");
    expect(pages.map((page) => page.length)).toEqual([pageSize, pageSize, 5]);
    expect(pages.flat()).toEqual(Array.from({ length: 45 }, (_, nth) => `ord_${String(45 - nth).padStart(6, "0")}`));
  });

  test("doesn't shift on its older pages when orders are added meanwhile", async () => {
    await orders(Array.from({ length: 2 * pageSize }, (_, nth) => ({ at: noon + nth })));
    const before = (await walk("")).flat();
    const pages = await walk("", () => orders([{ at: noon + 1000 }, { at: noon + 1001 }, { owner: theirs }]));
    expect(pages.flat()).toEqual(before);
  });

  test("ends with a last page that has no cursor", async () => {
    await orders(Array.from({ length: pageSize }, () => ({})));
    expect(await browse()).toMatchObject({ next: null });
    const past = await browse("after=5.ord_1");
    expect([past.orders, past.next]).toEqual([[], null]);
  });

  test("is filtered by year and state: by the number's year, and without a number by the seller's calendar", async () => {
    const turn = startOfDay({ year: 2027, month: 1, day: 1 }, product.timeZone);
    await orders([
      { year: 2026, at: turn - 2 },
      // Begun in the old year, paid in the new one.
      { year: 2027, at: turn - 1 },
      { state: "cancelled", at: turn - 1 },
      { state: "cancelled", at: turn },
      { state: "failed", at: Date.UTC(2024, 5, 1) },
    ]);
    const found = async (query: string) => idsOf(await browse(query)).map((id) => Number(id.slice(-1)));
    expect(await found("")).toEqual([4, 3, 2, 1, 5]);
    expect(await found("year=2026")).toEqual([3, 1]);
    expect(await found("year=2027")).toEqual([4, 2]);
    expect(await found("state=cancelled")).toEqual([4, 3]);
    expect(await found("year=2026&state=cancelled")).toEqual([3]);
    expect(await found("year=2025")).toEqual([]);
    expect((await browse("year=2025")).facets).toEqual({
      years: [2027, 2026, 2024],
      states: ["failed", "paid", "cancelled"],
    });
  });

  test("offers no year whose only orders are left out, unless their state was chosen", async () => {
    const in2024 = Date.UTC(2024, 5, 1);
    await orders([
      {},
      { state: "cancelled", kind: "new-plan", at: in2024 },
      { state: "expired", kind: "change", at: in2024 + 1 },
      // Beside an order that is left out, one that isn't.
      { state: "expired", kind: "new-plan", at: Date.UTC(2025, 5, 2) },
      { state: "failed", at: Date.UTC(2025, 5, 1) },
      { state: "failed", kind: "new-plan", at: in2024 + 2 },
      { state: "expired", kind: "new-plan", at: Date.UTC(2025, 4, 1) },
    ]);
    const years = async (query: string) => (await browse(query)).facets.years;
    expect([await years(""), await years("state=paid")]).toEqual([
      [2026, 2025],
      [2026, 2025],
    ]);
    for (const year of await years("")) expect((await browse(`year=${year}`)).orders).not.toEqual([]);
    expect(await years("state=cancelled")).toEqual([2026, 2025, 2024]);
    expect(idsOf(await browse("year=2024&state=cancelled"))).toHaveLength(1);
  });

  test("lists unfinished attempts separately, newest first, with any filter", async () => {
    await orders([
      { at: noon },
      { state: "expired", kind: "new-plan", at: noon + 3 },
      { state: "failed", kind: "new-plan", at: noon + 2 },
      { state: "cancelled", kind: "change", at: noon + 1 },
      // Owed.
      { state: "failed", at: noon + 4 },
      { state: "expired", at: noon + 5 },
      { state: "cancelled", kind: "new-plan", owner: theirs },
    ]);
    const page = await browse();
    expect(idsOf(page).map((id) => Number(id.slice(-1)))).toEqual([6, 5, 1]);
    expect(page.attempts.map(({ state }) => state)).toEqual(["expired", "failed", "cancelled"]);
    expect((await browse("year=2019")).attempts).toEqual(page.attempts);
  });

  test.each([
    ["failed", "change"],
    ["pending", "change"],
    ["needs-action", "renewal"],
    ["pending", "renewal"],
    ["processing", "new-plan"],
  ] as const)("includes a %s %s, which is due or in progress, among the orders", async (state, kind) => {
    await orders([{ state, kind }]);
    const page = await browse();
    expect([idsOf(page), page.attempts]).toEqual([["ord_000001"], []]);
  });

  test.each(["draft", "pending", "needs-action", "failed"] as const)(
    "lists a first payment that is %s separately, and offers its year only with its state",
    async (state) => {
      await orders([{}, { state, kind: "new-plan", at: Date.UTC(2024, 5, 1) }]);
      const page = await browse();
      expect([idsOf(page), page.attempts.map(({ id }) => id)]).toEqual([["ord_000001"], ["ord_000002"]]);
      expect([page.facets.years, page.facets.states.includes(state)]).toEqual([[2026], true]);
      const narrowed = await browse(`state=${state}`);
      expect([idsOf(narrowed), narrowed.facets.years]).toEqual([["ord_000002"], [2026, 2024]]);
    },
  );

  test("includes an attempt that may have moved money among the orders", async () => {
    for (const state of ["pending", "failed", "expired"] as const) {
      await env.DB.exec("delete from orders");
      made = 0;
      await orders([{ state, kind: "new-plan" }]);
      await env.DB.exec("update orders set unconfirmed_until = 1");
      const page = await browse();
      expect([idsOf(page), page.attempts]).toEqual([["ord_000001"], []]);
    }
  });

  test("lists only the newest attempts", async () => {
    await orders(
      Array.from({ length: attemptsShownMax + 3 }, (_, nth) => ({
        state: "expired",
        kind: "new-plan",
        at: noon + nth,
      })),
    );
    expect((await browse()).attempts.map(({ createdAt }) => createdAt)).toEqual(
      Array.from({ length: attemptsShownMax }, (_, nth) => noon + attemptsShownMax + 2 - nth),
    );
  });

  test("paginates the filtered orders", async () => {
    const states = ["paid", "cancelled", "expired"] as const;
    await orders(Array.from({ length: 90 }, (_, nth) => ({ at: noon + nth, state: states[nth % 3] ?? "paid" })));
    const pages = await walk("year=2026&state=cancelled");
    expect(pages.map((page) => page.length)).toEqual([20, 10]);
    expect(new Set(pages.flat()).size).toBe(30);
  });

  test("says what banks took of an order, and that its owner has withdrawn", async () => {
    await orders([{}, {}, {}]);
    const declare = env.DB.prepare(
      `insert into withdrawals (id, order_id, state, name, order_typed, email, declared_at, declared_by)
       values (?1, ?2, ?3, '', '', '', 0, ?4)`,
    );
    await env.DB.batch([
      env.DB.prepare("insert into history_events values ('ord_000001', 'dispute-lost', 'dp_1', 200, 0)"),
      declare.bind("wdr_1", "ord_000002", "acknowledged", "owner"),
      // Not the owner's, or settled.
      declare.bind("wdr_2", "ord_000001", "declared", "anyone"),
      declare.bind("wdr_3", "ord_000003", "refunded", "owner"),
    ]);
    const { orders: listed } = await browse();
    expect(listed.map(({ id, lostMinor, isWithdrawn }) => [id, lostMinor, isWithdrawn]).toSorted()).toEqual([
      ["ord_000001", 200, false],
      ["ord_000002", 0, true],
      ["ord_000003", 0, false],
    ]);
  });

  test("contains nothing of other accounts, neither in its rows nor in its filters", async () => {
    await orders([{}, { owner: theirs, state: "refunded", year: 2020 }, { owner: theirs, state: "failed" }]);
    const page = await browse();
    expect([idsOf(page), page.facets]).toEqual([["ord_000001"], { years: [2026], states: ["paid"] }]);
    expect((await browse("year=2020")).orders).toEqual([]);
  });
});

describe("an opened order", () => {
  async function withParts(id: string) {
    await env.DB.batch([
      env.DB.prepare("insert into order_lines values (?, 0, 'Unused time', -400, 1, 2)").bind(id),
      env.DB.prepare(`insert into order_lines values (?, 1, '${small.name}', 1000, 1, 2)`).bind(id),
      ...(
        [
          // The provider's times are whole seconds of the provider's clock.
          ["draft", "", null, noon],
          ["pending", "", null, noon + 700],
          ["paid", "", null, noon],
          ["emailed", "paid", null, noon - 9000],
          ["refund", "re_1", 200, noon + 5000],
        ] as const
      ).map((moment) => env.DB.prepare("insert into history_events values (?, ?, ?, ?, ?)").bind(id, ...moment)),
    ]);
  }

  test("contains its lines and timeline in order", async () => {
    await orders([{}]);
    await withParts("ord_000001");
    const detail = await showOrder(app, mine, "ord_000001");
    expect(detail?.lines.map(({ amountMinor }) => amountMinor)).toEqual([-400, 1000]);
    expect(detail?.historyEvents.map((entry) => (entry.kind === "state" ? entry.state : entry.kind))).toEqual([
      "draft",
      "pending",
      "paid",
      "emailed",
      "money",
    ]);
    await insertDocument(app.db, sampleCreditNote({ orderId: "ord_000001" }));
    await insertDocument(app.db, sampleInvoice({ orderId: "ord_000001" }));
    expect(await showReceipt(app, mine, "ord_000001")).toMatchObject({
      order: { id: "ord_000001" },
      invoice: { kind: "invoice" },
      creditNotes: [{ cause: "re_1" }],
    });
  });

  test("is not found for another account, nor is its receipt, and an unpaid one has none", async () => {
    await orders([{ owner: theirs }, { state: "failed" }]);
    await withParts("ord_000001");
    await insertDocument(app.db, sampleInvoice({ orderId: "ord_000001" }));
    const parts = [listOrderLines(app.db, "ord_000001", mine), listHistoryEvents(app.db, "ord_000001", mine)] as const;
    expect(await app.db.batch(parts)).toEqual([[], []]);
    expect(await showOrder(app, mine, "ord_000001")).toBeNull();
    expect(await showReceipt(app, mine, "ord_000001")).toBeNull();
    expect(await showReceipt(app, mine, "ord_000002")).toBeNull();
    expect(await showReceipt(app, mine, "ord_nowhere")).toBeNull();
    expect(await showReceipt(app, theirs, "ord_000001")).not.toBeNull();
  });
});

describe("the CSV file of orders", () => {
  async function csv(query = ""): Promise<string[]> {
    const filter = readOrdersQuery(new URLSearchParams(query));
    const text = await new Response(await writeOrdersCsv(app, mine, filter, "comma")).text();
    const [, ...lines] = text.split("\r\n");
    return lines.slice(0, -1);
  }

  test("contains every matching order, whatever page is shown, newest first", async () => {
    await orders(Array.from({ length: 450 }, (_, nth) => ({ at: noon + nth, state: nth % 3 ? "paid" : "expired" })));
    await orders([{ owner: theirs }]);
    const ids = (await csv("after=5.ord_1")).map((line) => /,(ord_\d+)/.exec(line)?.[1]);
    expect(ids).toEqual(Array.from({ length: 450 }, (_, nth) => `ord_${String(450 - nth).padStart(6, "0")}`));
    expect(await csv("state=expired")).toHaveLength(150);
    expect(await csv("year=2019")).toEqual([]);
  });

  test("omits unfinished attempts like the list, unless their state is requested", async () => {
    await orders([{}, { state: "pending", kind: "new-plan" }, { state: "expired", kind: "new-plan" }]);
    expect(await csv()).toHaveLength(1);
    expect(await csv("state=pending")).toHaveLength(1);
  });

  test("is read in limited parts, each after the first only on demand", async () => {
    await orders(Array.from({ length: 450 }, (_, nth) => ({ at: noon + nth })));
    const { statements, using } = watched(app);
    const reader = (await writeOrdersCsv(using, mine, { year: null, state: null }, "comma")).getReader();
    // The orders of a part, and their documents.
    expect(statements).toHaveLength(2);
    const sizes: number[] = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      sizes.push(new TextDecoder().decode(part.value).split("\r\n").length - 1);
    }
    expect(sizes).toEqual([201, 200, 50]);
    expect(statements).toHaveLength(6);
  });

  test("isn't started if the first read fails, and the answer is an error page", async () => {
    await env.DB.prepare("alter table orders rename to orders_away").run();
    await expect(writeOrdersCsv(app, mine, { year: null, state: null }, "comma")).rejects.toThrow("orders");
    await env.DB.prepare("alter table orders_away rename to orders").run();
  });

  test("is aborted if a later read fails, instead of ending early", async () => {
    await orders(Array.from({ length: 450 }, (_, nth) => ({ at: noon + nth })));
    const reader = (await writeOrdersCsv(app, mine, { year: null, state: null }, "comma")).getReader();
    await reader.read();
    await env.DB.prepare("alter table orders rename to orders_away").run();
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(rest).rejects.toThrow();
    await env.DB.prepare("alter table orders_away rename to orders").run();
  });
});

test("no statement scans a whole table, and the list needs no sorting", async () => {
  await orders([{}]);
  const { statements, using } = watched(app);
  await browse("year=2026&state=paid&after=5.ord_1", using);
  await showOrder(using, mine, "ord_000001");
  await showReceipt(using, mine, "ord_000001");
  await (await writeOrdersCsv(using, mine, { year: 2026, state: null }, "comma")).getReader().read();
  expect(statements.length).toBeGreaterThanOrEqual(10);
  expect(await wholeReads(statements)).toEqual([]);
  const lists = statements.filter(({ query }) => /order by ("orders"\.)?"created_at" desc/.test(query));
  expect(lists).toHaveLength(3);
  for (const list of lists) expect((await planOf(list)).join()).not.toContain("TEMP B-TREE FOR ORDER BY");
});
