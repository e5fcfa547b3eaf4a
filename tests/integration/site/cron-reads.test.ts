import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/database.server.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { countingReads } from "#tests/support/database/counting-database.ts";
import { runCronJobs } from "#workers/cron.ts";

/** Customers to whom nothing is about to happen: signed in, with a plan that is paid for, a device, handled events and sent emails. */
async function fill(from: number, to: number): Promise<void> {
  // A run also reads what has just changed.
  const then = Date.now() - 2 * hourMs;
  const nth = "with recursive nth(n) as (select cast(?1 as integer) union all select n + 1 from nth where n + 1 < ?2)";
  const inserts = [
    `accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at, mailbox_hashed_at)
     ${nth} select 'acc_' || n, 'active', n || '@example.com', n || '@example.com', 'en', 'UTC', '', ?3, ?3 from nth where ?4 > 0`,
    `sessions (id, account_id, state, token_hash, device, created_at, proven_at, last_used_at, expires_at)
     ${nth} select 'ses_' || n, 'acc_' || n, 'active', 'hash' || n, '', ?3, ?3, ?3, ?4 from nth`,
    `activities (id, account_id, what, device, happened_at) ${nth} select 'act_' || n, 'acc_' || n, 'signed-in', '', ?3 from nth where ?4 > 0`,
    `customers (account_id, provider_id, created_at, synced_at, asked_at, methods_hashed_at)
     ${nth} select 'acc_' || n, 'cus_' || n, ?3, ?3, ?3, ?3 from nth where ?4 > 0`,
    `subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at, synced_at)
     ${nth} select 'sub_' || n, 'acc_' || n, 'active', '${small.id}', 'year', 6000, 'EUR', ?3, ?4, ?3 from nth`,
    `orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, number_year, number_in_year, created_at, paid_at, updated_at)
     ${nth} select 'ord_' || n, 'acc_' || n, 'paid', 'new-plan', '${small.id}', 'year', 'EUR', 6000, 2020, n, ?3, ?3, ?3 from nth where ?4 > 0`,
    `devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
     ${nth} select 'dev_' || n, 'acc_' || n, 'active', 'print' || n, '', '', ?3, ?3 from nth where ?4 > 0`,
    `emails (id, state, template, created_at, sent_at) ${nth} select 'mail_' || n, 'sent', 'receipt', ?3, ?3 from nth where ?4 > 0`,
    `webhook_events (id, state, type, customer_id, received_at, settled_at)
     ${nth} select 'evt_' || n, 'handled', 'invoice.paid', 'cus_' || n, ?3, ?3 from nth where ?4 > 0`,
  ];
  await env.DB.batch(
    inserts.map((insert) => env.DB.prepare(`insert into ${insert}`).bind(from, to, then, then + 300 * dayMs)),
  );
}

/** Rows that a run reads, by statement. The runs before do what is done once. */
async function readsOf({ app }: BillingHarness): Promise<Map<string, number>> {
  for (let run = 0; run < 3; run += 1) await runCronJobs(app);
  const reads = new Map<string, number>();
  const db = openDatabase(countingReads(env.DB, (query, rows) => reads.set(query, (reads.get(query) ?? 0) + rows)));
  await runCronJobs({ ...app, db });
  return reads;
}

test("a run of the cron job reads no more rows among more customers who aren't due", async () => {
  const harness = await openBillingHarness();
  await fill(1, 200);
  const among200 = await readsOf(harness);
  await fill(200, 1000);
  const among1000 = await readsOf(harness);
  const sum = [...among1000.values()].reduce((rows, read) => rows + read, 0);
  expect(sum).toBeGreaterThan(20);
  // A few for what a single customer has, such as the one that is compared at random.
  const grown = [...among1000].filter(([query, rows]) => rows > (among200.get(query) ?? 0) + 10);
  expect(grown).toEqual([]);
});
