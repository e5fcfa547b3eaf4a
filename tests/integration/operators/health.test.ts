import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { readHealth } from "#app/modules/operators/reads/read-health.server.ts";
import { addMissedEvents } from "#app/modules/billing/sync/inbox.queries.server.ts";
import { eventTriesMax } from "#app/modules/billing/sync/inbox.rules.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { runCronJobs } from "#workers/cron.ts";

let app: TestApp;
beforeEach(async () => {
  await emptyTables("job_cursors", "emails", "webhook_events", "quota_uses");
  app = testApp({ payments: null });
});

test("the end of each run of the cron job is recorded, with the jobs that failed in it", async () => {
  await runCronJobs(app);
  expect((await readHealth(app)).cron).toEqual({ lastRunAt: app.clock(), failedJobs: [] });
  app.pass(minuteMs);
  const reported: unknown[] = [];
  await env.DB.prepare("alter table used_challenges rename to away").run();
  try {
    await runCronJobs({ ...app, report: (error) => reported.push(error) });
  } finally {
    await env.DB.prepare("alter table away rename to used_challenges").run();
  }
  expect((await readHealth(app)).cron).toEqual({ lastRunAt: app.clock(), failedJobs: ["passkeys"] });
  expect(reported).toHaveLength(1);
});

test("emails and events that wait are counted, with the time of the oldest", async () => {
  const at = app.clock();
  await app.db.batch([
    addEmail(app.db, { id: "mail_1", template: "code", address: "a@example.com", sealed: "", now: at - 5 }),
    ...["mail_2", "mail_3", "mail_4"].map((id, index) =>
      addEmail(app.db, {
        id: id as `mail_${string}`,
        template: "code",
        address: "b@example.com",
        sealed: "",
        now: at + index,
      }),
    ),
    addMissedEvents(
      app.db,
      ["evt_1", "evt_2"].map((id) => ({
        id: id as `evt_${string}`,
        type: "x",
        customerId: "cus_1",
        paymentId: null,
        namesPlan: false,
      })),
      at - 7,
    ),
  ]);
  await env.DB.prepare("update webhook_events set state = 'failed', tries = ? where id = 'evt_2'")
    .bind(eventTriesMax)
    .run();
  await env.DB.prepare("update emails set refusal = 'quota-exhausted' where id in ('mail_2', 'mail_3')").run();
  await env.DB.prepare("update emails set state = 'failed' where id in ('mail_3', 'mail_4')").run();
  const health = await readHealth({ ...app, emailService: "ses" });
  expect(health.emails).toEqual({
    service: "ses",
    queued: 2,
    oldestQueuedAt: at - 5,
    failed: 2,
    queuedForQuota: 1,
    failedForQuota: 1,
    newestForQuotaAt: at + 1,
  });
  expect(health.events).toEqual({ unprocessed: 1, oldestUnprocessedAt: at - 7, givenUp: 1 });
  expect(health.quotas.find(({ name }) => name.includes("database"))?.used).toBeGreaterThan(4096);
});
