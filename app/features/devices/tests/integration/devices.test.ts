import { idOf } from "#tests/support/ids.ts";
import { noDevice } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import * as v from "valibot";
import { beforeEach, describe, expect, test } from "vitest";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { describeDeviceEntitlement } from "#app/features/devices/entitlement.rules.ts";
import { rotateLicenceKey } from "#app/features/devices/commands/rotate-licence-key.server.ts";
import { publishedKeys } from "#app/modules/billing/entitlements/commands/sign-entitlement.server.ts";
import { sweepDevices } from "#app/features/devices/commands/sweep-devices.server.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import {
  activate,
  aCustomer,
  aDevice,
  call,
  devicesOf,
  keyOf,
  putOnPlan,
  signedInAs,
} from "#tests/support/clients/device-driver.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { free, large, small } from "#tests/support/billing/catalogue.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";

let app: TestApp;

beforeEach(() => {
  app = testApp();
});

const forty = Array.from({ length: 40 }, (_, nth) => nth);
const statusesOf = (answers: { status: number }[]) => {
  const counted = new Map<number, number>();
  for (const { status } of answers) counted.set(status, (counted.get(status) ?? 0) + 1);
  return Object.fromEntries(counted);
};

async function verified(token: unknown) {
  const keys = createLocalJWKSet({ keys: await publishedKeys(app) });
  return jwtVerify(String(token), keys, {
    issuer: app.origin,
    audience: product.segment,
    algorithms: ["EdDSA"],
    currentDate: new Date(app.clock()),
  });
}

describe("a device that activates", () => {
  test("gets a token and its entitlement, and appears in its owner's device list and activity log", async () => {
    const viewer = await aCustomer(app, small.id);
    const { status, body } = await activate(app, await keyOf(app, viewer), "machine", " Anna\u2019s  Laptop\u200b ");
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["deviceToken", "entitlement"]);
    const [row] = await devicesOf(viewer.account.id);
    expect(row).toMatchObject({ state: "active", name: "Anna\u2019s Laptop", last_seen_at: app.clock() });
    const { payload, protectedHeader } = await verified(body["entitlement"]);
    const seconds = app.clock() / 1000;
    expect(payload).toEqual({
      iss: app.origin,
      aud: product.segment,
      sub: viewer.account.id,
      device: row?.id,
      plan: small.id,
      limits: small.limits,
      state: "active",
      access: "full",
      seats: { used: 1, of: small.limits.devices },
      iat: seconds,
      exp: seconds + 86_400,
      refreshAt: seconds + 3600,
    });
    // And nothing that the OpenAPI document doesn't describe.
    const described = describeDeviceEntitlement({ ...app.product, hasFreePlan: true });
    expect(v.safeParse(v.strictObject(described.entries), payload).issues).toBeUndefined();
    expect(protectedHeader).toMatchObject({ alg: "EdDSA", typ: "JWT" });
    const [line] = await listActivities(app.db, viewer.account.id, 5);
    expect(line).toMatchObject({ what: "device-added", device: "Anna\u2019s Laptop" });
  });

  test("is refused under a name with control characters", async () => {
    const viewer = await aCustomer(app, small.id);
    const key = await keyOf(app, viewer);
    for (const name of ["Anna\u0000s Laptop", "Anna\tLaptop", "Laptop\u202efdp.exe"]) {
      const { status, body } = await activate(app, key, "machine", name);
      expect(status).toBe(422);
      expect(body["errors"]).toEqual([{ field: "name", problem: "name-malformed" }]);
    }
    expect(await devicesOf(viewer.account.id)).toEqual([]);
  });

  test("again gets the same token and takes no other seat, and its name is updated", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    const first = await activate(app, key, "machine", "Old name");
    app.pass(minuteMs);
    const again = await activate(app, key.toLowerCase().replaceAll("-", " "), "machine", "New name");
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body["deviceToken"]).toBe(first.body["deviceToken"]);
    expect(await devicesOf(viewer.account.id)).toMatchObject([
      { name: "New name", activated_at: app.clock() - minuteMs },
    ]);
    expect(await listActivities(app.db, viewer.account.id, 5)).toHaveLength(1);
  });

  test("forty times at the same time is one device with one token", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    const answers = await Promise.all(forty.map(() => activate(app, key, "machine")));
    expect(statusesOf(answers)).toEqual({ 201: 40 });
    expect(new Set(answers.map(({ body }) => body["deviceToken"])).size).toBe(1);
    expect(await devicesOf(viewer.account.id)).toHaveLength(1);
    expect(await listActivities(app.db, viewer.account.id, 50)).toHaveLength(1);
  });

  test("for the last seat is one of forty, and the others are refused because all are taken", async () => {
    const viewer = await aCustomer(app, small.id);
    const key = await keyOf(app, viewer);
    const seats = small.limits.devices;
    for (const nth of forty.slice(0, seats - 1)) await aDevice(app, key, `earlier ${nth}`);
    const answers = await Promise.all(forty.map((nth) => activate(app, key, `machine ${nth}`)));
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: 39 });
    expect(await devicesOf(viewer.account.id)).toHaveLength(seats);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: "seats-full",
      detail: expect.stringContaining(`${seats} of ${seats}`),
    });
  });

  test.each([
    [free.id, "never paid for", free.limits.devices],
    [small.id, "active", small.limits.devices],
    [small.id, "past-due-grace", small.limits.devices],
    [small.id, "past-due-locked", small.limits.devices],
    [large.id, "active", large.limits.devices],
    [large.id, "ended", free.limits.devices],
    [large.id, "incomplete", free.limits.devices],
    ["a plan that was sold once", "active", Math.max(...product.plans.map(({ limits }) => limits.devices))],
  ])("on %s (%s) is one of at most %i", async (planId, state, seats) => {
    const viewer = state === "never paid for" ? await aCustomer(app) : await aCustomer(app, planId, state);
    const key = await keyOf(app, viewer);
    const answers = await Promise.all(forty.slice(0, seats + 2).map((nth) => activate(app, key, `machine ${nth}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(seats);
  });

  test("after seats were reassigned twice a day has to wait, exact to the millisecond, and learns until when", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    for (const fingerprint of ["first", "second"]) {
      const token = await aDevice(app, key, fingerprint);
      await call(app, "DELETE", "/devices/current", { token });
      app.pass(hourMs);
    }
    const refused = await activate(app, key, "third");
    expect([refused.status, refused.body["code"]]).toEqual([429, "activations-used-up"]);
    expect(refused.headers.get("Retry-After")).toBe(String(22 * 3600));
    app.pass(22 * hourMs - 1);
    expect((await activate(app, key, "third")).status).toBe(429);
    app.pass(1);
    expect((await activate(app, key, "third")).status).toBe(201);
  });

  test("keeps its seat when the day's seat changes are used up", async () => {
    const key = await keyOf(app, await aCustomer(app));
    await call(app, "DELETE", "/devices/current", { token: await aDevice(app, key, "first") });
    await aDevice(app, key, "second");
    expect((await activate(app, key, "second")).status).toBe(201);
  });

  test("with an unknown key is refused in one round trip, like any other failure", async () => {
    const departing = await aCustomer(app);
    const left = await keyOf(app, departing);
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(departing.account.id).run();
    const rotator = await aCustomer(app);
    const old = await keyOf(app, rotator);
    await rotateLicenceKey(app, rotator);
    const right = await keyOf(app, rotator);
    const mistyped = `${right.slice(0, -1)}${right.endsWith("0") ? "1" : "0"}`;
    const answers = [];
    for (const key of ["hello", "0".repeat(33), left, old, mistyped]) {
      app.trips.toDatabase = 0;
      const { status, body, headers } = await activate(app, key, "machine");
      answers.push({ status, body, headers: [...headers], trips: app.trips.toDatabase });
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { code: "licence-key-refused" }, trips: 1 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    app.trips.toDatabase = 0;
    expect((await activate(app, right, "machine")).status).toBe(201);
    expect(app.trips.toDatabase).toBe(1);
  });

  test.each([
    [{ licenceKey: "", fingerprint: "f", name: "n", platform: "p" }, "licenceKey", "licence-key-missing"],
    [{ licenceKey: 1, fingerprint: "f", name: "n", platform: "p" }, "licenceKey", "licence-key-malformed"],
    [{ licenceKey: "k", name: "n", platform: "p" }, "fingerprint", "fingerprint-missing"],
    [
      { licenceKey: "k", fingerprint: "f".repeat(201), name: "n", platform: "p" },
      "fingerprint",
      "fingerprint-malformed",
    ],
    [{ licenceKey: "k", fingerprint: "f", name: " \n\u200b", platform: "p" }, "name", "name-missing"],
    [{ licenceKey: "k", fingerprint: "f", name: "n".repeat(81), platform: "p" }, "name", "name-too-long"],
    [{ licenceKey: "k", fingerprint: "f", name: "n", platform: {} }, "platform", "platform-malformed"],
  ])("with the fields %j gets a list of what is wrong", async (body, field, what) => {
    const answer = await call(app, "POST", "/devices", { body });
    expect([answer.status, answer.body["errors"]]).toEqual([422, [{ field, problem: what }]]);
  });

  test.each(["before", "after"] as const)(
    "whose Worker was killed %s it was written gets its seat by asking again",
    async (when) => {
      const viewer = await aCustomer(app);
      const key = await keyOf(app, viewer);
      const dying = { ...app, db: killedAtBatch(app.db, 1, when) };
      expect((await activate(dying, key, "machine")).status).toBe(500);
      expect(await devicesOf(viewer.account.id)).toHaveLength(when === "after" ? 1 : 0);
      expect((await activate(app, key, "machine")).status).toBe(201);
      expect(await devicesOf(viewer.account.id)).toHaveLength(1);
      expect(await listActivities(app.db, viewer.account.id, 5)).toHaveLength(1);
    },
  );
});

describe("an entitlement", () => {
  async function withDevice(planId?: string, planState?: string) {
    const viewer = await aCustomer(app, planId, planState);
    const key = await keyOf(app, viewer);
    const token = await aDevice(app, key, "machine");
    const ask = (headers?: Record<string, string>) => call(app, "GET", "/entitlement", { token, headers });
    const claims = async () => decodeJwt(String((await ask()).body["token"]));
    return { viewer, accountId: viewer.account.id, key, token, ask, claims };
  }

  test("takes one round trip, and the request is recorded every quarter of an hour", async () => {
    const { ask, accountId } = await withDevice();
    const began = app.clock();
    for (const [pass, seen] of [
      [14, 0],
      [1, 0],
      [1, 16],
    ] as const) {
      app.pass(pass * minuteMs);
      app.trips.toDatabase = 0;
      expect((await ask()).status).toBe(200);
      expect(app.trips.toDatabase).toBe(seen === 0 ? 1 : 2);
      await app.settled();
      expect((await devicesOf(accountId))[0]?.last_seen_at).toBe(began + seen * minuteMs);
    }
  });

  test.each([
    ["active", "active", "full"],
    ["past-due-grace", "grace", "full"],
    ["past-due-locked", "locked", "read"],
    ["unpaid", "locked", "read"],
    ["paused", "locked", "read"],
    ["ended", "active", "full"],
  ])("for a plan that is %s contains %s, and %s access", async (planState, state, access) => {
    const { claims } = await withDevice(small.id, planState);
    expect(await claims()).toMatchObject({ state, access, plan: planState === "ended" ? free.id : small.id });
  });

  test("shows every change with the next refresh: plan, payment, devices, their removal, closing and restoring the account", async () => {
    const { accountId, key, ask, claims, viewer } = await withDevice(large.id);
    await aDevice(app, key, "second");
    expect(await claims()).toMatchObject({
      plan: large.id,
      state: "active",
      seats: { used: 2, of: large.limits.devices },
    });
    await putOnPlan(accountId, large.id, "past-due-locked");
    expect(await claims()).toMatchObject({ plan: large.id, state: "locked", access: "read" });
    await putOnPlan(accountId, large.id, "ended");
    expect(await claims()).toMatchObject({
      plan: free.id,
      state: "over-limit",
      access: "full",
      seats: { used: 2, of: free.limits.devices },
    });
    const state = (to: string) =>
      env.DB.prepare("update accounts set state = ? where id = ?").bind(to, accountId).run();
    await state("closed");
    expect((await ask()).status).toBe(401);
    await state("active");
    expect((await ask()).status).toBe(200);
    expect((await removeDevice(app, viewer, idOf("dev", String((await claims())["device"])))).ok).toBe(true);
    expect((await ask()).status).toBe(401);
  });

  test("removes no device over the limit, and adds none until fewer devices than seats are left", async () => {
    const { accountId, key, ask, viewer } = await withDevice(small.id);
    const others = [await aDevice(app, key, "second"), await aDevice(app, key, "third")];
    await putOnPlan(accountId, small.id, "ended");
    for (const token of others) expect((await call(app, "GET", "/entitlement", { token })).status).toBe(200);
    app.pass(dayMs);
    expect((await activate(app, key, "fourth")).body).toMatchObject({ code: "seats-full" });
    expect((await activate(app, key, "second")).status).toBe(201);
    for (const { id } of await devicesOf(accountId)) await removeDevice(app, viewer, id);
    expect((await ask()).status).toBe(401);
    expect((await activate(app, key, "fourth")).status).toBe(201);
  });

  test("has the same ETag for an hour, as long as its contents are the same", async () => {
    const { ask, accountId } = await withDevice(small.id);
    const etag = (await ask()).headers.get("ETag") ?? "";
    const again = () => ask({ "If-None-Match": etag });
    app.pass(hourMs - 1);
    expect([(await again()).status, (await again()).body]).toEqual([304, {}]);
    await putOnPlan(accountId, large.id);
    expect((await again()).status).toBe(200);
    await putOnPlan(accountId, small.id);
    expect((await again()).status).toBe(304);
    app.pass(1);
    expect((await again()).status).toBe(200);
  });

  test("expires after exactly a day", async () => {
    const { ask } = await withDevice();
    const { token } = (await ask()).body;
    app.pass(dayMs - 1000);
    await expect(verified(token)).resolves.toBeTruthy();
    app.pass(1000);
    await expect(verified(token)).rejects.toThrow(/exp/);
  });

  test("is verified with the old key and with the new one during a rotation", async () => {
    const { ask } = await withDevice();
    const before = (await ask()).body["token"];
    const etag = (await ask()).headers.get("ETag") ?? "";
    const old = app.entitlementSecret;
    app.entitlementSecret = `local-another-key,${old}`;
    expect((await ask({ "If-None-Match": etag })).status).toBe(200);
    const after = (await ask()).body["token"];
    const names = await Promise.all([before, after].map(async (token) => (await verified(token)).protectedHeader.kid));
    expect(new Set(names).size).toBe(2);
    expect((await publishedKeys(app)).map(({ kid }) => kid)).toEqual(names.toReversed());
    app.entitlementSecret = "local-another-key";
    await expect(verified(before)).rejects.toThrow(/no applicable key/);
  });

  test("has published keys without their private half", async () => {
    for (const key of await publishedKeys(app)) {
      expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    }
  });
});

describe("a removed device", () => {
  test("that removed itself is refused at its next call, is logged, and activates as a new one", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    const token = await aDevice(app, key, "machine");
    app.trips.toDatabase = 0;
    expect((await call(app, "DELETE", "/devices/current", { token })).status).toBe(204);
    expect(app.trips.toDatabase).toBe(1);
    for (const [method, path] of [
      ["DELETE", "/devices/current"],
      ["GET", "/entitlement"],
    ] as const) {
      expect((await call(app, method, path, { token })).body).toMatchObject({ code: "token-refused" });
    }
    const back = await aDevice(app, key, "machine");
    expect(back).not.toBe(token);
    expect((await call(app, "GET", "/entitlement", { token })).status).toBe(401);
    expect((await call(app, "GET", "/entitlement", { token: back })).status).toBe(200);
    const log = await listActivities(app.db, viewer.account.id, 5);
    expect(log.map(({ what }) => what).toSorted()).toEqual(["device-added", "device-added", "device-removed"]);
  });

  test("that its owner removes forty times at the same time is removed once, and concurrent calls end in 401", async () => {
    const viewer = await aCustomer(app);
    const token = await aDevice(app, await keyOf(app, viewer), "machine");
    const [row] = await devicesOf(viewer.account.id);
    const calls = forty.map(() => call(app, "GET", "/entitlement", { token }));
    const removals = forty.map(() => removeDevice(app, viewer, row?.id ?? noDevice));
    const answers = await Promise.all(calls);
    expect((await Promise.all(removals)).filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect((await call(app, "GET", "/entitlement", { token })).status).toBe(401);
    const log = await listActivities(app.db, viewer.account.id, 50);
    expect(log.filter(({ what }) => what === "device-removed")).toHaveLength(1);
  });

  test("can't be one of another account, with the same answer as for an unknown one, nor be removed by an ended session", async () => {
    const [viewer, other] = [await aCustomer(app), await aCustomer(app)];
    await aDevice(app, await keyOf(app, viewer), "machine");
    const [row] = await devicesOf(viewer.account.id);
    expect(await removeDevice(app, other, row?.id ?? noDevice)).toEqual({
      ok: false,
      refusal: { reason: "device-unknown" },
    });
    expect(await removeDevice(app, other, "dev_none")).toEqual({ ok: false, refusal: { reason: "device-unknown" } });
    await env.DB.prepare("update sessions set state = 'revoked' where account_id = ?").bind(viewer.account.id).run();
    expect((await removeDevice(app, viewer, row?.id ?? noDevice)).ok).toBe(false);
    expect(await devicesOf(viewer.account.id)).toMatchObject([{ state: "active" }]);
  });

  test("keeps its row for thirty days", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    await call(app, "DELETE", "/devices/current", { token: await aDevice(app, key, "machine") });
    await aDevice(app, key, "another");
    app.pass(30 * dayMs);
    await sweepDevices(app);
    expect(await devicesOf(viewer.account.id)).toHaveLength(2);
    app.pass(1);
    await sweepDevices(app);
    await sweepDevices(app);
    expect(await devicesOf(viewer.account.id)).toMatchObject([{ state: "active" }]);
  });
});

describe("the licence key", () => {
  test("is created once, also for forty simultaneous first views", async () => {
    const viewer = await aCustomer(app);
    const keys = await Promise.all(forty.map(() => keyOf(app, viewer)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^([0-9A-Z]{4}-){7}[0-9A-Z]{5}$/);
  });

  test("is never stored in plain text", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    const { results } = await env.DB.prepare("select * from licence_keys").all();
    const text = JSON.stringify(results).toLowerCase();
    expect(results.length).toBeGreaterThan(0);
    expect(text).not.toContain(key.toLowerCase());
    expect(text).not.toContain(key.replaceAll("-", "").toLowerCase());
  });

  test("is shown and replaced for fifteen minutes after a re-authentication, exact to the millisecond", async () => {
    const viewer = await aCustomer(app);
    await keyOf(app, viewer);
    app.pass(15 * minuteMs - 1);
    expect(await keyOf(app, viewer)).toBeTruthy();
    expect((await rotateLicenceKey(app, viewer)).ok).toBe(true);
    app.pass(1);
    await expect(keyOf(app, viewer)).rejects.toThrow("proof-stale");
    expect(await rotateLicenceKey(app, viewer)).toEqual({ ok: false, refusal: { reason: "proof-stale" } });
  });

  test("is neither created nor replaced by a session that ended while the request was running", async () => {
    const viewer = await aCustomer(app);
    await env.DB.prepare("update sessions set state = 'revoked' where account_id = ?").bind(viewer.account.id).run();
    await expect(keyOf(app, viewer)).rejects.toThrow("proof-stale");
    expect((await rotateLicenceKey(app, viewer)).ok).toBe(false);
    const rows = await env.DB.prepare("select 1 from licence_keys where account_id = ?").bind(viewer.account.id).all();
    expect(rows.results).toEqual([]);
  });

  test("is replaced once by forty simultaneous requests, with one email and one log entry, and devices stay", async () => {
    const viewer = await aCustomer(app, small.id);
    const old = await keyOf(app, viewer);
    const token = await aDevice(app, old, "machine");
    const outcomes = await Promise.all(forty.map(() => rotateLicenceKey(app, viewer)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    await app.settled();
    const key = await keyOf(app, viewer);
    expect(key).not.toBe(old);
    const emails = app.emails.filter(({ to }) => to === viewer.account.email);
    expect(emails.map(({ subject }) => subject)).toEqual([expect.stringMatching(subjectOf("licence-key-rotated"))]);
    expect(emails[0]?.text).not.toContain(key);
    const log = await listActivities(app.db, viewer.account.id, 50);
    expect(log.filter(({ what }) => what === "licence-key-rotated")).toHaveLength(1);
    // A second click that arrives when the first is done is still the same request.
    app.pass(9_999);
    expect((await rotateLicenceKey(app, viewer)).ok).toBe(true);
    expect(await keyOf(app, viewer)).toBe(key);
    expect((await activate(app, old, "another")).status).toBe(401);
    expect((await activate(app, key, "another")).status).toBe(201);
    expect((await call(app, "GET", "/entitlement", { token })).status).toBe(200);
  });

  test("that is replaced while forty devices activate with it is accepted before, and refused afterwards", async () => {
    const viewer = await aCustomer(app, large.id);
    const old = await keyOf(app, viewer);
    const requests = forty.map((nth) => activate(app, old, `machine ${nth % 10}`));
    const rotated = rotateLicenceKey(app, viewer);
    const answers = await Promise.all(requests);
    expect((await rotated).ok).toBe(true);
    expect(answers.every(({ status }) => status === 201 || status === 401)).toBe(true);
    const given = new Set(answers.flatMap(({ body }) => (body["deviceToken"] ? [body["deviceToken"]] : [])));
    expect(await devicesOf(viewer.account.id)).toHaveLength(given.size);
    expect((await activate(app, old, "machine 0")).status).toBe(401);
  });

  test.each(["before", "after"] as const)(
    "whose replacement was killed %s it was written is consistent",
    async (when) => {
      const viewer = await aCustomer(app);
      const old = await keyOf(app, viewer);
      const dying = { ...app, db: killedAtBatch(app.db, 1, when) };
      await expect(rotateLicenceKey(dying, viewer)).rejects.toThrow("killed");
      const key = await keyOf(app, viewer);
      expect(key === old).toBe(when === "before");
      expect((await activate(app, key, "machine")).status).toBe(201);
      const { results } = await env.DB.prepare(
        "select template from emails where template = 'licence-key-rotated' and state = 'queued'",
      ).all();
      expect(results).toHaveLength(when === "before" ? 0 : 1);
      await env.DB.prepare("delete from emails").run();
    },
  );

  test("that was encrypted under another pepper can't be shown, still works, and can be replaced", async () => {
    const viewer = await aCustomer(app, small.id);
    const key = await keyOf(app, viewer);
    app.pepper = "another pepper";
    await expect(keyOf(app, viewer)).rejects.toThrow("key-unreadable");
    expect((await activate(app, key, "machine")).status).toBe(201);
    await rotateLicenceKey(app, await signedInAs(app, viewer.account.id));
    expect(await keyOf(app, viewer)).not.toBe(key);
  });
});
