import { idOf } from "#tests/support/ids.ts";
import { type AccountId, noDevice } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { preferencesCalls } from "../../api-calls.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { type Preferences, preferencesOf } from "../../preferences.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { changePreferencesByOwner } from "../../commands/change-preferences-by-owner.server.ts";
import { findPreferences, readPreferences } from "../../queries.server.ts";
import { product } from "#app/product/config.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { aCustomer, aDevice, call, devicesOf, keyOf, putOnPlan } from "#tests/support/clients/device-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const chosen: ProductConfig = {
  ...product,
  preferences: [
    {
      key: "rhythm",
      kind: "choice",
      label: "Rhythm",
      options: [
        { value: "slow", label: "Slow" },
        { value: "fast", label: "Fast" },
      ],
      default: "slow",
    },
    { key: "cap", kind: "number", label: "Cap", min: 0, max: 10, default: 5 },
    { key: "loud", kind: "switch", label: "Loud", default: true },
  ],
};
const defaults = { rhythm: "slow", cap: 5, loud: true };

let app: TestApp;

beforeEach(() => {
  app = testApp({ product: chosen });
});

const forty = Array.from({ length: 40 }, (_, nth) => nth);

async function withDevices(count = 1) {
  const viewer = await aCustomer(app, large.id);
  const key = await keyOf(app, viewer);
  const tokens: string[] = [];
  for (let nth = 0; nth < count; nth += 1) tokens.push(await aDevice(app, key, `machine ${nth}`));
  return { viewer, accountId: viewer.account.id, tokens, token: tokens[0] ?? "" };
}

function show(token: string, headers?: Record<string, string>) {
  return call(app, "GET", "/settings", { token, headers }, preferencesCalls(app.product));
}

function put(token: string, body: object, etag: string | null) {
  const headers = etag === null ? undefined : { "If-Match": etag };
  return call(app, "PUT", "/settings", { token, body, headers }, preferencesCalls(app.product));
}

const etagOf = async (token: string) => (await show(token)).headers.get("ETag") ?? "";
const stored = async (accountId: AccountId) => readPreferences(await findPreferences(app.db, accountId));

describe("the preferences of an account", () => {
  test("are the defaults for a device until they are set, read in one round trip, and identified by an ETag", async () => {
    const { token, accountId } = await withDevices();
    app.trips.toDatabase = 0;
    const first = await show(token);
    expect([first.status, first.body, app.trips.toDatabase]).toEqual([200, defaults, 1]);
    const etag = first.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"\w+"$/);
    expect((await show(token, { "If-None-Match": etag })).status).toBe(304);
    await changePreferencesByOwner(app, accountId, { ...defaults, cap: 6 }, 0);
    const second = await show(token, { "If-None-Match": etag });
    expect([second.status, second.body]).toEqual([200, { ...defaults, cap: 6 }]);
  });

  test("have another ETag when a default of the config changes", async () => {
    const { token } = await withDevices();
    const etag = await etagOf(token);
    const preferences = preferencesOf(chosen).map((each) => (each.kind === "number" ? { ...each, default: 7 } : each));
    app.product = { ...chosen, preferences };
    const again = await show(token, { "If-None-Match": etag });
    expect([again.status, again.body]).toEqual([200, { ...defaults, cap: 7 }]);
  });

  test("are changed by a device for all devices: omitted ones stay, and a value that it sends back unchanged isn't stored as a choice", async () => {
    const { tokens, accountId } = await withDevices(2);
    const [first = "", second = ""] = tokens;
    const changed = await put(first, { ...defaults, cap: 9 }, await etagOf(first));
    expect([changed.status, changed.body]).toEqual([200, { ...defaults, cap: 9 }]);
    expect((await stored(accountId)).chosen).toEqual({ cap: 9 });
    expect((await put(second, { loud: false }, changed.headers.get("ETag"))).body).toEqual({
      ...defaults,
      cap: 9,
      loud: false,
    });
    expect((await show(first)).body).toEqual({ ...defaults, cap: 9, loud: false });
  });

  test("are unchanged, with their ETag, when a device sends the same values", async () => {
    const { token, accountId } = await withDevices();
    const etag = await etagOf(token);
    const answer = await put(token, defaults, etag);
    expect([answer.status, answer.headers.get("ETag"), answer.body]).toEqual([200, etag, defaults]);
    expect((await stored(accountId)).version).toBe(0);
  });

  test("record, when they are read, that the device was seen", async () => {
    const { token, accountId } = await withDevices();
    const now = app.clock() + 21 * minuteMs;
    app.clock = () => now;
    await show(token);
    expect((await devicesOf(accountId))[0]?.last_seen_at).toBe(now);
  });

  test.each([
    [{ rhythm: "medium" }, "rhythm", "preference-unknown"],
    [{ cap: 11 }, "cap", "preference-out-of-range"],
    [{ cap: "3" }, "cap", "preference-not-a-number"],
    [{ cap: 2.5 }, "cap", "preference-not-a-number"],
    [{ loud: "on" }, "loud", "preference-not-a-switch"],
    [{ loud: null }, "loud", "preference-not-a-switch"],
  ])("are refused as %j", async (body, field, what) => {
    const { token, accountId } = await withDevices();
    const answer = await put(token, body, await etagOf(token));
    expect([answer.status, answer.body["errors"]]).toEqual([422, [{ field, problem: what }]]);
    expect((await stored(accountId)).version).toBe(0);
  });

  test("aren't changed by a device that omits If-Match, which is checked after its token", async () => {
    const { token, accountId, viewer } = await withDevices();
    const answer = await put(token, { cap: 1 }, null);
    expect([answer.status, answer.body["code"]]).toEqual([428, "if-match-missing"]);
    expect((await put(token, { cap: 1 }, '"*"')).status).toBe(412);
    await removeDevice(app, viewer, idOf("dev", token.split(".")[0] ?? noDevice));
    for (const refused of [await put(token, { cap: 1 }, null), await put(token, { cap: 1 }, "*"), await show(token)]) {
      expect([refused.status, refused.body["code"]]).toEqual([401, "token-refused"]);
    }
    expect((await stored(accountId)).version).toBe(0);
  });

  test("that changed since are answered with their current values, to be changed again with the new ETag", async () => {
    const { tokens } = await withDevices(2);
    const [first = "", second = ""] = tokens;
    const etag = await etagOf(first);
    await put(first, { cap: 1 }, etag);
    const late = await put(second, { cap: 2 }, etag);
    expect([late.status, late.body]).toMatchObject([
      412,
      { code: "changed-elsewhere", current: { ...defaults, cap: 1 } },
    ]);
    const again = await put(second, { cap: 2 }, late.headers.get("ETag"));
    expect([again.status, again.body]).toEqual([200, { ...defaults, cap: 2 }]);
    const named = await put(second, { cap: 3 }, `"other", W/${again.headers.get("ETag")}`);
    const whatever = await put(second, { cap: 4 }, "*");
    expect([named.status, whatever.status]).toEqual([200, 200]);
  });

  test("that forty requests change at the same time are changed by one, and the others receive the result", async () => {
    const { tokens, accountId } = await withDevices(large.limits.devices);
    const etag = await etagOf(tokens[0] ?? "");
    const values = forty.map((nth) => (nth % 2 === 0 ? { cap: nth % 5 } : { rhythm: "fast" }));
    const answers = await Promise.all(values.map((body, nth) => put(tokens[nth % tokens.length] ?? "", body, etag)));
    const won = answers.filter(({ status }) => status === 200);
    expect([won.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 39]);
    expect((await stored(accountId)).version).toBe(1);
    for (const { body, status } of answers) expect(status === 200 ? body : body["current"]).toEqual(won[0]?.body);
  });

  test("that the page and a device change at the same time are one or the other's, and no change is lost without notice", async () => {
    const { token, accountId } = await withDevices();
    const etag = await etagOf(token);
    const [saved, changed] = await Promise.all([
      changePreferencesByOwner(app, accountId, { ...defaults, cap: 8 }, 0),
      put(token, { cap: 3 }, etag),
    ]);
    expect(saved.ok ? 412 : 200).toBe(changed.status);
    expect((await stored(accountId)).chosen["cap"]).toBe(saved.ok ? 8 : 3);
  });
});

describe("what devices changed", () => {
  test("is stored beside the previous values, with the device that was last, until the owner saves", async () => {
    const { tokens, accountId } = await withDevices(2);
    const [first = "", second = ""] = tokens;
    const mine: Preferences = { ...defaults, cap: 6 };
    await changePreferencesByOwner(app, accountId, mine, 0);
    expect((await stored(accountId)).byDevices).toBeNull();
    await put(first, { cap: 7 }, "*");
    await env.DB.prepare("update devices set name = 'Second' where id = ?").bind(second.split(".")[0]).run();
    await put(second, { loud: false }, "*");
    expect((await stored(accountId)).byDevices).toEqual({ before: mine, device: "Second" });
    await env.DB.prepare("delete from devices where account_id = ?").bind(accountId).run();
    expect((await stored(accountId)).byDevices).toEqual({ before: mine, device: null });
    const { version } = await stored(accountId);
    await changePreferencesByOwner(app, accountId, { ...mine, cap: 1 }, version);
    expect(await stored(accountId)).toMatchObject({ byDevices: null, version: version + 1 });
  });

  test("is compared with the defaults if the owner never saved", async () => {
    const { token, accountId } = await withDevices();
    await put(token, { cap: 7 }, "*");
    expect((await stored(accountId)).byDevices).toEqual({ before: {}, device: "Laptop" });
  });

  test("is refused to an outdated page with the current values, and accepted when a page then sends those values", async () => {
    const { token, accountId } = await withDevices();
    await put(token, { cap: 7 }, "*");
    const late = await changePreferencesByOwner(app, accountId, { ...defaults, cap: 8 }, 0);
    expect(late).toMatchObject({
      ok: false,
      refusal: { reason: "changed-elsewhere", current: { chosen: { cap: 7 }, version: 1 } },
    });
    expect((await changePreferencesByOwner(app, accountId, { ...defaults, cap: 7 }, 0)).ok).toBe(true);
    expect((await stored(accountId)).version).toBe(1);
  });
});

describe("a number with a limit from the plan", () => {
  const limited: ProductConfig = {
    ...chosen,
    plans: product.plans.map((plan) => ({ ...plan, limits: { ...plan.limits, cap: plan.id === large.id ? 8 : 6 } })),
    preferences: [{ key: "cap", kind: "number", label: "Cap", min: 0, max: 10, default: 5, limit: "cap" }],
  };

  test("is sent to devices within the current plan's limit, and capped at it when a device sends it", async () => {
    app = testApp({ product: limited });
    const { token, accountId } = await withDevices();
    const sent = await put(token, { cap: 10 }, await etagOf(token));
    expect(sent.body).toEqual({ cap: 8 });
    const before = await etagOf(token);
    await env.DB.prepare("update subscriptions set state = 'ended' where account_id = ?").bind(accountId).run();
    const shown = await show(token, { "If-None-Match": before });
    expect([shown.status, shown.body]).toEqual([200, { cap: 5 }]);
    expect((await stored(accountId)).chosen).toEqual({ cap: 8 });
  });
});

test("a customer whose plan ended, of a product without a free plan, can read and change them", async () => {
  app = testApp({ product: { ...chosen, plans: chosen.plans.filter(({ prices }) => prices !== null) } });
  const { token, accountId } = await withDevices();
  const before = await show(token);
  await putOnPlan(accountId, large.id, "ended");
  expect((await show(token)).body).toEqual(before.body);
  expect((await put(token, {}, "*")).status).toBe(200);
});
