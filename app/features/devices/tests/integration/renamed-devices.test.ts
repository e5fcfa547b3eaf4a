import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { type DeviceId, noDevice } from "#app/core/id.ts";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { renameDevice } from "#app/features/devices/commands/rename-device.server.ts";
import { listOwnDevices } from "#app/features/devices/personal-data.queries.server.ts";
import { listByUse, listDevices } from "#app/features/devices/queries.server.ts";
import { listOwners } from "#app/modules/operators/find.queries.server.ts";
import { listByDeviceName } from "../../everyone.queries.server.ts";
import { activate, aCustomer, aDevice, call, devicesOf, keyOf } from "#tests/support/clients/device-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let viewer: Viewer;
let key: string;
let token: string;
let id: DeviceId;

beforeEach(async () => {
  app = testApp();
  viewer = await aCustomer(app);
  key = await keyOf(app, viewer);
  token = await aDevice(app, key, "machine");
  const [row] = await listDevices(app.db, viewer.account.id);
  id = row?.id ?? noDevice;
});

const rename = (name: string, by = viewer) => renameDevice(app, by, { id, name });
const shown = async () => (await listDevices(app.db, viewer.account.id)).map(({ name }) => name);
const unknown = { ok: false, refusal: { reason: "device-unknown" } };

describe("a device that its owner renames", () => {
  test("has the new name wherever it is shown, and the change is logged", async () => {
    const [own] = await shown();
    expect(await rename("The blue one")).toEqual({ ok: true, value: null });
    expect(await shown()).toEqual(["The blue one"]);
    expect((await listByUse(app.db, viewer.account.id)).map(({ name }) => name)).toEqual(["The blue one"]);
    expect(await listOwnDevices(app.db, viewer.account.id)).toMatchObject([
      { name: "The blue one", machineName: own, givenName: "The blue one" },
    ]);
    const spelled = { typed: "blue", capitals: "blue" };
    expect((await listOwners(app.db, listByDeviceName(spelled, 5))).map((match) => match.id)).toContain(
      viewer.account.id,
    );
    const log = await listActivities(app.db, viewer.account.id, 5);
    expect(log.filter(({ what }) => what === "device-renamed")).toMatchObject([{ result: "done" }]);
    // It gives its seat back under that name.
    expect((await call(app, "DELETE", "/devices/current", { token })).status).toBe(204);
    const after = await listActivities(app.db, viewer.account.id, 5);
    expect(after.find(({ what }) => what === "device-removed")).toMatchObject({ device: "The blue one" });
  });

  test("keeps that name when the machine activates again under another name", async () => {
    await rename("The blue one");
    expect((await activate(app, key, "machine", "New hostname")).status).toBe(201);
    expect(await shown()).toEqual(["The blue one"]);
    expect(await devicesOf(viewer.account.id)).toMatchObject([{ name: "New hostname", given_name: "The blue one" }]);
    await rename("");
    expect(await shown()).toEqual(["New hostname"]);
  });

  test("takes its machine's name again once its owner has restored that", async () => {
    const [own = ""] = await shown();
    await rename("The blue one");
    await rename(own);
    expect(await devicesOf(viewer.account.id)).toMatchObject([{ given_name: null }]);
  });

  test("can't be another account's, a removed one, or renamed by an ended session", async () => {
    expect(await rename("Mine now", await aCustomer(app))).toEqual(unknown);
    await env.DB.prepare("update sessions set state = 'revoked' where account_id = ?").bind(viewer.account.id).run();
    expect(await rename("Too late")).toEqual(unknown);
    await env.DB.prepare("update sessions set state = 'active' where account_id = ?").bind(viewer.account.id).run();
    await removeDevice(app, viewer, id);
    expect(await rename("Gone")).toEqual(unknown);
    expect(await devicesOf(viewer.account.id)).toMatchObject([{ state: "removed", given_name: null }]);
    expect((await listActivities(app.db, viewer.account.id, 9)).map(({ what }) => what)).not.toContain(
      "device-renamed",
    );
  });

  test("and removes at the same time is removed, whichever came first, and each completed change is logged", async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `Name ${nth}`);
    const [removal, ...renamed] = await Promise.all([
      removeDevice(app, viewer, id),
      ...names.map((name) => rename(name)),
    ]);
    expect(removal.ok).toBe(true);
    expect(await shown()).toEqual([]);
    const log = await listActivities(app.db, viewer.account.id, 50);
    const logged = log.filter(({ what }) => what === "device-renamed");
    expect(logged).toHaveLength(renamed.filter(({ ok }) => ok).length);
  });
});
