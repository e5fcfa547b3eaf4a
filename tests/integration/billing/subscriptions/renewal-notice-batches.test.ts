import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { sweepSubscriptions } from "#app/modules/billing/subscriptions/commands/sweep-subscriptions.server.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { watched } from "#tests/support/database/recording-database.ts";

/** An account whose year ends in six days, and this many others that pay monthly and are charged before. */
async function aYearBehind(others: number) {
  const harness = await openBillingHarness();
  await harness.buy(small.id, "year");
  await harness.reconcile();
  const now = harness.app.clock();
  const write = (sql: string) => env.DB.prepare(sql).bind(harness.accountId, now, others).run();
  await write(`update subscriptions set period_ends_at = ?2 + ${6 * dayMs} where account_id = ?1 and ?3 > 0`);
  const nth = "with recursive nth(n) as (select 1 union all select n + 1 from nth where n < ?3)";
  await write(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     ${nth} select ?1 || n, 'active', ?1 || n || '@example.com', ?1 || n || '@example.com', 'en', 'UTC', '', ?2 from nth`,
  );
  await write(
    `insert into customers (account_id, provider_id, created_at) ${nth} select ?1 || n, ?1 || n, ?2 from nth`,
  );
  await write(
    `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, card_expires, started_at,
       period_ends_at, synced_at)
     ${nth} select ?1 || n, ?1 || n, 'active', '${small.id}', 'month', 600, 'EUR', '2099-12', 0, ?2 + ${5 * dayMs} + n, 0 from nth`,
  );
  return { harness, now };
}

/** Runs of the cron job, a minute apart, until the notice is queued; what each of them read. */
async function runsUntilNotice({ app, rows }: BillingHarness, now: number) {
  const read: number[] = [];
  while (!(await rows()).emails.some(({ template }) => template === "renewal-notice")) {
    const { statements, using } = watched(app);
    await sweepSubscriptions({ ...using, clock: () => now + read.length * minuteMs });
    const selects = statements.filter(({ query }) => query.startsWith("select"));
    const answers = await env.DB.batch(selects.map(({ query, values }) => env.DB.prepare(query).bind(...values)));
    read.push(answers.reduce((sum, { meta }) => sum + meta.rows_read, 0));
  }
  return read;
}

test("a run checks five hundred of many plans that are charged soon, the next run the following ones, and none is left out", async () => {
  const few = await aYearBehind(1_200);
  const read = await runsUntilNotice(few.harness, few.now);
  expect(read).toHaveLength(3);
  const many = await aYearBehind(2_700);
  const [first = 0, ...others] = await runsUntilNotice(many.harness, many.now);
  expect(others).toHaveLength(5);
  expect(first).toBe(read[0]);
});

test("a run isn't used up by accounts that have switched these emails off", async () => {
  const { harness, now } = await aYearBehind(400);
  await env.DB.prepare("update subscriptions set interval = 'year' where account_id <> ?")
    .bind(harness.accountId)
    .run();
  await env.DB.prepare(`update accounts set emails_off = '["renewals"]' where id <> ?`).bind(harness.accountId).run();
  expect(await runsUntilNotice(harness, now)).toHaveLength(1);
});

test("a run that has reached the end starts again: an account inserted among the first meanwhile is notified as well", async () => {
  const { harness, now } = await aYearBehind(600);
  await runsUntilNotice(harness, now);
  await env.DB.prepare("update subscriptions set interval = 'year' where account_id = ? || '1'")
    .bind(harness.accountId)
    .run();
  const noticeCount = () =>
    env.DB.prepare("select count(*) as count from emails where template = 'renewal-notice'").first<number>("count");
  for (let run = 3; run < 6; run++) await sweepSubscriptions({ ...harness.app, clock: () => now + run * minuteMs });
  expect(await noticeCount()).toBe(2);
});
