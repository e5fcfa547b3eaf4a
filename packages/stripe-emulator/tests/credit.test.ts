import type Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCheckout, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

/** A bought plan with the requested number of renewals; its invoices, oldest first. */
async function invoicesAfter(customer: string, session: Stripe.Checkout.Session, renewals: number) {
  await local.control("checkout", { session: session.id, outcome: "paid" });
  for (let count = 0; count < renewals; count += 1) await local.control("clock", { advanceDays: 32 });
  return (await stripe.invoices.list({ customer })).data.toReversed();
}
const amountsOf = (invoices: Stripe.Invoice[]) =>
  invoices.map(({ amount_due, starting_balance, ending_balance }) => [amount_due, starting_balance, ending_balance]);

test("credit pays invoice after invoice until it is used up, and each use is a line that names its invoice", async () => {
  const { customer, session } = await openCheckout(stripe);
  const grant = () =>
    stripe.customers.createBalanceTransaction(
      customer.id,
      { amount: -1_000, currency: "eur", description: "A friend paid", metadata: { line: "led_1" } },
      { idempotencyKey: `credit-${customer.id}` },
    );
  const [given, again] = [await grant(), await grant()];
  expect(again.id).toBe(given.id);
  expect(given).toMatchObject({
    amount: -1_000,
    ending_balance: -1_000,
    type: "adjustment",
    metadata: { line: "led_1" },
  });

  const invoices = await invoicesAfter(customer.id, session, 2);
  expect(amountsOf(invoices)).toEqual([
    [0, -1_000, -400],
    [200, -400, 0],
    [600, 0, 0],
  ]);
  expect(invoices.map(({ status, total, amount_paid }) => [status, total, amount_paid])).toEqual([
    ["paid", 600, 0],
    ["paid", 600, 200],
    ["paid", 600, 600],
  ]);
  const { data: lines } = await stripe.customers.listBalanceTransactions(customer.id);
  expect(lines.map(({ amount, type, invoice, ending_balance }) => [amount, type, invoice, ending_balance])).toEqual([
    [400, "applied_to_invoice", invoices[1]?.id, 0],
    [600, "applied_to_invoice", invoices[0]?.id, -400],
    [-1_000, "adjustment", null, -1_000],
  ]);
  expect(await stripe.customers.retrieveBalanceTransaction(customer.id, given.id)).toMatchObject({ id: given.id });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: 0 });
});

describe("credit that is booked with the checkout session, as Stripe also documents,", () => {
  beforeEach(() => local.control("disorder", { creditAtCheckout: "session" }));
  afterEach(() => local.control("disorder", {}));

  async function openWithCredit() {
    const opened = await openCheckout(stripe);
    await stripe.customers.createBalanceTransaction(opened.customer.id, { amount: -200, currency: "eur" });
    return opened;
  }
  const transactionsOf = async (customer: string) =>
    (await stripe.customers.listBalanceTransactions(customer)).data.map((move) => [
      move.type,
      move.amount,
      move.checkout_session,
      move.invoice,
    ]);

  test("is used before there is an invoice, whose own balances don't include it", async () => {
    const { customer, session } = await openWithCredit();
    const [invoice] = await invoicesAfter(customer.id, session, 0);
    expect(invoice).toMatchObject({ total: 600, amount_due: 400, amount_paid: 400 });
    expect([invoice?.starting_balance, invoice?.ending_balance]).toEqual([0, 0]);
    expect(await transactionsOf(customer.id)).toEqual([
      ["checkout_session_subscription_payment", 200, session.id, null],
      ["adjustment", -200, null, null],
    ]);
    const [expanded] = (
      await stripe.customers.listBalanceTransactions(customer.id, { expand: ["data.checkout_session"] })
    ).data;
    expect(expanded?.checkout_session).toMatchObject({ id: session.id, invoice: invoice?.id });
  });

  test("is used once, by the first attempt, and returned when the session expires", async () => {
    const { customer, session } = await openWithCredit();
    for (const outcome of ["declined", "declined", "expired"]) {
      await local.control("checkout", { session: session.id, outcome });
    }
    expect(await transactionsOf(customer.id)).toEqual([
      ["checkout_session_subscription_payment_canceled", -200, session.id, null],
      ["checkout_session_subscription_payment", 200, session.id, null],
      ["adjustment", -200, null, null],
    ]);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -200 });
  });
});

test("credit stays in its currency", async () => {
  const { customer } = await openCheckout(stripe);
  await stripe.customers.createBalanceTransaction(customer.id, { amount: -100, currency: "eur" });
  expect(
    await refusal(stripe.customers.createBalanceTransaction(customer.id, { amount: -100, currency: "usd" })),
  ).toMatchObject({ statusCode: 400, param: "currency" });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -100, currency: "eur" });
});

test.each([
  ["once", [450, 600], 0],
  ["forever", [450, 450], 1],
] as const)(
  "a coupon that counts %s is deducted that often, and stays on the subscription as long",
  async (duration, due, left) => {
    const coupon = await stripe.coupons.create({ amount_off: 150, currency: "eur", duration });
    const { customer, session } = await openCheckout(stripe, { discounts: [{ coupon: coupon.id }] });
    expect(session).toMatchObject({
      amount_subtotal: 600,
      amount_total: 450,
      total_details: { amount_discount: 150 },
      discounts: [{ coupon: coupon.id, promotion_code: null }],
    });
    const invoices = await invoicesAfter(customer.id, session, 1);
    expect(invoices.map(({ amount_due }) => amount_due)).toEqual(due);
    const { data } = await stripe.subscriptions.list({ customer: customer.id, expand: ["data.discounts"] });
    expect(data[0]?.discounts).toHaveLength(left);
    expect(data[0]?.discounts ?? []).toEqual(
      Array.from({ length: left }, () =>
        expect.objectContaining({ object: "discount", source: { coupon: coupon.id, type: "coupon" }, end: null }),
      ),
    );
    expect(await stripe.coupons.retrieve(coupon.id)).toMatchObject({ times_redeemed: 1, valid: true });
  },
);

test.each([
  ["redeemed as often as it may be", { max_redemptions: 1 }, "coupon_expired"],
  ["past its time", { redeem_by: 1 }, "coupon_expired"],
  ["in another currency", { currency: "usd" }, undefined],
])("a coupon that is %s is refused at checkout", async (_, extra, code) => {
  const input = { amount_off: 100, currency: "eur", duration: "once" as const, ...extra };
  const { id: coupon } = await stripe.coupons.create(input);
  if ("max_redemptions" in extra) {
    const { session } = await openCheckout(stripe, { discounts: [{ coupon }] });
    await local.control("checkout", { session: session.id, outcome: "paid" });
  }
  const error = await refusal(openCheckout(stripe, { discounts: [{ coupon }] }));
  expect([error.statusCode, error.code, error.param]).toEqual([400, code, "discounts[0][coupon]"]);
});
