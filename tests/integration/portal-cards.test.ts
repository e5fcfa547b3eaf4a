import { expect, test } from "vitest";
import { openPortal } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { pages } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";
import { checkoutFields } from "#tests/support/checkout-fields.ts";

const visa = "4242424242424242";
const mastercard = "5555555555554444";

async function buyWith(till: Till, testCard: string): Promise<void> {
  const begun = await till.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await till.send(begun.value.url, checkoutFields(testCard));
  await till.settle();
}

async function visitPortal(till: Till): Promise<string> {
  const opened = await openPortal(till.app, till.accountId, pages.plan);
  if (!opened.ok) throw new Error(opened.refusal.reason);
  return opened.value.url;
}

/** The cards that were charged, oldest first. */
async function charged(till: Till): Promise<unknown[]> {
  const { data } = await till.stripe.charges.list({ customer: await till.customerId() });
  return data.map((charge) => charge.payment_method_details?.card?.last4).toReversed();
}

/** The first plan was bought with the Visa, and its portal opened: the customer's default is that card. Then it was refunded. */
async function secondPurchase(till: Till): Promise<void> {
  await buyWith(till, visa);
  await visitPortal(till);
  const [order] = (await till.rows()).orders;
  await till.control("refund", { order: order?.["id"] });
  await till.settle();
  await buyWith(till, mastercard);
}

test("the portal is opened with the configuration that was made for this site, since none is the account's default", async () => {
  const till = await openTill();
  await buyWith(till, visa);
  const { configurations } = till.stripe.billingPortal;
  const mine = (await configurations.list()).data;
  expect(mine).toMatchObject([{ is_default: false, metadata: { foyer_origin: till.app.origin } }]);
  await configurations.create({
    features: { payment_method_update: { enabled: false } },
    metadata: { foyer_origin: "https://elsewhere.example" },
  });
  expect(await (await fetch(await visitPortal(till))).text()).toContain("Add a card");
});

test("the portal, opened and closed without a change after a second purchase, leaves the renewal to the newest card", async () => {
  const till = await openTill();
  await secondPurchase(till);
  await Promise.all([visitPortal(till), visitPortal(till)]);
  await visitPortal(till);
  await till.settle();
  const { subscriptions } = await till.rows();
  expect(subscriptions.filter(({ state }) => state === "active")).toMatchObject([{ card_last4: "4444" }]);
  await till.pass(31.5);
  expect(await charged(till)).toEqual(["4242", "4444", "4444"]);
});

test("a card that is chosen in the portal after a second purchase is charged for the renewal", async () => {
  const till = await openTill();
  await secondPurchase(till);
  await till.send(await visitPortal(till), { testCard: "4000000000005126" });
  await visitPortal(till);
  await till.pass(31.5);
  expect(await charged(till)).toEqual(["4242", "4444", "5126"]);
});

test("a card that is removed is shown no longer; the renewal stays open without one, and the next card pays it", async () => {
  const till = await openTill();
  await buyWith(till, visa);
  const customer = await till.customerId();
  const [card] = (await till.stripe.paymentMethods.list({ customer })).data;
  await till.stripe.paymentMethods.detach(card?.id ?? "");
  await till.settle();
  expect((await till.rows()).subscriptions).toMatchObject([{ state: "active", card_brand: null, card_last4: null }]);
  await till.pass(31.5);
  await till.settle();
  const renewal = async () => (await till.rows()).orders.find(({ kind }) => kind === "renewal");
  expect(await renewal()).toMatchObject({ state: "pending" });
  expect(await charged(till)).toEqual(["4242"]);
  await till.send(await visitPortal(till), { testCard: mastercard });
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "paid" });
  expect(await charged(till)).toEqual(["4242", "4444"]);
});
