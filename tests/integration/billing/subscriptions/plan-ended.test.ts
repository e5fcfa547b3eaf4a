import { expect, test } from "vitest";
import { endBilling } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** The email that says that a plan has ended. */
async function endEmails(harness: BillingHarness): Promise<number> {
  return (await harness.rows()).emails.filter(({ template }) => template === "plan-ended").length;
}

const states = async (harness: BillingHarness) => (await harness.rows()).subscriptions.map(({ state }) => state);

async function aSubscriber() {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const [subscription] = (await harness.stripe.subscriptions.list()).data;
  if (!subscription) throw new Error("Nothing runs");
  return { harness, id: subscription.id };
}

test.each<[string, (harness: BillingHarness, id: string) => Promise<unknown>]>([
  [
    "with its period, after it was cancelled",
    async (harness) => {
      await runSubscriptionAction(harness.app, await harness.account(), "cancel");
      expect(await endEmails(harness)).toBe(0);
      await harness.pass(32);
    },
  ],
  ["at once, by the team in Stripe's dashboard", (harness, id) => harness.stripe.subscriptions.cancel(id)],
  [
    "after a refund of all its payments",
    async (harness) => harness.control("refund", { order: (await harness.rows()).orders[0]?.id }),
  ],
  [
    "because its money was lost in a dispute",
    async (harness) => harness.control("dispute", { order: (await harness.rows()).orders[0]?.id, outcome: "lost" }),
  ],
  [
    "by its owner, while a payment was due",
    async (harness) => {
      await harness.useCard("pm_card_chargeCustomerFail");
      await harness.pass(32);
      await harness.reconcile();
      await runSubscriptionAction(harness.app, await harness.account(), "cancel");
    },
  ],
])("a plan that ended %s is announced in one email, for any number of syncs", async (_why, end) => {
  const { harness, id } = await aSubscriber();
  await end(harness, id);
  await Promise.all([harness.reconcile(), harness.reconcile(), harness.reconcile()]);
  await harness.reconcile();
  expect(await states(harness)).toEqual(["ended"]);
  expect(await endEmails(harness)).toBe(1);
});

test("a paused plan that was replaced by a purchased one ends without that email", async () => {
  const harness = await openBillingHarness();
  await harness.choose();
  const customer = await harness.customerId();
  for (const { id, status } of (await harness.stripe.checkout.sessions.list({ customer })).data) {
    if (status === "open") await harness.stripe.checkout.sessions.expire(id);
  }
  const [sold] = (await harness.stripe.prices.list({ lookup_keys: [priceKey(large.id, "month")] })).data;
  await harness.stripe.subscriptions.create({
    customer,
    items: [{ price: sold?.id ?? "" }],
    trial_period_days: 30,
    trial_settings: { end_behavior: { missing_payment_method: "pause" } },
  });
  await harness.pass(31);
  await harness.reconcile();
  expect(await states(harness)).toEqual(["paused"]);
  await harness.buy(small.id);
  await Promise.all([harness.reconcile(), harness.reconcile(), harness.reconcile()]);
  expect(await states(harness)).toEqual(["ended", "active"]);
  expect(await endEmails(harness)).toBe(0);
});

test("a plan that ends with its account isn't announced: the email about the account names it", async () => {
  const { harness } = await aSubscriber();
  const { id } = await harness.account();
  expect(await endBilling(harness.app, id)).toEqual({ ok: true, value: null });
  await harness.reconcile();
  expect([await states(harness), await endEmails(harness)]).toEqual([["ended"], 0]);
});
