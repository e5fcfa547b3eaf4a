import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { findQueuePosition } from "#app/modules/waitlist/queue.queries.server.ts";
import { WaitlistDriver } from "#tests/support/clients/waitlist-driver.ts";

/** The migration that gives numbers to the entries that waited before numbers existed. */
const itsName = "0004_waitlist.sql";

/** The database as it was before, with entries; then the migration. */
beforeAll(async () => {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%'",
  ).all<{ name: string }>();
  const tables = results.map(({ name }) => name);
  // Children before parents: a row that is still referred to is retried.
  for (let name = tables.shift(); name; name = tables.shift()) {
    await env.DB.prepare(`drop table ${name}`)
      .run()
      .catch(() => tables.push(name));
  }
  const before = env.TEST_MIGRATIONS.filter(({ name }) => name < itsName);
  await applyD1Migrations(env.DB, before);
  await env.DB.exec(insertOf(12, "plan:large").replaceAll("\n", " "));
  await env.DB.exec(insertOf(3, "signup").replaceAll("\n", " "));
  // The last one referred two that wait, one that was left and one under review.
  const statements =
    "update entries set referrer_id = 'plan:large-12' where id in ('plan:large-2', 'plan:large-3', 'plan:large-4', 'plan:large-5')";
  await env.DB.exec(statements);
  await env.DB.exec("update entries set state = 'left' where id = 'plan:large-4'");
  await env.DB.exec("update entries set review = 'under-review' where id = 'plan:large-5'");
  await env.DB.exec("update entries set state = 'pending', confirmed_at = null where id = 'plan:large-1'");
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

/** Confirmed in another order than their names suggest, to be sure. */
function insertOf(people: number, gate: string): string {
  return `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at,
    confirm_expires_at, confirmed_at)
    with recursive nth(n) as (select 1 union all select n + 1 from nth where n < ${people})
    select '${gate}-' || n, '${gate}', 'waiting', n, n, '${gate}' || n, '${gate}-' || n, '${gate}' || n, n, n, n from nth`;
}

test("entries that waited before the migration are numbered in their order, moved by their friends and counted, and none is lost", async () => {
  const waitlist = new WaitlistDriver("plan:large");
  expect(await waitlist.miscounts()).toEqual([]);
  expect(await new WaitlistDriver("signup").miscounts()).toEqual([]);
  const rows = await waitlist.rows();
  expect(rows).toHaveLength(12);
  const numbered = rows.filter(({ state }) => state === "waiting").map(({ id, number }) => `${id}: ${number}`);
  expect(numbered).toEqual([2, 3, 5, 6, 7, 8, 9, 10, 11, 12].map((nth, index) => `plan:large-${nth}: ${index + 1}`));
  expect(rows.filter(({ number }) => number === null).map(({ state }) => state)).toEqual(["pending", "left"]);
  expect(await findQueuePosition(waitlist.app.db, "plan:large-12")).toEqual([{ ahead: 0, behind: 9 }]);
  expect(await findQueuePosition(waitlist.app.db, "plan:large-2")).toEqual([{ ahead: 1, behind: 8 }]);
});

test("entries that join later are behind them, and move by their friends as usual", async () => {
  const waitlist = new WaitlistDriver("plan:large");
  const token = await waitlist.waiting("new@example.com");
  const { shareCode, ahead } = await waitlist.entry(token);
  expect(ahead).toBe(10);
  await waitlist.waiting("friend@example.com", shareCode);
  // One of the five had friends, and was at the front already.
  expect(await waitlist.entry(token)).toMatchObject({ ahead: 6 });
  expect(await waitlist.miscounts()).toEqual([]);
});
