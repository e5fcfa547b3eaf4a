import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { Interval } from "#app/core/time/interval.ts";
import type { Plan, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { dropAll } from "#tests/support/database/drop-all.ts";
// Requests to an emulator's host are answered by that emulator.
import "#tests/support/billing/billing-harness.ts";
import { peopleOf } from "../../../scripts/demo/people.ts";
import { replayDemo } from "../../../scripts/demo/replay-demo.ts";
import { large, small } from "../../../scripts/demo/demo-events.ts";
import { DemoSite } from "../../../scripts/demo/demo-site.ts";

beforeEach(async () => {
  await dropAll();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

/** The tests' product with these plans alone, each sold by these intervals. */
function soldBy(own: Record<string, Interval[]>): ProductConfig {
  const plans = product.plans.flatMap((plan): Plan[] => {
    if (plan.prices === null) return [plan];
    const prices = Object.entries(plan.prices).filter(([interval]) => own[plan.id]?.some((each) => each === interval));
    return prices.length > 0 ? [{ ...plan, prices: Object.fromEntries(prices) }] : [];
  });
  return { ...product, gate: `plan:${plans.at(-1)?.id}`, plans };
}

/** The accounts in the demo of the tests' product and not in this one's. */
function missingIn(config: ProductConfig): string[] {
  const [all, some] = [product, config].map((each) =>
    peopleOf("", each).flatMap(({ people }) => people.map(({ address }) => nameIn(address))),
  );
  return (all ?? []).filter((name) => !some?.includes(name)).toSorted();
}

const nameIn = (address: unknown) => String(address).split("@")[0] ?? "";

const settings = () => ({
  origin: env.PUBLIC_ORIGIN,
  stripe: `http://demo-${crypto.randomUUID()}.emulator.test:8788`,
  key: "local-key",
  pepper: "local-pepper",
  emailSender: env.MAIL_FROM,
  entitlementSecret: "local-entitlement",
});

test.each<[sold: string, config: ProductConfig, missing: string[]]>([
  ["by the year alone", soldBy({ [small]: ["year"], [large]: ["year"] }), ["tomas"]],
  ["by the month alone", soldBy({ [small]: ["month"], [large]: ["month"] }), ["greta", "tomas"]],
  ["each by an interval of its own", soldBy({ [small]: ["year"], [large]: ["month"] }), ["amelie", "edith", "tomas"]],
])(
  "the demo runs for plans sold %s, without the accounts that need others",
  async (_, config, missing) => {
    expect(missingIn(config)).toEqual(missing);
    const stage = new DemoSite(env.DB, settings(), config);
    await replayDemo(stage, peopleOf("", config));

    expect(stage.reports.filter((report) => !report.endsWith("is disputed"))).toEqual([]);
    const { results: kinds } = await env.DB.prepare("select distinct plan_id, interval from subscriptions").all();
    for (const { plan_id: planId, interval } of kinds) {
      expect(config.plans.find(({ id }) => id === planId)?.prices).toHaveProperty(String(interval));
    }
    const { results: states } = await env.DB.prepare("select distinct state from subscriptions order by state").all();
    expect(states.map(({ state }) => state)).toEqual([
      "active",
      "ended",
      "incomplete",
      "past-due-grace",
      "past-due-locked",
      "paused",
      "unpaid",
    ]);
    const orders = await statesOfOrders();
    const promised = {
      otto: "failed",
      yara: "needs-action",
      milo: "processing",
      signe: "processing",
      rosa: "paid",
      nadia: "failed",
      viktor: "failed",
      karl: "failed",
      theo: "needs-action",
      hugo: "partially-refunded",
      elin: "refunded",
      ylva: "refunded",
      ruth: "refunded",
    };
    for (const [name, state] of Object.entries(promised))
      expect([name, orders[name]]).toEqual([name, expect.arrayContaining([state])]);
  },
  900_000,
);

test("with a single plan, no account of the demo changes its plan", () => {
  expect(missingIn(soldBy({ [small]: ["month"] }))).toEqual(["amelie", "bea", "edith", "greta", "pia", "tomas"]);
});

async function statesOfOrders(): Promise<Record<string, unknown[]>> {
  const { results } = await env.DB.prepare(
    "select a.email, o.state from orders o join accounts a on a.id = o.account_id",
  ).all();
  const states: Record<string, unknown[]> = {};
  for (const { email, state } of results) (states[nameIn(email)] ??= []).push(state);
  return states;
}
