import { idOf } from "#tests/support/ids.ts";
import { env } from "cloudflare:workers";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { findEntitlement } from "#app/features/devices/reads/find-entitlement.server.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { sweepSubscriptions } from "#app/modules/billing/subscriptions/commands/sweep-subscriptions.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { loadCatalogue } from "#app/modules/catalogue/commands/load-catalogue.server.ts";
import { namedPlan, planName, planNameMessages } from "#app/modules/catalogue/plan-names.messages.ts";
import { allOnSale, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import type { Plan, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { free, large, minor, small } from "#tests/support/billing/catalogue.ts";
import { activate, aCustomer, devicesOf, keyOf } from "#tests/support/clients/device-driver.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";

const base = testApp().product;
const sold: ProductConfig = { ...base, plans: [free, small, large] };
const without = (plan: Plan): ProductConfig => ({ ...sold, plans: sold.plans.filter(({ id }) => id !== plan.id) });
const retired = (plan: Plan): ProductConfig => ({
  ...sold,
  plans: sold.plans.map((each) => (each.id === plan.id ? { ...each, sold: false } : each)),
});

beforeEach(() => env.DB.prepare("delete from sold_plans").run());

/** As at a Worker's start: what is new in its config is stored, and what it lacks is found. */
async function started(app: TestApp, product: ProductConfig): Promise<TestApp> {
  const catalogue = await loadCatalogue({ ...app, product });
  await app.settled();
  return { ...app, product: catalogue ?? product };
}

describe("a plan that was removed from the config", () => {
  test("keeps its limits and access for its subscribers, who can continue to use all seats", async () => {
    const before = await started(testApp(), sold);
    const viewer = await aCustomer(before, large.id);
    const key = await keyOf(before, viewer);
    const after = await started(testApp(), without(large));
    const { status, body } = await activate(after, key, "machine", "Laptop");
    expect(status).toBe(201);
    const claims = { plan: large.id, limits: large.limits, state: "active", access: "full" };
    expect(decodeJwt(String(body["entitlement"]))).toMatchObject(claims);
    for (let nth = 1; nth < large.limits.devices; nth += 1) {
      expect((await activate(after, key, `machine ${nth}`, "Laptop")).status).toBe(201);
    }
    expect((await activate(after, key, "one too many", "Laptop")).status).toBe(409);
    const [device] = await devicesOf(viewer.account.id);
    expect(await findEntitlement(after, idOf("dev", String(device?.id)))).toMatchObject(claims);
  });

  test("has the highest value of each limit if it was never stored, or while the table can't be read", async () => {
    const app = testApp();
    const viewer = await aCustomer(app, "plan-of-old");
    const key = await keyOf(app, viewer);
    await env.DB.prepare("insert into sold_plans (plan_id) values ('plan-of-old')").run();
    const unread = { ...app, product: sold };
    for (const at of [unread, await started(testApp(), sold)]) {
      const { body } = await activate(at, key, "machine", "Laptop");
      const claims = { plan: "plan-of-old", limits: large.limits, state: "active", access: "full" };
      expect(decodeJwt(String(body["entitlement"]))).toMatchObject(claims);
      expect(planName(at.product, "plan-of-old")).toBe(planNameMessages.en.unknown);
      // "You are on …", on the plan's page and on that of all plans.
      expect(namedPlan(at.product, "plan-of-old").nameInText).toBe(planNameMessages.en.unknownInText);
    }
  });

  test("is reported once while it has subscribers, and again when it is removed another time", async () => {
    const reports: unknown[] = [];
    const app = testApp({ report: (error) => reports.push(error) });
    await env.DB.prepare("update subscriptions set state = 'ended'").run();
    await aCustomer(await started(app, sold), small.id);
    const after = await started(app, { ...sold, plans: [free] });
    await Promise.all([sweepSubscriptions(after), sweepSubscriptions(after), sweepSubscriptions(after)]);
    await sweepSubscriptions(after);
    expect(reports.map(String)).toEqual([expect.stringContaining(`Plan "${small.id}" has subscribers`)]);
    await sweepSubscriptions(await started(app, sold));
    await sweepSubscriptions(await started(app, { ...sold, plans: [free] }));
    expect(reports).toHaveLength(2);
  });

  test("is renewed, shown by its name, and can be changed away from but not to", async () => {
    const harness = await aSubscriber();
    const after = await started(harness.app, without(small));
    await harness.pass(31);
    await harness.reconcile(after);
    const { orders } = await showPlan(after, harness.accountId);
    expect(orders.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ["renewal", minor(small)],
      ["new-plan", minor(small)],
    ]);
    expect(planName(after.product, small.id)).toBe(small.name);
    expect(await offerOf(harness, after, large.id)).toMatchObject({ kind: "now" });
    expect(harness.reports).toEqual([]);
  });
});

describe("a retired plan", () => {
  test("isn't offered, isn't sold, and isn't set up at the payment provider", async () => {
    expect(offersOf(retired(small), { kind: "none" }, "month", allOnSale).map(({ id }) => id)).toEqual([
      free.id,
      large.id,
    ]);
    const harness = await openBillingHarness();
    const begun = await harness.choose(small.id, "month", { ...harness.app, product: retired(small) });
    expect(begun).toEqual({ ok: false, refusal: { reason: "plan-retired" } });
    const texts: string[] = [];
    const setUp = {
      stripe: harness.stripe,
      origin: env.PUBLIC_ORIGIN,
      isDryRun: true,
      log: (line: string) => texts.push(line),
    };
    await setUpStripe({ ...setUp, product: retired(small) });
    expect(texts.some((line) => line.includes(`price ${large.id}_month`))).toBe(true);
    expect(texts.filter((line) => line.includes(`price ${small.id}_`))).toEqual([]);
  });

  test("remains for its subscribers, who can leave it, and can neither return nor change its interval", async () => {
    const harness = await aSubscriber();
    const after = { ...harness.app, product: retired(small) };
    expect(await offerOf(harness, after, small.id, "year")).toEqual({
      kind: "refused",
      refusal: { reason: "plan-retired" },
    });
    expect(await offerOf(harness, after, large.id)).toMatchObject({ kind: "now" });
    const upThere = await aSubscriber(large);
    const planned = await offerOf(upThere, { ...upThere.app, product: retired(small) }, small.id);
    expect(planned).toEqual({ kind: "refused", refusal: { reason: "plan-retired" } });
  });
});

async function aSubscriber(plan = small): Promise<BillingHarness> {
  const harness = await openBillingHarness(sold);
  await started(harness.app, sold);
  await harness.buy(plan.id, "month");
  await harness.reconcile();
  await harness.app.settled();
  return harness;
}

async function offerOf(harness: BillingHarness, app: TestApp, planId: string, interval: "month" | "year" = "month") {
  const running = await findRunningSubscription(app.db, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const buyer = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
  return offerChange(app, buyer, { planId, interval });
}
