import { idOf } from "#tests/support/ids.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { noDevice } from "#app/core/id.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { createApp } from "#app/create-app.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { wrapDatabase } from "#app/db/wrap-database.server.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { findEntitlement } from "#app/features/devices/reads/find-entitlement.server.ts";
import { small, large } from "#tests/support/billing/catalogue.ts";
import { aCustomer, aDevice, devicesOf, keyOf, putOnPlan } from "#tests/support/clients/device-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

/** A replica that has stopped: it goes on answering each question as it did the first time. */
function stoppingReplica() {
  const answers = new Map<string, unknown>();
  let asked = 0;
  const binding = wrapDatabase(env.DB, {
    runOne: (_statement, run) => run(),
    runBatch: () => Promise.reject(new Error("A replica is read by single statements")),
    async read({ sql }, run) {
      asked += 1;
      if (!answers.has(sql)) answers.set(sql, await run());
      // Kept under the statement that it answers.
      return answers.get(sql) as Awaited<ReturnType<typeof run>>;
    },
  });
  return { openReplica: () => openDatabase(binding), catchUp: () => answers.clear(), asked: () => asked };
}

let app: TestApp;
let replica: ReturnType<typeof stoppingReplica>;

beforeEach(() => {
  replica = stoppingReplica();
  app = testApp({ openReplica: replica.openReplica });
});

async function aRunningDevice(plan = large) {
  const viewer = await aCustomer(app, plan.id);
  await aDevice(app, await keyOf(app, viewer), "machine");
  const [row] = await devicesOf(viewer.account.id);
  return { viewer, id: idOf("dev", String(row?.id)) };
}

describe("an entitlement that a replica answers", () => {
  test("may grant what was true a moment ago", async () => {
    const { viewer, id } = await aRunningDevice();
    expect(await findEntitlement(app, id)).toMatchObject({ plan: large.id, state: "active" });
    await putOnPlan(viewer.account.id, small.id);
    expect(await findEntitlement(app, id)).toMatchObject({ plan: large.id, state: "active" });
    replica.catchUp();
    expect(await findEntitlement(app, id)).toMatchObject({ plan: small.id, state: "active" });
  });

  test("is asked of the primary before it refuses a device that the replica doesn't know yet", async () => {
    await findEntitlement(app, noDevice);
    const { id } = await aRunningDevice();
    expect(replica.asked()).toBe(1);
    expect(await findEntitlement(app, id)).toMatchObject({ state: "active" });
    expect(replica.asked()).toBe(2);
  });

  test("is asked of the primary before it restricts a plan that was just paid", async () => {
    const { viewer, id } = await aRunningDevice();
    await putOnPlan(viewer.account.id, large.id, "past-due-locked");
    expect(await findEntitlement(app, id)).toMatchObject({ state: "locked" });
    await putOnPlan(viewer.account.id, large.id);
    expect(await findEntitlement(app, id)).toMatchObject({ state: "active" });
  });

  test("of a replica that has stopped is used for two hours at most", async () => {
    const { viewer, id } = await aRunningDevice();
    await findEntitlement(app, id);
    expect((await removeDevice(app, viewer, id)).ok).toBe(true);
    for (const minutes of [60, 59]) {
      app.pass(minutes * minuteMs);
      expect(await findEntitlement(app, id)).toMatchObject({ state: "active" });
    }
    app.pass(minuteMs);
    expect(await findEntitlement(app, id)).toBeNull();
  });

  test("writes the last use where it is read from the primary", async () => {
    const { viewer, id } = await aRunningDevice();
    await findEntitlement(app, id);
    app.pass(hourMs);
    await findEntitlement(app, id);
    await app.settled();
    expect(await devicesOf(viewer.account.id)).toMatchObject([{ last_seen_at: app.clock() }]);
  });
});

test("the replica is any of a session without a bookmark", () => {
  const constraints: unknown[] = [];
  const DB: D1Database = {
    prepare: (query) => env.DB.prepare(query),
    batch: (statements) => env.DB.batch(statements),
    exec: (query) => env.DB.exec(query),
    dump: () => env.DB.dump(),
    withSession: (constraint) => {
      constraints.push(constraint);
      return env.DB.withSession(constraint);
    },
  };
  const request = new Request(env.PUBLIC_ORIGIN);
  createApp({ ...env, DB }, { waitUntil: () => undefined }, { request, nonce: "nonce" }).openReplica();
  expect(constraints).toEqual(["first-unconstrained"]);
});
