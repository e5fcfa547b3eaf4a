import { beforeAll, expect, test } from "vitest";
import { openCheckout, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;
let customer = "";
let price = "";

beforeAll(async () => {
  const opened = await openCheckout(stripe);
  price = opened.price.id;
  customer = (await stripe.customers.create({ email: "not-emulated@example.com" })).id;
  await stripe.paymentMethods.attach("pm_card_visa", { customer });
});

/** Everything that a call could have written if it had been accepted. */
async function written() {
  const [invoices, items, subscriptions, balance] = await Promise.all([
    stripe.invoices.list({ customer }),
    stripe.invoiceItems.list({ customer }),
    stripe.subscriptions.list({ customer, status: "all" }),
    stripe.customers.listBalanceTransactions(customer),
  ]);
  return [invoices, items, subscriptions, balance].map(({ data }) => data.length);
}

test.each<[string, () => Promise<unknown>]>([
  ["invoice items", () => stripe.invoiceItems.create({ customer, amount: 100, currency: "eur" })],
  ["invoice items", () => stripe.invoiceItems.update("ii_1", { amount: 200 })],
  ["invoice items", () => stripe.invoiceItems.del("ii_1")],
  ["invoices of one's own", () => stripe.invoices.create({ customer, collection_method: "send_invoice" })],
  ["invoices of one's own", () => stripe.invoices.sendInvoice("in_1")],
  ["quotes", () => stripe.quotes.create({ customer })],
])("%s aren't emulated: the call is an unknown path, in Stripe's error format, and writes nothing", async (_, call) => {
  const before = await written();
  const refused = await refusal(call());
  expect(refused).toMatchObject({ statusCode: 404, type: "StripeInvalidRequestError" });
  expect(refused.message).toMatch(/^Unrecognized request URL \((GET|POST|DELETE): \/v1\//);
  expect(refused.requestId).toMatch(/^req_/);
  expect(await written()).toEqual(before);
});

test.each<[string, string, () => Promise<unknown>]>([
  [
    "a subscription whose invoices are sent",
    "collection_method",
    () =>
      stripe.subscriptions.create({
        customer,
        items: [{ price }],
        collection_method: "send_invoice",
        days_until_due: 14,
      }),
  ],
  [
    "a subscription with a promotion code that doesn't exist",
    "discounts[0][promotion_code]",
    () => stripe.subscriptions.create({ customer, items: [{ price }], discounts: [{ promotion_code: "promo_1" }] }),
  ],
  [
    "a subscription with invoice items",
    "add_invoice_items",
    () => stripe.subscriptions.create({ customer, items: [{ price }], add_invoice_items: [{ price }] }),
  ],
  [
    "a checkout with a promotion code that doesn't exist",
    "discounts[0][promotion_code]",
    () => openCheckout(stripe, { discounts: [{ promotion_code: "promo_1" }] }),
  ],
])("%s is refused for that parameter, and nothing is created", async (_, param, call) => {
  const before = await written();
  const refused = await refusal(call());
  expect(refused).toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError" });
  expect(refused.param).toBe(param);
  expect(await written()).toEqual(before);
});

test("a subscription that is charged automatically, and its schedule, can't be changed to sent invoices", async () => {
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: await card(),
  });
  const sent = { collection_method: "send_invoice" } as const;
  expect(await refusal(stripe.subscriptions.update(id, { ...sent, days_until_due: 14 }))).toMatchObject({
    statusCode: 400,
    param: "collection_method",
  });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const [phase] = schedule.phases;
  const phases = [{ items: [{ price }], start_date: phase?.start_date, end_date: phase?.end_date, ...sent }];
  expect(await refusal(stripe.subscriptionSchedules.update(schedule.id, { phases }))).toMatchObject({
    statusCode: 400,
    param: "phases[0][collection_method]",
  });
  expect(await refusal(stripe.subscriptionSchedules.update(schedule.id, { default_settings: sent }))).toMatchObject({
    statusCode: 400,
    param: "default_settings[collection_method]",
  });
  expect((await stripe.subscriptions.retrieve(id)).collection_method).toBe("charge_automatically");
});

async function card(): Promise<string> {
  const [method] = (await stripe.customers.listPaymentMethods(customer)).data;
  if (!method) throw new Error("No card");
  return method.id;
}
