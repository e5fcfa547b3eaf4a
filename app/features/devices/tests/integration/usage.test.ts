import { idOf } from "#tests/support/ids.ts";
import { type AccountId, noDevice } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { usageCalls } from "#app/features/devices/usage-calls.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { removedDeviceRetentionMs } from "#app/features/devices/rules.ts";
import { showDevices } from "#app/features/devices/reads/show-devices.server.ts";
import { sweepDevices } from "#app/features/devices/commands/sweep-devices.server.ts";
import { clockAheadMs } from "#app/modules/billing/usage/rules.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { measured } from "#tests/support/billing/measured-product.ts";
import { aCustomer, aDevice, call, devicesOf, keyOf } from "#tests/support/clients/device-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;

beforeEach(() => {
  app = testApp({ product: measured });
});

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
