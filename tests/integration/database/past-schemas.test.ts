import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dropAll } from "#tests/support/database/drop-all.ts";
import {
  anAccountInEveryTable,
  everyRow,
  insert,
  rowsWithoutAccount,
  type Row,
} from "#tests/support/database/account-rows.ts";
import { testApp } from "#tests/support/site/worker-app.ts";

/** A table of a past state, and which of today's columns it had. */
type Known = { table: string; columns: string[] };

/** Rows of today in every table: a past state's rows had the columns that it knew. */
let today: Record<string, Row[]>;
/** What triggers and migrations compute themselves, from rows that existed. */
const reckoned = new Set(["entries.number", "entries.before", "entries.places", "accounts.locale"]);

beforeAll(async () => {
  await anAccountInEveryTable(testApp(), "mine", Date.UTC(2024, 0, 1));
  await rowsWithoutAccount();
  today = await everyRow();
});
beforeEach(dropAll);
// Today's tables are restored at the end: the recorded queries are explained on them.
afterAll(async () => {
  await dropAll();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

async function columnsOf(tables: string[]): Promise<Known[]> {
  const requests = await env.DB.batch<{ name: string }>(
    tables.map((table) => env.DB.prepare("select name from pragma_table_info(?)").bind(table)),
  );
  return tables.map((table, nth) => ({ table, columns: requests[nth]?.results.map(({ name }) => name) ?? [] }));
}

/** The tables of the current state, parents first. */
async function known(): Promise<Known[]> {
  const all = await columnsOf(Object.keys(today));
  return all.filter(({ columns }) => columns.length > 0);
}

/** Written by a build that knew only these columns. */
async function fill(state: Known[]): Promise<void> {
  for (const { table, columns } of state) {
    for (const row of today[table] ?? [])
      await insert(table, Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name))));
  }
}

/** Read by a build that knows only these columns. */
async function read(state: Known[]): Promise<Row[][]> {
  const selected = state.map(({ table, columns }) => {
    const own = columns.filter((name) => !reckoned.has(`${table}.${name}`));
    return env.DB.prepare(`select ${own.join(", ")} from ${table} order by 1, 2`);
  });
  return (await env.DB.batch<Row>(selected)).map(({ results }) => results);
}

async function migrateTo(name: string): Promise<void> {
  await applyD1Migrations(
    env.DB,
    env.TEST_MIGRATIONS.filter((migration) => migration.name <= name),
  );
}

test("after 0026, the dates of every account are in English, and its emails have a recipient", async () => {
  await migrateTo("0025_order_of_mails.sql");
  await fill(await known());
  const [account, entry] = [today["accounts"]?.[0]?.["id"], today["entries"]?.[0]?.["id"]];
  await env.DB.batch([
    env.DB.prepare("update accounts set locale = 'sv-SE'"),
    ...[
      `mail_${account}.restored`,
      `mail_${entry}.invited.1`,
      `mail_${today["orders"]?.[0]?.["id"]}.refund.re_1`,
      "mail_x",
    ].map((id) =>
      env.DB.prepare("insert into mails (id, state, template, created_at) values (?, 'sent', 'receipt', 1)").bind(id),
    ),
  ]);
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const locales = await env.DB.prepare("select distinct locale from accounts").all();
  expect(locales.results).toEqual([{ locale: "en-CA" }]);
  const { results } = await env.DB.prepare(
    "select recipient_id as recipient from mails where created_at = 1 order by id",
  ).all();
  expect(results.map(({ recipient }) => recipient)).toEqual([
    account,
    entry,
    today["orders"]?.[0]?.["account_id"],
    null,
  ]);
});

describe.each(env.TEST_MIGRATIONS.map(({ name }) => name))("the database as %s left it", (name) => {
  test("is migrated to the current schema with every row of every table", async () => {
    await migrateTo(name);
    const state = await known();
    await fill(state);
    const before = await read(state);
    expect(before.filter((rows) => rows.length === 0)).toEqual([]);
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
    expect(await read(state)).toEqual(before);
    const { results: stray } = await env.DB.prepare("pragma foreign_key_check").all();
    expect(stray).toEqual([]);
  });

  test("was known to a build that can still read and write the current tables", async () => {
    await migrateTo(name);
    const state = await known();
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
    await fill(state);
    const rows = await read(state);
    expect(rows.map(({ length }) => length)).toEqual(state.map(({ table }) => today[table]?.length));
  });
});
