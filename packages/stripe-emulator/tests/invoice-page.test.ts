import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { buy, openCheckout, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const newest = async (customer: string): Promise<Stripe.Invoice> => {
  const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data;
  if (invoice === undefined) throw new Error("There is no invoice.");
  return invoice;
};
const look = async (invoice: Stripe.Invoice, step = "") => (await fetch(invoice.hosted_invoice_url + step)).text();
const press = async (invoice: Stripe.Invoice, fields: Record<string, string>, step = ""): Promise<string> => {
  const page = String(invoice.hosted_invoice_url);
  const answer = await fetch(page + step, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
  return answer.headers.get("location")?.replace(page, "") ?? `${answer.status} ${await answer.text()}`;
};
const typesSince = async (event: string): Promise<string[]> =>
  (await stripe.events.list({ ending_before: event, limit: 100 })).data.map(({ type }) => type).toReversed();

/** A renewal that the saved card refuses: the invoice is open, the plan past due. */
async function owe() {
  const { customer } = await buy(local, "4000000000000341");
  await local.control("clock", { advanceDays: 32 });
  const [last] = (await stripe.events.list({ limit: 1 })).data;
  return {
    customer,
    due: await newest(customer.id),
    events: () => typesSince(String(last?.id)),
    findSubscription: async () => (await stripe.subscriptions.list({ customer: customer.id })).data[0],
  };
}

describe("a paid invoice", () => {
  test("is a receipt with buyer, items, payment and refunds, printable, and available as PDF", async () => {
    const { session, customer } = await openCheckout(stripe, {
      billing_address_collection: "required",
      tax_id_collection: { enabled: true },
      automatic_tax: { enabled: true },
      customer_update: { address: "auto", name: "auto" },
    });
    await stripe.customers.createBalanceTransaction(customer.id, { amount: -150, currency: "eur" });
    await fetch(String(session.url), {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({
        name: "Zoë & Söhne",
        line1: "1 Main St",
        postal_code: "10115",
        city: "Berlin",
        country: "DE",
        tax_id: "DE123456789",
        testCard: "4242424242424242",
      }),
    });
    const invoice = await newest(customer.id);
    expect(invoice).toMatchObject({ status: "paid", amount_paid: 450 });
    await stripe.refunds.create({
      payment_intent: String((await stripe.paymentIntents.list({ customer: customer.id })).data[0]?.id),
      amount: 100,
    });
    const page = await look(invoice);
    for (const line of [
      `Receipt ${invoice.number}`,
      "Zoë &amp; Söhne",
      "10115 Berlin",
      "VAT id DE123456789",
      "1 × Small",
      "€6.00",
      "€1.00",
      "From your credit",
      "-€1.50",
      "€4.50",
      "Refunded",
      "-€1.00",
    ])
      expect(page).toContain(line);
    expect(page).not.toMatch(/<script|Pay by card/);

    const pdf = await fetch(String(invoice.invoice_pdf));
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    const file = await pdf.text();
    expect(file).toMatch(/^%PDF-1\.4[^]*startxref\n\d+\n%%EOF\n$/);
    // Zoë & Söhne and € in the fonts' own encoding.
    for (const line of [`(Receipt ${invoice.number})`, "(Zo\\353 & S\\366hne)", "(\\2006.00)", "(DE)"])
      expect(file).toContain(line);
    const [, table] = /startxref\n(\d+)/.exec(file) ?? [];
    expect(file.slice(Number(table), Number(table) + 4)).toBe("xref");
    for (const [, offset] of file.matchAll(/^(\d{10}) 00000 n $/gm))
      expect(file.slice(Number(offset))).toMatch(/^\d+ 0 obj\n/);
  });

  test("can't be paid again, and a draft or a missing invoice has no page", async () => {
    const { customer } = await buy(local);
    expect(await press(await newest(customer.id), { testCard: "4242424242424242" })).toMatch(/^400/);
    expect((await fetch(`${local.origin}/invoices/in_none`)).status).toBe(404);
  });
});

describe("an open invoice", () => {
  test("can be paid by anyone with a card; the plan runs again, and keeps its own card", async () => {
    const { customer, due, events, findSubscription } = await owe();
    expect(await findSubscription()).toMatchObject({ status: "past_due" });
    expect(await look(due)).toContain("Pay €6.00");
    expect(await press(due, { number: "5555 5555 5555 4444", expiry: "12 / 34" })).toBe("");
    expect(await look(due)).toContain("Paid on");
    expect(await newest(customer.id)).toMatchObject({ status: "paid", attempt_count: due.attempt_count });
    const [paying, own] = (await stripe.paymentMethods.list({ customer: customer.id })).data;
    expect(paying).toMatchObject({ card: { last4: "4444" } });
    expect(await findSubscription()).toMatchObject({ status: "active", default_payment_method: own?.id });
    expect(await events()).toEqual(
      expect.arrayContaining(["charge.succeeded", "payment_intent.succeeded", "invoice.paid"]),
    );
  });

  test("shows why a card was declined and accepts another, without changing the retry schedule", async () => {
    const { customer, due, events } = await owe();
    expect(await press(due, { testCard: "4000000000000002" })).toBe("");
    expect(await look(due)).toContain("Your card was declined.");
    expect(await newest(customer.id)).toMatchObject({
      status: "open",
      attempt_count: due.attempt_count,
      next_payment_attempt: due.next_payment_attempt,
    });
    expect(await events()).toEqual([
      "charge.failed",
      "payment_intent.payment_failed",
      "invoice.updated",
      "invoice.payment_failed",
    ]);
    await press(due, { testCard: "4242424242424242" });
    expect(await newest(customer.id)).toMatchObject({ status: "paid" });
  });

  test("asks the cardholder, who may refuse, and is paid only after a confirmation", async () => {
    const { customer, due, events } = await owe();
    expect(await press(due, { testCard: "4000002500003155" })).toBe("/confirm");
    expect(await look(due)).toContain("Your bank waits for your confirmation");
    expect(await events()).toEqual(["payment_intent.requires_action", "invoice.payment_action_required"]);
    await press(due, { answer: "fail" }, "/confirm");
    expect(await look(due)).toContain("We are unable to authenticate your payment method");
    expect(await newest(customer.id)).toMatchObject({ status: "open" });
    await press(due, { testCard: "4000002500003155" });
    expect(await look(due, "/confirm")).toContain("3-D Secure");
    await press(due, { answer: "complete" }, "/confirm");
    expect(await newest(customer.id)).toMatchObject({ status: "paid" });
  });

  test.each([
    [{ number: "1234" }, "number"],
    [{ number: "4242424242424242", expiry: "01 / 20" }, "expiry"],
  ])("refuses an invalid card: %j", async (fields, problem) => {
    const { customer, due } = await owe();
    expect(await press(due, fields)).toBe(`?problem=${problem}`);
    expect(await newest(customer.id)).toMatchObject({ status: "open" });
  });
});
