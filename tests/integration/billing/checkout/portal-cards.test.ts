import { expect, test } from "vitest";
import { openPortal } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";

const visa = "4242424242424242";
const mastercard = "5555555555554444";

async function buyWith(harness: BillingHarness, testCard: string): Promise<void> {
  const begun = await harness.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await harness.send(begun.value.url, checkoutFields(testCard));
  await harness.reconcile();
}

async function visitPortal(harness: BillingHarness): Promise<string> {
  const opened = await openPortal(harness.app, harness.accountId, pages.plan);
  if (!opened.ok) throw new Error(opened.refusal.reason);
  return opened.value.url;
}

/** The cards that were charged, oldest first. */
async function charged(harness: BillingHarness): Promise<unknown[]> {
  const { data } = await harness.stripe.charges.list({ customer: await harness.customerId() });
  return data.map((charge) => charge.payment_method_details?.card?.last4).toReversed();
}

/**
 * The first plan was bought with the Visa, and its portal was opened: the customer's default is that card. Then it
 * was refunded.
 */
async function secondPurchase(harness: BillingHarness): Promise<void> {
  await buyWith(harness, visa);
  await visitPortal(harness);
  const [order] = (await harness.rows()).orders;
  await harness.control("refund", { order: order?.["id"] });
  await harness.reconcile();
  await buyWith(harness, mastercard);
}

test("the portal is opened with the configuration that was created for this site, since the account has no default", async () => {
  const harness = await openBillingHarness();
  await buyWith(harness, visa);
  const { configurations } = harness.stripe.billingPortal;
  const mine = (await configurations.list()).data;
  expect(mine).toMatchObject([{ is_default: false, metadata: { foyer_origin: harness.app.origin } }]);
  await configurations.create({
    features: { payment_method_update: { enabled: false } },
    metadata: { foyer_origin: "https://elsewhere.example" },
  });
  expect(await (await fetch(await visitPortal(harness))).text()).toContain("Add a card");
});

test("opening and closing the portal without a change after a second purchase leaves the renewal on the newest card", async () => {
  const harness = await openBillingHarness();
  await secondPurchase(harness);
  await Promise.all([visitPortal(harness), visitPortal(harness)]);
  await visitPortal(harness);
  await harness.reconcile();
  const { subscriptions } = await harness.rows();
  expect(subscriptions.filter(({ state }) => state === "active")).toMatchObject([{ card_last4: "4444" }]);
  await harness.pass(31.5);
  expect(await charged(harness)).toEqual(["4242", "4444", "4444"]);
});

test("a card that is chosen in the portal after a second purchase is charged for the renewal", async () => {
  const harness = await openBillingHarness();
  await secondPurchase(harness);
  await harness.send(await visitPortal(harness), { testCard: "4000000000005126" });
  await visitPortal(harness);
  await harness.pass(31.5);
  expect(await charged(harness)).toEqual(["4242", "4444", "5126"]);
});

test("a removed card is no longer shown; the renewal stays open without a card, and the next card pays it", async () => {
  const harness = await openBillingHarness();
  await buyWith(harness, visa);
  const customer = await harness.customerId();
  const [card] = (await harness.stripe.paymentMethods.list({ customer })).data;
  await harness.stripe.paymentMethods.detach(card?.id ?? "");
  await harness.reconcile();
  expect((await harness.rows()).subscriptions).toMatchObject([{ state: "active", card_brand: null, card_last4: null }]);
  await harness.pass(31.5);
  await harness.reconcile();
  const renewal = async () => (await harness.rows()).orders.find(({ kind }) => kind === "renewal");
  expect(await renewal()).toMatchObject({ state: "pending" });
  expect(await charged(harness)).toEqual(["4242"]);
  await harness.send(await visitPortal(harness), { testCard: mastercard });
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "paid" });
  expect(await charged(harness)).toEqual(["4242", "4444"]);
});
