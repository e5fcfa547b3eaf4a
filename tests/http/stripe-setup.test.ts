import { afterAll, beforeAll, expect, test } from "vitest";
import { product } from "#app/product.config.ts";
import { setUpStripe } from "../../scripts/stripe-setup.mjs";
import { type LocalStripe, startLocalStripe } from "./stripe-local-driver.ts";

let local: LocalStripe;

beforeAll(async () => {
  local = await startLocalStripe();
});
afterAll(() => local.close());

test("setting up twice changes nothing the second time, and a new amount moves the lookup key", async () => {
  const { stripe } = local;
  const run = async (plans: Parameters<typeof setUpStripe>[0]["plans"]): Promise<string[]> => {
    const lines: string[] = [];
    await setUpStripe({
      stripe,
      product: product.name,
      plans,
      currency: product.currency,
      webhookUrl: "http://localhost:8787/webhooks/stripe",
      log: (line) => lines.push(line),
    });
    return lines.map((line) => line.trimStart().split(" ", 1)[0] ?? "");
  };
  const first = await run(product.plans);
  expect(new Set(first)).toEqual(new Set(["created"]));
  const second = await run(product.plans);
  expect(second).toHaveLength(first.length);
  expect(new Set(second)).toEqual(new Set(["unchanged"]));

  const dearer = await run([{ id: "personal", name: "Personal", prices: { month: { amountMinor: 700 } } }]);
  expect(dearer).toEqual(["unchanged", "updated", "unchanged"]);
  const { data } = await stripe.prices.list({ product: "foyer_personal", recurring: { interval: "month" } });
  expect(data).toMatchObject([
    { unit_amount: 700, active: true, lookup_key: "personal_month" },
    { unit_amount: 600, active: false, lookup_key: null },
  ]);
});
