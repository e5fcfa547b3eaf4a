import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { buy, openCheckout, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const drive = (session: Stripe.Checkout.Session, outcome: string) =>
  local.control("checkout", { session: session.id, outcome });
const intentsOf = async (customer: Stripe.Customer) =>
  (await stripe.paymentIntents.list({ customer: customer.id })).data;

describe("a card in a wallet", () => {
  test("has its brand and last four digits, and a different fingerprint for each payment", async () => {
    const charges = [await buy(local, "apple_pay"), await buy(local, "apple_pay"), await buy(local, "google_pay")];
    const cards = charges.flatMap(({ charge }) => charge.payment_method_details?.card ?? []);
    expect(cards).toMatchObject([
      { brand: "visa", last4: "4242", wallet: { type: "apple_pay", apple_pay: {}, dynamic_last4: "9876" } },
      { brand: "visa", last4: "4242", wallet: { type: "apple_pay" } },
      { brand: "visa", last4: "4242", wallet: { type: "google_pay", google_pay: {} } },
    ]);
    expect(new Set(cards.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });
});

describe("a checkout", () => {
  test("that is paid creates subscription, invoice, payment and card, with the given metadata", async () => {
    const { customer, price, session } = await openCheckout(stripe);
    const answer = await drive(session, "paid");
    expect(answer).toMatchObject({
      session: { status: "complete", payment_status: "paid" },
      redirect: `http://localhost:8787/payment/success?session=${session.id}`,
    });

    const done = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ["subscription.default_payment_method", "invoice", "line_items"],
    });
    expect(done).toMatchObject({
      url: null,
      amount_total: 600,
      client_reference_id: "ord_1",
      metadata: { order: "ord_1" },
      line_items: { data: [{ price: { id: price.id }, amount_total: 600 }] },
      subscription: {
        status: "active",
        metadata: { order: "ord_1", plan: "small" },
        default_payment_method: { card: { brand: "visa", last4: "4242" } },
      },
      invoice: {
        status: "paid",
        amount_paid: 600,
        total: 600,
        total_taxes: [],
        billing_reason: "subscription_create",
        parent: { subscription_details: { metadata: { order: "ord_1", plan: "small" } } },
        lines: { data: [{ amount: 600, pricing: { price_details: { price: price.id } } }] },
      },
    });
    const { data: invoices } = await stripe.invoices.list({ customer: customer.id, expand: ["data.payments"] });
    const invoice = await stripe.invoices.retrieve(String(invoices[0]?.id), {
      expand: ["payments.data.payment.payment_intent"],
    });
    expect(invoice.payments?.data).toMatchObject([
      { status: "paid", payment: { payment_intent: { status: "succeeded", amount_received: 600 } } },
    ]);
    const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
    expect(charge).toMatchObject({ status: "succeeded", amount: 600 });
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1);
    const { data } = await stripe.subscriptions.list({
      customer: customer.id,
      status: "all",
      price: price.id,
      expand: ["data.default_payment_method", "data.latest_invoice.payments"],
    });
    expect(data).toMatchObject([{ latest_invoice: { status: "paid", payments: { data: [{ status: "paid" }] } } }]);
  });

  test("with a declined card stays open, the payment intent has the reason, and the next card pays the same intent", async () => {
    const { customer, session } = await openCheckout(stripe);
    const answer = await drive(session, "declined");
    expect(answer).toMatchObject({ session: { status: "open", payment_status: "unpaid" }, redirect: null });
    expect(answer.events.map(({ type }) => type)).toEqual([
      "payment_intent.created",
      "charge.failed",
      "payment_intent.payment_failed",
    ]);
    const [failed] = await intentsOf(customer);
    expect(failed).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined", decline_code: "generic_decline" },
    });
    expect((await stripe.subscriptions.list({ customer: customer.id, status: "all" })).data).toEqual([]);
    await drive(session, "paid");
    expect(await intentsOf(customer)).toMatchObject([
      { id: failed?.id, status: "succeeded", last_payment_error: null },
    ]);
  });

  test("that needs an action waits for the cardholder, then the payment succeeds", async () => {
    const { customer, session } = await openCheckout(stripe);
    expect(await drive(session, "action")).toMatchObject({ session: { status: "open" } });
    expect(await intentsOf(customer)).toMatchObject([
      { status: "requires_action", next_action: { redirect_to_url: { url: `${session.url}/confirm` } } },
    ]);
    expect(await drive(session, "paid")).toMatchObject({ session: { status: "complete", payment_status: "paid" } });
  });

  test("that is processing is complete but unpaid, with an open invoice, until the debit succeeds", async () => {
    const { customer, session } = await openCheckout(stripe);
    const answer = await drive(session, "processing");
    expect(answer).toMatchObject({ session: { status: "complete", payment_status: "unpaid" } });
    expect(answer.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["payment_intent.processing", "checkout.session.completed"]),
    );
    const waiting = await stripe.checkout.sessions.retrieve(session.id, { expand: ["invoice", "subscription"] });
    expect(waiting).toMatchObject({ invoice: { status: "open", amount_paid: 0 }, subscription: { status: "active" } });
    const later = await local.control("clock", { advanceDays: 6 });
    expect(later.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["charge.succeeded", "invoice.paid", "checkout.session.async_payment_succeeded"]),
    );
    expect(await intentsOf(customer)).toMatchObject([{ status: "succeeded" }]);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: "paid" });
  });

  test("whose debit fails leaves the invoice open and the subscription past due", async () => {
    const { customer, session } = await openCheckout(stripe);
    await drive(session, "processing");
    const answer = await drive(session, "declined");
    expect(answer.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["charge.failed", "invoice.payment_failed", "checkout.session.async_payment_failed"]),
    );
    expect(
      (await stripe.subscriptions.list({ customer: customer.id, expand: ["data.latest_invoice"] })).data,
    ).toMatchObject([{ status: "past_due", latest_invoice: { status: "open", attempt_count: 1 } }]);
  });

  test("that is cancelled has no effect, and links back to the cancel address", async () => {
    const { session } = await openCheckout(stripe);
    expect(await drive(session, "cancelled")).toEqual({
      events: [],
      session: { id: session.id, status: "open", payment_status: "unpaid" },
      redirect: session.cancel_url,
    });
  });

  test("can be expired by control call and by API, once", async () => {
    const { session } = await openCheckout(stripe);
    expect((await drive(session, "expired")).events).toMatchObject([{ type: "checkout.session.expired" }]);
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
    const other = await openCheckout(stripe);
    expect(await stripe.checkout.sessions.expire(other.session.id)).toMatchObject({ status: "expired", url: null });
    await expect(drive(other.session, "paid")).rejects.toThrow("400");
  });
});

describe("amounts at checkout", () => {
  test("a coupon is deducted once, and credit is deducted from the invoice", async () => {
    const coupon = await stripe.coupons.create({ amount_off: 200, currency: "eur", duration: "once" });
    const { customer, session } = await openCheckout(stripe, { discounts: [{ coupon: coupon.id }] });
    await stripe.customers.createBalanceTransaction(customer.id, { amount: -150, currency: "eur" });
    await drive(session, "paid");
    const { data } = await stripe.invoices.list({ customer: customer.id });
    expect(data).toMatchObject([
      {
        subtotal: 600,
        total: 400,
        amount_due: 250,
        amount_paid: 250,
        starting_balance: -150,
        ending_balance: 0,
        total_discount_amounts: [{ amount: 200 }],
      },
    ]);
    expect(await intentsOf(customer)).toMatchObject([{ amount: 250 }]);
    await local.control("clock", { advanceDays: 32 });
    expect((await stripe.invoices.list({ customer: customer.id, limit: 1 })).data).toMatchObject([
      { billing_reason: "subscription_cycle", total: 600, amount_paid: 600 },
    ]);
  });

  test("a full discount needs no payment", async () => {
    const coupon = await stripe.coupons.create({ amount_off: 900, currency: "eur", duration: "once" });
    const { customer, session } = await openCheckout(stripe, { discounts: [{ coupon: coupon.id }] });
    expect(await drive(session, "paid")).toMatchObject({ session: { payment_status: "no_payment_required" } });
    expect(await intentsOf(customer)).toEqual([]);
  });

  test("automatic tax is part of the price", async () => {
    const { customer, session } = await openCheckout(stripe, {
      automatic_tax: { enabled: true },
      customer_update: { address: "auto" },
    });
    await drive(session, "paid");
    expect((await stripe.invoices.list({ customer: customer.id })).data).toMatchObject([
      { total: 600, total_excluding_tax: 500, total_taxes: [{ amount: 100, tax_behavior: "inclusive" }] },
    ]);
  });
});
