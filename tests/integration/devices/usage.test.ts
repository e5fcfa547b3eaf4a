import { idOf } from "#tests/support/ids.ts";
import { type AccountId, noDevice } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { usageCalls } from "#app/api/usage-calls.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import { switchEmails } from "#app/modules/accounts/commands/switch-emails.server.ts";
import { removeDevice } from "#app/modules/devices/commands/remove-device.server.ts";
import { removedDeviceRetentionMs } from "#app/modules/devices/rules.ts";
import { showDevices } from "#app/modules/devices/reads/show-devices.server.ts";
import { sweepDevices } from "#app/modules/devices/commands/sweep-devices.server.ts";
import { clockAheadMs, usageRetentionMs } from "#app/modules/devices/usage.rules.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import { aCustomer, aDevice, call, devicesOf, keyOf, putOnPlan } from "#tests/support/clients/device-driver.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";

/** Two meters, independent of the config: a sum over devices, and a month's maximum. */
const limits = { shelf: 1000, queue: 50 };
const measured: ProductConfig = {
  ...product,
  timeZone: "Europe/Berlin",
  plans: (product as ProductConfig).plans.map((plan) => ({
    ...plan,
    limits: { ...plan.limits, shelf: limits.shelf * (plan.id === large.id ? 2 : 1), queue: limits.queue },
  })),
  meters: [
    { key: "shelf", label: "Shelf", kind: "last", unit: "count", limit: "shelf" },
    { key: "queue", label: "Queue", kind: "maximum", unit: "count", limit: "queue" },
  ],
};

let app: TestApp;

beforeEach(() => {
  app = testApp({ product: measured });
});

const forty = Array.from({ length: 40 }, (_, nth) => nth);

async function withDevices(count = 1, planId = small.id) {
  const viewer = await aCustomer(app, planId);
  const key = await keyOf(app, viewer);
  const tokens: string[] = [];
  for (let nth = 0; nth < count; nth += 1) tokens.push(await aDevice(app, key, `machine ${nth}`));
  await app.settled();
  app.emails.length = 0;
  return { viewer, tokens, token: tokens[0] ?? "", accountId: viewer.account.id };
}

function report(token: string, meter: string, value: unknown, at: unknown = app.clock()) {
  return call(app, "PUT", "/usage", { token, body: { meter, value, at } }, usageCalls(measured));
}

async function shown(viewer: Viewer) {
  const { meters } = await showDevices(app, viewer.account.id, viewer, { key: false });
  return Object.fromEntries(meters.map(({ key, used }) => [key, used && used.value]));
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

describe("a usage report", () => {
  test("is answered with the total and the plan's limit in one round trip, and is shown on its owner's page", async () => {
    const { viewer, token } = await withDevices();
    expect(await shown(viewer)).toEqual({ shelf: null, queue: null });
    app.trips.toDatabase = 0;
    const answer = await report(token, "shelf", 120);
    expect([answer.status, answer.body]).toEqual([200, { meter: "shelf", used: 120, limit: 1000 }]);
    expect(app.trips.toDatabase).toBe(1);
    await report(token, "queue", 7);
    expect(await shown(viewer)).toEqual({ shelf: 120, queue: 7 });
  });

  test("accepts a time as text with a zone as well as in milliseconds", async () => {
    const { token, accountId } = await withDevices();
    for (const at of ["2026-11-20T12:00:00+01:00", "2026-11-20T11:30:00Z", Date.UTC(2026, 10, 20, 11, 45)]) {
      expect((await report(token, "shelf", 1, at)).status).toBe(200);
    }
    const row = await env.DB.prepare("select reported_at from usage_values where account_id = ?")
      .bind(accountId)
      .first();
    expect(row).toEqual({ reported_at: Date.UTC(2026, 10, 20, 11, 45) });
  });

  test.each([
    ["meter", { meter: "shed", value: 1 }, "meter-unknown"],
    ["value", { meter: "shelf", value: -1 }, "value-malformed"],
    ["value", { meter: "shelf", value: 1.5 }, "value-malformed"],
    ["value", { meter: "shelf", value: "1" }, "value-malformed"],
    ["value", { meter: "shelf", value: 1e15 + 1 }, "value-too-large"],
    ["value", { meter: "shelf" }, "value-missing"],
    ["at", { meter: "shelf", value: 1, at: "yesterday" }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: "2026-11-20T12:00:00" }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: "2026-13-41T12:00:00Z" }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: "2026-02-31T00:00:00Z" }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: "2027-02-29T23:00:00-05:00" }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: 1_795_000_000_000.5 }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: 1_795_000_000 }, "at-malformed"],
    ["at", { meter: "shelf", value: 1, at: null }, "at-malformed"],
  ])("with an invalid %s is refused: %j", async (field, body, what) => {
    const { token, accountId } = await withDevices();
    const sent = { at: app.clock(), ...body };
    const answer = await call(app, "PUT", "/usage", { token, body: sent }, usageCalls(measured));
    expect([answer.status, answer.body["errors"]]).toEqual([422, [{ field, problem: what }]]);
    expect(await rowsOf(accountId)).toEqual([]);
  });

  test("from a clock more than five minutes ahead is refused, since it would hide all later reports", async () => {
    const { token, accountId } = await withDevices();
    const refused = await report(token, "shelf", 1, app.clock() + clockAheadMs + 1);
    expect([refused.status, refused.body["code"]]).toEqual([422, "report-from-future"]);
    expect(await rowsOf(accountId)).toEqual([]);
    expect((await report(token, "shelf", 1, app.clock() + clockAheadMs)).status).toBe(200);
  });

  test("of a removed device no longer counts, and the device is refused because of its token", async () => {
    const { viewer, tokens, accountId } = await withDevices(2);
    const [first = "", second = ""] = tokens;
    await report(first, "shelf", 300);
    await report(first, "queue", 30);
    await report(second, "shelf", 40);
    await removeDevice(app, viewer, idOf("dev", first.split(".")[0] ?? noDevice));
    for (const at of [app.clock(), app.clock() + dayMs]) expect((await report(first, "shelf", 1, at)).status).toBe(401);
    // This month's maximum still remains.
    expect(await shown(viewer)).toEqual({ shelf: 40, queue: 30 });
    expect(await rowsOf(accountId)).toHaveLength(3);
    app.pass(removedDeviceRetentionMs + 1);
    await sweepDevices(app);
    expect(await rowsOf(accountId)).toHaveLength(2);
    expect(await devicesOf(accountId)).toHaveLength(1);
  });

  test("records that the device was seen, every quarter of an hour", async () => {
    const { token, accountId } = await withDevices();
    app.pass(16 * minuteMs);
    await report(token, "shelf", 1, app.clock() - hourMs);
    expect((await devicesOf(accountId))[0]?.last_seen_at).toBe(app.clock());
    expect(await listActivities(app.db, accountId, 50)).toHaveLength(1);
  });
});

describe("a last value", () => {
  test("is the newest by its own time, in any order of arrival", async () => {
    const { token } = await withDevices();
    const now = app.clock();
    for (const [value, at, used] of [
      [10, now - hourMs, 10],
      [30, now, 30],
      [20, now - minuteMs, 30],
      [5, now + minuteMs, 5],
      [30, now, 5],
    ] as const) {
      expect((await report(token, "shelf", value, at)).body["used"]).toBe(used);
    }
  });

  test("of several devices is added up", async () => {
    const { tokens, viewer } = await withDevices(3);
    for (const [nth, token] of tokens.entries()) await report(token, "shelf", 100 + nth);
    expect(await shown(viewer)).toMatchObject({ shelf: 303 });
  });

  test("is the newest of forty that arrive out of order at the same time, twice each", async () => {
    const { token, accountId } = await withDevices();
    const now = app.clock();
    const order = [...forty, ...forty].toSorted((left, right) => ((left * 7) % 40) - ((right * 7) % 40));
    const answers = await Promise.all(
      order.map((nth) => report(token, "shelf", 500 - nth, now - (39 - nth) * minuteMs)),
    );
    expect(answers.map(({ status }) => status)).toEqual(order.map(() => 200));
    expect(await rowsOf(accountId)).toEqual([{ meter: "shelf", part: token.split(".")[0], value: 461 }]);
  });

  test("is the same for two reports of one moment, in either order", async () => {
    for (const values of [
      [8, 9],
      [9, 8],
    ]) {
      const { token, viewer } = await withDevices();
      for (const value of values) await report(token, "shelf", value);
      expect(await shown(viewer)).toMatchObject({ shelf: 9 });
    }
  });
});

describe("a maximum", () => {
  test("is the highest value that a device reported within the month, by the seller's calendar", async () => {
    const { tokens, viewer, accountId } = await withDevices(2);
    const [first = "", second = ""] = tokens;
    await report(first, "queue", 20);
    await report(second, "queue", 31);
    await report(first, "queue", 12);
    expect((await report(first, "queue", 49, "2026-10-31T22:59:59Z")).body["used"]).toBe(31);
    expect((await report(first, "queue", 33, "2026-10-31T23:00:00Z")).body["used"]).toBe(33);
    expect(await shown(viewer)).toMatchObject({ queue: 33 });
    expect(await rowsOf(accountId)).toEqual([
      { meter: "queue", part: "2026-10", value: 49 },
      { meter: "queue", part: "2026-11", value: 33 },
    ]);
  });

  test("starts again each month, and is deleted long after its month", async () => {
    const { token, viewer, accountId } = await withDevices();
    await report(token, "queue", 40);
    await report(token, "shelf", 40);
    app.pass(11 * dayMs);
    expect(await shown(viewer)).toEqual({ shelf: 40, queue: null });
    app.pass(usageRetentionMs - 11 * dayMs);
    await sweepDevices(app);
    expect(await rowsOf(accountId)).toHaveLength(2);
    app.pass(11 * dayMs);
    await sweepDevices(app);
    expect(await rowsOf(accountId)).toMatchObject([{ meter: "shelf" }]);
  });

  test("is the highest of forty that arrive at the same time", async () => {
    const { token, accountId } = await withDevices();
    await Promise.all(forty.map((nth) => report(token, "queue", (nth * 7) % 40, app.clock() - nth)));
    expect(await rowsOf(accountId)).toMatchObject([{ part: "2026-11", value: 39 }]);
  });
});

describe("an account that approaches a limit", () => {
  test("is emailed at 80 % and at 100 %, once each, and not before", async () => {
    const { token, viewer } = await withDevices();
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
      expect((await report(token, "shelf", value)).status).toBe(200);
      expect(await emailTextsTo(email)).toEqual(subjects);
    }
    expect(app.emails[0]?.text).toContain(emailOf({ template: "usage-high", what: "Shelf", ...facts }).before[0]);
    expect(app.emails[0]?.text).toContain("/settings/notifications");
  });

  test("is emailed only at 100 % when it reaches that directly", async () => {
    const { token, viewer } = await withDevices();
    await report(token, "shelf", 2000);
    app.pass(minuteMs);
    await report(token, "shelf", 850);
    expect(await emailTextsTo(viewer.account.email)).toEqual([full("Shelf")]);
  });

  test("is emailed once for forty simultaneous reports", async () => {
    const { tokens, viewer } = await withDevices(2);
    await Promise.all(forty.map((nth) => report(tokens[nth % 2] ?? "", "shelf", 425, app.clock() - nth)));
    expect(await emailTextsTo(viewer.account.email)).toEqual([high("Shelf")]);
  });

  test("is emailed separately for each meter and each limit, and again in the next month", async () => {
    const { token, viewer, accountId } = await withDevices();
    const { email } = viewer.account;
    await report(token, "shelf", 810);
    await report(token, "queue", 41);
    expect(await emailTextsTo(email)).toEqual([high("Shelf"), high("Queue")]);
    await putOnPlan(accountId, large.id);
    await report(token, "shelf", 1500, app.clock() + 1);
    expect(await emailTextsTo(email)).toHaveLength(2);
    await report(token, "shelf", 1700, app.clock() + 2);
    expect(await emailTextsTo(email)).toHaveLength(3);
    app.pass(11 * dayMs);
    await report(token, "shelf", 1700);
    expect(await emailTextsTo(email)).toHaveLength(4);
  });

  test("isn't emailed when usage emails are off, which takes no additional round trip", async () => {
    const { token, viewer } = await withDevices();
    await switchEmails(app, viewer, { renewals: true, rewards: true, usage: false });
    app.trips.toDatabase = 0;
    await report(token, "shelf", 900);
    expect(app.trips.toDatabase).toBe(1);
    expect(await emailTextsTo(viewer.account.email)).toEqual([]);
  });

  test("takes one more round trip when it is emailed, and none afterwards", async () => {
    const { token } = await withDevices();
    const trips: number[] = [];
    for (const value of [100, 900, 901]) {
      app.trips.toDatabase = 0;
      await report(token, "shelf", value, app.clock() + value);
      trips.push(app.trips.toDatabase);
      await app.settled();
    }
    // The email is delivered after the answer.
    expect([trips[0], trips[2]]).toEqual([1, 1]);
    expect(trips[1]).toBeGreaterThan(1);
  });

  test("is emailed after the next report when the Worker was killed before the email", async () => {
    const { token, viewer } = await withDevices();
    const alive = app.db;
    app.db = killedAtBatch(alive, 1, "after");
    expect((await report(token, "shelf", 900)).status).toBe(500);
    app.db = alive;
    expect(await emailTextsTo(viewer.account.email)).toEqual([]);
    await report(token, "shelf", 900);
    expect(await emailTextsTo(viewer.account.email)).toEqual([high("Shelf")]);
  });
});
