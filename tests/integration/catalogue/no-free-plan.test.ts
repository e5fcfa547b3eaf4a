import { env } from "cloudflare:workers";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { openApi } from "#app/api/open-api.ts";
import { calls } from "#app/api/calls.ts";
import { showDevices } from "#app/features/devices/reads/show-devices.server.ts";
import { seatNoticeMs } from "#app/features/devices/seats.rules.ts";
import { sweepDevices } from "#app/features/devices/commands/sweep-devices.server.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { showPerson } from "#app/modules/operators/reads/show-person.server.ts";
import { loadCatalogue } from "#app/modules/catalogue/commands/load-catalogue.server.ts";
import { listSoldPlans } from "#app/modules/catalogue/catalogue.queries.server.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { free, large, small } from "#tests/support/billing/catalogue.ts";
import { activate, aCustomer, call, devicesOf, keyOf, putOnPlan } from "#tests/support/clients/device-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type OnFreePlan, onFreePlanQuery } from "../../../scripts/deploy/plans.ts";

const withFree: ProductConfig = { ...testApp().product, plans: [free, small, large] };
const paidOnly: ProductConfig = { ...withFree, plans: [small, large] };
const noLimits = Object.fromEntries(Object.keys(small.limits).map((limit) => [limit, 0]));

let app: TestApp;

beforeEach(async () => {
  app = testApp({ product: paidOnly });
  await emptyTables("seat_reductions", "emails", "sold_plans");
});

/** A customer on a plan, with devices that are active. */
async function equipped(count = 1) {
  const viewer = await aCustomer(app, small.id);
  const key = await keyOf(app, viewer);
  const tokens: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    tokens.push(String((await activate(app, key, `machine ${nth}`, `Machine ${nth}`)).body["deviceToken"]));
  }
  const accountId = viewer.account.id;
  const [token = ""] = tokens;
  const ends = () => putOnPlan(accountId, small.id, "ended");
  const entitlement = async () => decodeJwt(String((await call(app, "GET", "/entitlement", { token })).body["token"]));
  const active = async () => (await devicesOf(accountId)).filter(({ state }) => state === "active").length;
  return { viewer, accountId, key, token, ends, entitlement, active };
}

async function sweep() {
  await sweepDevices(app);
  await app.settled();
}

const emailed = async () =>
  (await env.DB.prepare("select template from emails").all()).results.map(({ template }) => template);

describe("a customer without a plan, of a product without a free plan,", () => {
  test("can't activate a device, and is offered the plans", async () => {
    const viewer = await aCustomer(app);
    const refused = await activate(app, await keyOf(app, viewer), "machine", "Laptop");
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ code: "plan-required", url: `${app.origin}/settings/upgrade` });
    expect(String(refused.body["detail"])).toContain(`${app.origin}/settings/upgrade`);
    expect(await devicesOf(viewer.account.id)).toEqual([]);
    const { results } = await env.DB.prepare(
      "select what, reason from activities where account_id = ? and result = 'refused'",
    )
      .bind(viewer.account.id)
      .all();
    expect(results).toEqual([{ what: "device-added", reason: "plan-required" }]);
  });

  test("keeps devices whose plan ended: devices are informed, and regain access with the next plan", async () => {
    const { accountId, key, token, ends, entitlement, active } = await equipped();
    expect(await entitlement()).toMatchObject({ plan: small.id, state: "active", access: "full" });
    await ends();
    const expected = { plan: null, limits: noLimits, state: "ended", access: "none", seats: { used: 1, of: 0 } };
    expect(await entitlement()).toMatchObject(expected);
    // The same machine is the same device; another one gets no seat.
    const again = await activate(app, key, "machine 0", "Renamed");
    expect([again.status, again.body["deviceToken"]]).toEqual([201, token]);
    expect(decodeJwt(String(again.body["entitlement"]))).toMatchObject(expected);
    expect((await activate(app, key, "another machine", "Tablet")).body["code"]).toBe("plan-required");
    expect(await active()).toBe(1);
    await putOnPlan(accountId, large.id);
    expect(await entitlement()).toMatchObject({
      plan: large.id,
      limits: large.limits,
      state: "active",
      access: "full",
    });
  });

  test("loses no device because of a notice, even if one was sent before the plan ended", async () => {
    const { accountId, ends, active } = await equipped(small.limits.devices);
    // Fewer seats than before: announced.
    const fewer = { ...small, limits: { ...small.limits, devices: 1 } };
    app.product = { ...paidOnly, plans: [fewer, large] };
    await putOnPlan(accountId, large.id);
    await putOnPlan(accountId, small.id);
    await sweep();
    expect(await emailed()).toEqual(["seats-reduced"]);
    await ends();
    app.pass(seatNoticeMs + 1);
    await sweep();
    expect(await active()).toBe(small.limits.devices);
    expect(await emailed()).toEqual(["seats-reduced"]);
    const left = await env.DB.prepare("select * from seat_reductions where account_id = ?").bind(accountId).first();
    expect(left).toBeNull();
    // With the plan it starts again, with a new notice.
    await putOnPlan(accountId, small.id);
    await sweep();
    expect(await emailed()).toEqual(["seats-reduced", "seats-reduced"]);
    expect(await active()).toBe(small.limits.devices);
  });

  test("can report usage without a warning", async () => {
    const { token, ends, viewer } = await equipped();
    await ends();
    const [meter] = paidOnly.meters;
    const report = { meter: meter?.key, value: 10 ** 14, at: app.clock() };
    const { status, body } = await call(app, "PUT", "/usage", { token, body: report });
    expect([status, body]).toEqual([200, { meter: meter?.key, used: 10 ** 14, limit: 0 }]);
    await app.settled();
    expect(await emailed()).toEqual([]);
    const { plan, meters } = await showDevices(app, viewer.account.id, viewer, { key: false });
    expect(plan).toBeNull();
    expect(meters.find(({ key }) => key === meter?.key)).toMatchObject({ limit: 0, used: { value: 10 ** 14 } });
  });

  test("is offered plans to buy, and nothing to cancel", async () => {
    const { account } = await aCustomer(app);
    const offered = async (planId: string) =>
      (await offerPlan(app, account.id, await findBuyer(app, account.id), { planId, interval: "month" })).offer;
    expect(await offered(free.id)).toEqual({ kind: "refused", refusal: { reason: "plan-unknown" } });
    await putOnPlan(account.id, small.id);
    expect(await offered(free.id)).toMatchObject({ kind: "refused", refusal: { reason: "plan-unknown" } });
  });

  test("is found by operators with usage and without access", async () => {
    const { viewer, ends } = await equipped();
    await ends();
    const address = parseEmailAddress(viewer.account.email);
    if (!address) throw new Error("no address");
    const person = await showPerson(app, { id: viewer.account.id, address: address.canonical });
    expect(person).toMatchObject({ summary: { plan: "no plan, no access" } });
  });
});

describe("the OpenAPI document of all calls", () => {
  const entitlementOf = (product: ProductConfig) =>
    JSON.stringify(openApi({ ...app, product }, calls).components.schemas.entitlement);

  test("describes an entitlement without a plan where that can occur, and nowhere else", () => {
    for (const word of ["ended", "none", "null"]) {
      expect(entitlementOf(paidOnly)).toContain(`"${word}"`);
      expect(entitlementOf(withFree)).not.toContain(`"${word}"`);
    }
  });
});

describe("a free plan that was removed from the config", () => {
  const started = async (product: ProductConfig) => {
    const catalogue = await loadCatalogue({ ...app, product });
    await app.settled();
    return catalogue;
  };
  const onFreePlan = async () => (await env.DB.prepare(onFreePlanQuery).all<OnFreePlan>()).results;
  const stored = async () => (await listSoldPlans(app.db)).map(({ id }) => id).toSorted();

  test("is refused by the deployment while accounts use the product on it, until a Worker runs without it", async () => {
    await env.DB.prepare("update devices set state = 'removed', removed_at = 0").run();
    app = testApp({ product: withFree });
    await started(withFree);
    expect(await stored()).toEqual([free.id, small.id, large.id].toSorted());
    expect(await onFreePlan()).toEqual([]);
    // Two on the free plan with a device, one of them after a paid plan; one without a device; one on a paid plan.
    const user = await aCustomer(app);
    await activate(app, await keyOf(app, user), "machine", "Laptop");
    await (await equipped()).ends();
    await aCustomer(app);
    await equipped();
    expect(await onFreePlan()).toEqual([{ plan_id: free.id, accounts: 2 }]);

    const catalogue = await started(paidOnly);
    expect(catalogue?.plans.map(({ id }) => id)).toEqual([small.id, large.id]);
    expect(await stored()).toEqual([small.id, large.id].toSorted());
    expect(await onFreePlan()).toEqual([]);
  });

  test("and later restored applies again immediately", async () => {
    const viewer = await aCustomer(app);
    const key = await keyOf(app, viewer);
    expect((await activate(app, key, "machine", "Laptop")).status).toBe(402);
    await started(paidOnly);
    app.product = (await started(withFree)) ?? withFree;
    expect((await activate(app, key, "machine", "Laptop")).status).toBe(201);
  });
});
