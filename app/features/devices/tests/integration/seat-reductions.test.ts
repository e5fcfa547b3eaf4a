import { type AccountId, noDevice } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { seatNoticeMs } from "#app/features/devices/seats.rules.ts";
import { showDevices } from "#app/features/devices/reads/show-devices.server.ts";
import { sweepDevices } from "#app/features/devices/commands/sweep-devices.server.ts";
import { dayMs, formatDay, hourMs, minuteMs } from "#app/core/time/time.ts";
import { free, large, minor, small } from "#tests/support/billing/catalogue.ts";
import { activate, aCustomer, call, devicesOf, keyOf, putOnPlan } from "#tests/support/clients/device-driver.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let app: TestApp;

beforeEach(async () => {
  app = testApp();
  await emptyTables("seat_reductions", "emails");
});

/** An account on a plan with this many devices, the oldest used longest ago. */
async function equipped(planId: string, count: number) {
  const viewer = await aCustomer(app, planId);
  const key = await keyOf(app, viewer);
  const tokens: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    // Seats change hands twice a day.
    const { body } = await activate(app, key, `machine ${nth}`, `Machine ${nth}`);
    tokens.push(String(body["deviceToken"]));
    app.pass(hourMs);
  }
  const accountId = viewer.account.id;
  const statuses = async () =>
    Promise.all(tokens.map(async (token) => (await call(app, "GET", "/entitlement", { token })).status));
  const active = async () => (await devicesOf(accountId)).filter(({ state }) => state === "active").length;
  return { viewer, key, accountId, tokens, statuses, active };
}

async function sweep(own: App = app) {
  await sweepDevices(own);
  await app.settled();
}

const emails = async () =>
  (
    await env.DB.prepare("select template from emails where template like 'seats-%' order by created_at, id").all()
  ).results.map(({ template }) => template);

const reductionOf = (accountId: AccountId) =>
  env.DB.prepare("select * from seat_reductions where account_id = ?").bind(accountId).first();

/** A plan with more seats ended, and its owner was emailed. */
async function announced(count = small.limits.devices) {
  const owner = await equipped(small.id, count);
  await putOnPlan(owner.accountId, small.id, "ended");
  await sweep();
  expect(await emails()).toEqual(["seats-reduced"]);
  return { ...owner, releasesAt: app.clock() + seatNoticeMs };
}

describe("after a plan ended with more devices than seats", () => {
  test("a reduction is announced once, by email and on the page, with the day and the devices; until then all devices work", async () => {
    const { viewer, accountId, statuses, releasesAt } = await announced();
    await sweep();
    app.pass(dayMs);
    await sweep();
    expect(await emails()).toEqual(["seats-reduced"]);
    const email = app.emails.find(({ to }) => to === viewer.account.email);
    const rows = (await devicesOf(accountId)).toSorted(
      (one, other) => Number(other.last_seen_at) - Number(one.last_seen_at),
    );
    const [retained, ...surplus] = rows.map(({ name }) => String(name));
    expect(email?.text).toContain(formatDay(releasesAt, viewer.account));
    for (const name of surplus) expect(email?.text).toContain(name);
    expect(email?.text).not.toContain(retained);
    expect((await showDevices(app, accountId, viewer, { key: false })).releasesAt).toBe(releasesAt);
    expect(await statuses()).toEqual(rows.map(() => 200));
  });

  test("the devices used last after the notice stay, exact to the millisecond, and the others are refused like removed ones", async () => {
    const { viewer, accountId, tokens, active, releasesAt } = await announced();
    // The one that was activated first is used again.
    const [first] = tokens;
    await call(app, "GET", "/entitlement", { token: first });
    await app.settled();
    app.pass(releasesAt - 1 - app.clock());
    await sweep();
    expect(await active()).toBe(small.limits.devices);
    app.pass(1);
    await sweep();
    expect(await active()).toBe(free.limits.devices);
    const answers = await Promise.all(tokens.map((token) => call(app, "GET", "/entitlement", { token })));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map((token) => (token === first ? 200 : 401)));
    expect(answers.at(-1)?.body).toMatchObject({ code: "token-refused" });
    const lines = await listActivities(app.db, accountId, 20);
    expect(lines.filter(({ what, method }) => what === "device-removed" && method === "automatic")).toHaveLength(
      small.limits.devices - free.limits.devices,
    );
    expect(await emails()).toEqual(["seats-reduced", "seats-released"]);
    const email = app.emails.findLast(({ to }) => to === viewer.account.email);
    expect(email?.text).toContain("Machine 1");
    expect(email?.text).not.toContain("Machine 0");
    await sweep();
    expect(await emails()).toHaveLength(2);
    expect(await reductionOf(accountId)).toBeNull();
  });

  test("a full refund has the same effect", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await harness.reconcile();
    const add = env.DB
      .prepare(`insert into devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
      values (?1, ?2, 'active', ?1, ?1, 'Linux', ?3, ?3)`);
    await env.DB.batch(
      [1, 2, 3].map((nth) => add.bind(`dev_${harness.accountId}_${nth}`, harness.accountId, harness.app.clock() + nth)),
    );
    const active = async () =>
      (
        await env.DB.prepare("select id from devices where account_id = ? and state = 'active' order by id")
          .bind(harness.accountId)
          .all<{ id: string }>()
      ).results.map(({ id }) => id);
    const [order] = (await harness.rows()).orders;
    const refund = async (amountMinor: number) => {
      await harness.control("refund", { order: order?.id, amountMinor });
      await harness.reconcile();
      await sweepDevices(harness.app);
      return emails();
    };
    // A partial refund leaves the plan, and with it the seats.
    expect(await refund(1)).toEqual([]);
    expect(await refund(minor(small) - 1)).toEqual(["seats-reduced"]);
    const all = [1, 2, 3].map((nth) => `dev_${harness.accountId}_${nth}`);
    await harness.pass(seatNoticeMs / dayMs - 0.01);
    await sweepDevices(harness.app);
    expect([await active(), await emails()]).toEqual([all, ["seats-reduced"]]);
    await harness.pass(0.01);
    await sweepDevices(harness.app);
    expect([await active(), await emails()]).toEqual([all.slice(2), ["seats-reduced", "seats-released"]]);
  });

  test("nothing is removed once the owner has chosen", async () => {
    const { viewer, accountId, active, releasesAt } = await announced();
    const [chosen, ...others] = await devicesOf(accountId);
    for (const { id } of others) await removeDevice(app, viewer, id);
    app.pass(releasesAt - app.clock());
    await sweep();
    expect((await devicesOf(accountId)).find(({ state }) => state === "active")?.id).toBe(chosen?.id);
    expect(await active()).toBe(1);
    expect(await emails()).toEqual(["seats-reduced"]);
    expect(await reductionOf(accountId)).toBeNull();
  });

  test.each([
    ["a minute later", true],
    ["in the last second", false],
  ])("a larger plan %s cancels the reduction", async (_, isSweptBetween) => {
    const { accountId, active, releasesAt, key } = await announced();
    if (!isSweptBetween) app.pass(releasesAt - app.clock());
    await putOnPlan(accountId, large.id);
    await sweep();
    expect(await reductionOf(accountId)).toBeNull();
    expect(
      (await call(app, "POST", "/devices", { body: { licenceKey: key, fingerprint: "n", name: "n", platform: "p" } }))
        .status,
    ).toBe(201);
    app.pass(seatNoticeMs);
    await sweep();
    expect(await active()).toBe(small.limits.devices + 1);
    expect(await emails()).toEqual(["seats-reduced"]);
  });

  test("a payment that takes days suspends the reduction, since it may be for a larger plan", async () => {
    const { accountId, active, releasesAt } = await announced();
    app.pass(releasesAt - app.clock());
    const order = `insert into orders (id, account_id, kind, state, plan_id, interval, amount_minor, currency, created_at, updated_at)
      values (?1, ?2, 'new-plan', 'processing', ?3, 'month', 600, 'EUR', 0, 0)`;
    await env.DB.prepare(order).bind(`ord_${accountId}`, accountId, large.id).run();
    await sweep();
    expect(await active()).toBe(small.limits.devices);
    await env.DB.prepare("update orders set state = 'failed' where account_id = ?").bind(accountId).run();
    await sweep();
    expect(await active()).toBe(free.limits.devices);
  });

  test("a closed account suspends the reduction, which continues when it is restored", async () => {
    const { accountId, active, releasesAt } = await announced();
    const change = (state: string) =>
      env.DB.prepare("update accounts set state = ? where id = ?").bind(state, accountId).run();
    await change("closed");
    app.pass(releasesAt - app.clock());
    await sweep();
    expect(await active()).toBe(small.limits.devices);
    await change("active");
    await sweep();
    expect(await active()).toBe(free.limits.devices);
  });
});

describe("the day of a seat reduction", () => {
  test("stays when the plan changes up and down again before the sweep runs, so that no time is gained", async () => {
    const { accountId, releasesAt } = await announced();
    app.pass(dayMs);
    await putOnPlan(accountId, large.id);
    await putOnPlan(accountId, small.id, "ended");
    await sweep();
    expect(await reductionOf(accountId)).toMatchObject({ state: "announced", releases_at: releasesAt });
    expect(await emails()).toEqual(["seats-reduced"]);
  });

  test("is a new one when the plan becomes smaller still, with another email", async () => {
    const { accountId, active } = await equipped(large.id, 5);
    await putOnPlan(accountId, small.id);
    await sweep();
    app.pass(dayMs);
    await putOnPlan(accountId, small.id, "ended");
    await sweep();
    expect(await emails()).toEqual(["seats-reduced", "seats-reduced"]);
    app.pass(seatNoticeMs - dayMs);
    await sweep();
    expect(await active()).toBe(5);
    app.pass(dayMs);
    await sweep();
    expect(await active()).toBe(free.limits.devices);
  });

  test("is set by a device's refresh if the catalogue changed instead of the plan", async () => {
    const { accountId, tokens } = await equipped(small.id, 2);
    const fewer = { ...small, limits: { ...small.limits, devices: 1 } };
    app.product = { ...app.product, plans: app.product.plans.map((plan) => (plan.id === small.id ? fewer : plan)) };
    await sweep();
    expect(await emails()).toEqual([]);
    await call(app, "GET", "/entitlement", { token: tokens[0] });
    await app.settled();
    await sweep();
    expect(await emails()).toEqual(["seats-reduced"]);
    expect(await reductionOf(accountId)).toMatchObject({ seats: 1 });
  });

  test("isn't set if the config no longer has the plan, which keeps the seats of the largest plan", async () => {
    const { accountId, active } = await equipped(small.id, 2);
    await putOnPlan(accountId, "retired");
    await sweep();
    expect(await emails()).toEqual([]);
    expect(await active()).toBe(2);
  });
});

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe("concurrent seat reductions", () => {
  const ten = Array.from({ length: 10 }, (_, nth) => nth);

  /**
   * Ten sweeps that have all read before any of them writes, each at another time and with another device used last.
   */
  async function tenSweeps(accountId: AccountId) {
    const all = gate();
    const sweeps: Promise<void>[] = [];
    for (const nth of ten) {
      const own = gate();
      const batch: App["db"]["batch"] = async (statements) => {
        own.open();
        await all.passed;
        return app.db.batch(statements);
      };
      const db = Object.assign(Object.create(app.db) as App["db"], { batch });
      sweeps.push(sweepDevices({ ...app, db, clock: () => app.clock() + nth }));
      await own.passed;
      const used = (await devicesOf(accountId))[nth % small.limits.devices];
      await env.DB.prepare("update devices set last_seen_at = ? where id = ?")
        .bind(app.clock() + nth, used?.id)
        .run();
    }
    all.open();
    await Promise.all(sweeps);
    await app.settled();
  }

  test("by ten sweeps are announced once and carried out once", async () => {
    const owner = await equipped(small.id, small.limits.devices);
    await putOnPlan(owner.accountId, small.id, "ended");
    await tenSweeps(owner.accountId);
    expect(await emails()).toEqual(["seats-reduced"]);
    expect(await reductionOf(owner.accountId)).toMatchObject({ releases_at: app.clock() + seatNoticeMs });
    app.pass(seatNoticeMs);
    await tenSweeps(owner.accountId);
    expect(await emails()).toEqual(["seats-reduced", "seats-released"]);
    expect(await owner.active()).toBe(free.limits.devices);
    expect(app.emails.filter(({ to }) => to === owner.viewer.account.email)).toHaveLength(2);
  });

  test("with a larger plan at the same time either keep all devices, or remove those over the limit as the email says", async () => {
    for (const nth of ten) {
      await env.DB.exec("delete from emails");
      const { accountId, active, releasesAt } = await announced();
      app.pass(releasesAt - app.clock());
      const upgrade = async () => {
        for (let turns = 0; turns < nth; turns += 1) await env.DB.prepare("select 1").run();
        await putOnPlan(accountId, large.id);
      };
      await Promise.all([sweep(), upgrade(), sweep()]);
      const left = await active();
      expect([free.limits.devices, small.limits.devices]).toContain(left);
      expect((await emails()).includes("seats-released")).toBe(left === free.limits.devices);
      await sweep();
      expect(await active()).toBe(left);
      expect(await reductionOf(accountId)).toBeNull();
    }
  });

  test("leave alone what changed between the read and the write", async () => {
    const { accountId, viewer, active, releasesAt } = await announced();
    app.pass(releasesAt - app.clock());
    const [oldest] = await devicesOf(accountId);
    // The owner removes a device between the sweep's reads and its batch.
    const late: App = {
      ...app,
      db: Object.assign(Object.create(app.db) as App["db"], {
        batch: async (statements: Parameters<App["db"]["batch"]>[0]) => {
          if (statements.length > 3) await removeDevice(app, viewer, oldest?.id ?? noDevice);
          return app.db.batch(statements);
        },
      }),
    };
    await sweep(late);
    expect(await active()).toBe(small.limits.devices - 1);
    expect(await emails()).toEqual(["seats-reduced"]);
    await sweep();
    expect(await active()).toBe(free.limits.devices);
    expect(await emails()).toEqual(["seats-reduced", "seats-released"]);
  });

  test.each(["before", "after"] as const)(
    "by a sweep that is killed %s a batch are finished by the next one",
    async (when) => {
      const owner = await equipped(small.id, small.limits.devices);
      await putOnPlan(owner.accountId, small.id, "ended");
      for (const templates of [["seats-reduced"], ["seats-reduced", "seats-released"]]) {
        await sweep({ ...app, report: () => undefined, db: killedAtBatch(app.db, 1, when) }).catch(() => undefined);
        app.pass(minuteMs);
        await sweep();
        expect(await emails()).toEqual(templates);
        app.pass(seatNoticeMs);
      }
      expect(await owner.active()).toBe(free.limits.devices);
    },
  );
});
