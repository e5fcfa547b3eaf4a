import { expect, test } from "vitest";
import { movePlan } from "#app/modules/plan-changes/commands/move-plan.server.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { large, small } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";

/** The email that says that a plan has ended. */
async function toldOfEnd(till: Till): Promise<number> {
  return (await till.rows()).mails.filter(({ template }) => template === "plan-ended").length;
}

const states = async (till: Till) => (await till.rows()).subscriptions.map(({ state }) => state);

async function aSubscriber() {
  const till = await openTill();
  await till.buy();
  await till.settle();
  const [plan] = (await till.stripe.subscriptions.list()).data;
  if (!plan) throw new Error("Nothing runs");
  return { till, id: plan.id };
}

test.each<[string, (till: Till, id: string) => Promise<unknown>]>([
  [
    "with its period, after it was cancelled",
    async (till) => {
      await movePlan(till.app, await till.account(), "cancel");
      expect(await toldOfEnd(till)).toBe(0);
      await till.pass(32);
    },
  ],
  ["at once, by the team in Stripe's dashboard", (till, id) => till.stripe.subscriptions.cancel(id)],
  [
    "because all of its money was refunded",
    async (till) => till.control("refund", { order: (await till.rows()).orders[0]?.id }),
  ],
  [
    "because its money was lost in a dispute",
    async (till) => till.control("dispute", { order: (await till.rows()).orders[0]?.id, outcome: "lost" }),
  ],
  [
    "by its owner, while a payment was due",
    async (till) => {
      await till.useCard("pm_card_chargeCustomerFail");
      await till.pass(32);
      await till.settle();
      await movePlan(till.app, await till.account(), "cancel");
    },
  ],
])("a plan that ended %s is told of in one email, however many syncs see it", async (_why, end) => {
  const { till, id } = await aSubscriber();
  await end(till, id);
  await Promise.all([till.settle(), till.settle(), till.settle()]);
  await till.settle();
  expect(await states(till)).toEqual(["ended"]);
  expect(await toldOfEnd(till)).toBe(1);
});

test("a paused plan that was replaced by the one that was bought ends without that email", async () => {
  const till = await openTill();
  await till.choose();
  const customer = await till.customerId();
  for (const { id, status } of (await till.stripe.checkout.sessions.list({ customer })).data) {
    if (status === "open") await till.stripe.checkout.sessions.expire(id);
  }
  const [sold] = (await till.stripe.prices.list({ lookup_keys: [priceKey(large.id, "month")] })).data;
  await till.stripe.subscriptions.create({
    customer,
    items: [{ price: sold?.id ?? "" }],
    trial_period_days: 30,
    trial_settings: { end_behavior: { missing_payment_method: "pause" } },
  });
  await till.pass(31);
  await till.settle();
  expect(await states(till)).toEqual(["paused"]);
  await till.buy(small.id);
  await Promise.all([till.settle(), till.settle(), till.settle()]);
  expect(await states(till)).toEqual(["ended", "active"]);
  expect(await toldOfEnd(till)).toBe(0);
});
