import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { AccountId } from "#app/core/id.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { switchEmails } from "#app/modules/accounts/commands/switch-emails.server.ts";
import { reportUsage } from "#app/modules/billing/usage/commands/report-usage.server.ts";
import { showPlanUsage } from "#app/modules/billing/usage/reads/show-plan-usage.server.ts";
import { usageRetentionMs } from "#app/modules/billing/usage/rules.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { cronJobs } from "#workers/cron.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import { measured } from "#tests/support/billing/measured-product.ts";
import { aCustomer, putOnPlan } from "#tests/support/clients/device-driver.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";

let app: TestApp;

beforeEach(() => {
  app = testApp({ product: measured });
});

const nobody = "acc_nobody";
const forty = Array.from({ length: 40 }, (_, nth) => nth);

/** A customer with sources that report. */
async function withSources(count = 1) {
  const viewer = await aCustomer(app, small.id);
  const accountId = viewer.account.id;
  const sources = Array.from({ length: count }, (_, nth) => ({
    account: accountId,
    source: `source_${nth}`,
    path: "/",
  }));
  return { viewer, accountId, sources, source: { account: accountId, source: "source_0", path: "/" } };
}

/** The total of the meter. */
async function report(
  source: { account: AccountId; source: string; path: string },
  meter: string,
  value: number,
  at: number | string = app.clock(),
): Promise<number> {
  const reported = await reportUsage(app, source, { meter, value, at: new Date(at).getTime() });
  if (!reported?.ok) throw new Error(reported?.refusal.reason ?? "no account");
  return reported.value.used;
}

async function shown(viewer: Viewer) {
  const { usage } = await showPlanUsage(app, viewer.account.id);
  return Object.fromEntries((usage?.meters ?? []).map(({ key, used }) => [key, used && used.value]));
}

async function rowsOf(accountId: AccountId) {
  const { results } = await env.DB.prepare(
    "select meter, part, value from usage_values where account_id = ? order by 1, 2",
  )
    .bind(accountId)
    .all();
  return results;
}

async function emailTextsTo(to: string): Promise<string[]> {
  await app.settled();
  return app.emails.filter((sentEmail) => sentEmail.to === to).map(({ subject }) => subject);
}

const facts = { used: "800", limit: "1,000", url: "", offUrl: "" };
const high = (what: string) => emailOf({ template: "usage-high", what, ...facts }).subject;
const full = (what: string) => emailOf({ template: "usage-full", what, ...facts }).subject;

test("usage of an account that isn't found isn't stored", async () => {
  const reported = await reportUsage(
    app,
    { account: sql`(select id from accounts where id = ${nobody})`, source: "source_0", path: "/" },
    { meter: "shelf", value: 1, at: 0 },
  );
  expect(reported).toBeNull();
  expect(await rowsOf(nobody)).toEqual([]);
});

describe("a last value", () => {
  test("is the newest by its own time, in any order of arrival", async () => {
    const { source } = await withSources();
    const now = app.clock();
    for (const [value, at, used] of [
      [10, now - hourMs, 10],
      [30, now, 30],
      [20, now - minuteMs, 30],
      [5, now + minuteMs, 5],
      [30, now, 5],
    ] as const) {
      expect(await report(source, "shelf", value, at)).toBe(used);
    }
  });

  test("of several devices is added up", async () => {
    const { sources, viewer } = await withSources(3);
    for (const [nth, source] of sources.entries()) await report(source, "shelf", 100 + nth);
    expect(await shown(viewer)).toMatchObject({ shelf: 303 });
  });

  test("is the newest of forty that arrive out of order at the same time, twice each", async () => {
    const { source, accountId } = await withSources();
    const now = app.clock();
    const order = [...forty, ...forty].toSorted((left, right) => ((left * 7) % 40) - ((right * 7) % 40));
    const answers = await Promise.all(
      order.map((nth) => report(source, "shelf", 500 - nth, now - (39 - nth) * minuteMs)),
    );
    expect(answers).toHaveLength(80);
    expect(await rowsOf(accountId)).toEqual([{ meter: "shelf", part: source.source, value: 461 }]);
  });

  test("is the same for two reports of one moment, in either order", async () => {
    for (const values of [
      [8, 9],
      [9, 8],
    ]) {
      const { source, viewer } = await withSources();
      for (const value of values) await report(source, "shelf", value);
      expect(await shown(viewer)).toMatchObject({ shelf: 9 });
    }
  });
});

describe("a maximum", () => {
  test("is the highest value that a device reported within the month, by the seller's calendar", async () => {
    const { source: first, sources, viewer, accountId } = await withSources(2);
    const second = sources[1] ?? first;
    await report(first, "queue", 20);
    await report(second, "queue", 31);
    await report(first, "queue", 12);
    expect(await report(first, "queue", 49, "2026-10-31T22:59:59Z")).toBe(31);
    expect(await report(first, "queue", 33, "2026-10-31T23:00:00Z")).toBe(33);
    expect(await shown(viewer)).toMatchObject({ queue: 33 });
    expect(await rowsOf(accountId)).toEqual([
      { meter: "queue", part: "2026-10", value: 49 },
      { meter: "queue", part: "2026-11", value: 33 },
    ]);
  });

  test("starts again each month, and is deleted long after its month", async () => {
    const { source, viewer, accountId } = await withSources();
    await report(source, "queue", 40);
    await report(source, "shelf", 40);
    app.pass(11 * dayMs);
    expect(await shown(viewer)).toEqual({ shelf: 40, queue: null });
    app.pass(usageRetentionMs - 11 * dayMs);
    await cronJobs.usage(app);
    expect(await rowsOf(accountId)).toHaveLength(2);
    app.pass(11 * dayMs);
    await cronJobs.usage(app);
    expect(await rowsOf(accountId)).toMatchObject([{ meter: "shelf" }]);
  });

  test("is the highest of forty that arrive at the same time", async () => {
    const { source, accountId } = await withSources();
    await Promise.all(forty.map((nth) => report(source, "queue", (nth * 7) % 40, app.clock() - nth)));
    expect(await rowsOf(accountId)).toMatchObject([{ part: "2026-11", value: 39 }]);
  });
});

describe("an account that approaches a limit", () => {
  test("is emailed at 80 % and at 100 %, once each, and not before", async () => {
    const { source, viewer } = await withSources();
    const { email } = viewer.account;
    for (const [value, subjects] of [
      [799, []],
      [800, [high("Shelf")]],
      [999, [high("Shelf")]],
      [1000, [high("Shelf"), full("Shelf")]],
      [500, [high("Shelf"), full("Shelf")]],
      [1400, [high("Shelf"), full("Shelf")]],
      [900, [high("Shelf"), full("Shelf")]],
    ] as const) {
      app.pass(minuteMs);
      await report(source, "shelf", value);
      expect(await emailTextsTo(email)).toEqual(subjects);
    }
    expect(app.emails[0]?.text).toContain(emailOf({ template: "usage-high", what: "Shelf", ...facts }).before[0]);
    expect(app.emails[0]?.text).toContain("/settings/notifications");
  });

  test("is emailed only at 100 % when it reaches that directly", async () => {
    const { source, viewer } = await withSources();
    await report(source, "shelf", 2000);
    app.pass(minuteMs);
    await report(source, "shelf", 850);
    expect(await emailTextsTo(viewer.account.email)).toEqual([full("Shelf")]);
  });

  test("is emailed once for forty simultaneous reports", async () => {
    const { source, sources, viewer } = await withSources(2);
    await Promise.all(forty.map((nth) => report(sources[nth % 2] ?? source, "shelf", 425, app.clock() - nth)));
    expect(await emailTextsTo(viewer.account.email)).toEqual([high("Shelf")]);
  });

  test("is emailed separately for each meter and each limit, and again in the next month", async () => {
    const { source, viewer, accountId } = await withSources();
    const { email } = viewer.account;
    await report(source, "shelf", 810);
    await report(source, "queue", 41);
    expect(await emailTextsTo(email)).toEqual([high("Shelf"), high("Queue")]);
    await putOnPlan(accountId, large.id);
    await report(source, "shelf", 1500, app.clock() + 1);
    expect(await emailTextsTo(email)).toHaveLength(2);
    await report(source, "shelf", 1700, app.clock() + 2);
    expect(await emailTextsTo(email)).toHaveLength(3);
    app.pass(11 * dayMs);
    await report(source, "shelf", 1700);
    expect(await emailTextsTo(email)).toHaveLength(4);
  });

  test("isn't emailed when usage emails are off, which takes no additional round trip", async () => {
    const { source, viewer } = await withSources();
    await switchEmails(app, viewer, { renewals: true, rewards: true, usage: false });
    app.trips.toDatabase = 0;
    await report(source, "shelf", 900);
    expect(app.trips.toDatabase).toBe(1);
    expect(await emailTextsTo(viewer.account.email)).toEqual([]);
  });

  test("takes one more round trip when it is emailed, and none afterwards", async () => {
    const { source } = await withSources();
    const trips: number[] = [];
    for (const value of [100, 900, 901]) {
      app.trips.toDatabase = 0;
      await report(source, "shelf", value, app.clock() + value);
      trips.push(app.trips.toDatabase);
      await app.settled();
    }
    // The email is delivered after the answer.
    expect([trips[0], trips[2]]).toEqual([1, 1]);
    expect(trips[1]).toBeGreaterThan(1);
  });

  test("is emailed after the next report when the Worker was killed before the email", async () => {
    const { source, viewer } = await withSources();
    const alive = app.db;
    app.db = killedAtBatch(alive, 1, "after");
    await expect(report(source, "shelf", 900)).rejects.toThrow();
    app.db = alive;
    expect(await emailTextsTo(viewer.account.email)).toEqual([]);
    await report(source, "shelf", 900);
    expect(await emailTextsTo(viewer.account.email)).toEqual([high("Shelf")]);
  });
});
