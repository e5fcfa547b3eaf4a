import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { refusal, setUpStripeEmulator } from "./driver.ts";
import { latestOf, newCustomer, newPrice, subscribe } from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

/** A paid invoice of 6.00 €, or one that nobody has paid. */
async function newInvoice(
  state: "paid" | "open",
  extra: Stripe.SubscriptionCreateParams = {},
): Promise<{ customer: Stripe.Customer; invoice: Stripe.Invoice }> {
  const customer = await newCustomer(stripe);
  const subscription = await subscribe(stripe, customer, await newPrice(stripe, "Small"), {
    ...(state === "open" && { payment_behavior: "default_incomplete" }),
    ...extra,
  });
  return { customer, invoice: await latestOf(stripe, subscription) };
}

const again = ({ id }: Stripe.Invoice) => stripe.invoices.retrieve(id);

describe("a credit note on a paid invoice", () => {
  test("refunds a part of the payment, with its lines and its part of the tax, and counts on the invoice", async () => {
    const { customer, invoice } = await newInvoice("paid", { automatic_tax: { enabled: true } });
    const input = { invoice: invoice.id, amount: 240, refund_amount: 240 } as const;
    const preview = await stripe.creditNotes.preview(input);
    expect((await stripe.creditNotes.list({ invoice: invoice.id })).data).toEqual([]);
    const note = await stripe.creditNotes.create({
      ...input,
      reason: "order_change",
      memo: "As agreed",
      metadata: { by: "team" },
    });
    expect(note).toMatchObject({
      object: "credit_note",
      amount: 240,
      currency: "eur",
      customer: customer.id,
      customer_balance_transaction: null,
      invoice: invoice.id,
      lines: {
        data: [
          {
            amount: 240,
            invoice_line_item: invoice.lines.data[0]?.id,
            taxes: [{ amount: 40, taxability_reason: "standard_rated" }],
            type: "invoice_line_item",
          },
        ],
      },
      memo: "As agreed",
      metadata: { by: "team" },
      number: `${invoice.number}-CN-01`,
      out_of_band_amount: null,
      post_payment_amount: 240,
      pre_payment_amount: 0,
      reason: "order_change",
      status: "issued",
      subtotal: 240,
      total: 240,
      total_excluding_tax: 200,
      total_taxes: [{ amount: 40 }],
      type: "post_payment",
    });
    expect([preview.amount, preview.total_excluding_tax, preview.number]).toEqual([240, 200, note.number]);
    const [{ refund, amount_refunded } = { refund: "", amount_refunded: 0 }] = note.refunds;
    expect(amount_refunded).toBe(240);
    expect(await stripe.refunds.retrieve(String(refund))).toMatchObject({ amount: 240, status: "succeeded" });
    expect(await again(invoice)).toMatchObject({
      amount_paid: 600,
      post_payment_credit_notes_amount: 240,
      pre_payment_credit_notes_amount: 0,
      status: "paid",
      total: 600,
    });
    expect(await stripe.creditNotes.retrieve(note.id)).toMatchObject({ id: note.id });
    expect((await stripe.creditNotes.listLineItems(note.id)).data).toMatchObject([{ amount: 240 }]);
    expect(await stripe.creditNotes.update(note.id, { memo: "Sorry" })).toMatchObject({ memo: "Sorry" });
    const { data } = await stripe.events.list({ types: ["credit_note.created", "credit_note.updated"] });
    expect(data.map(({ type }) => type)).toEqual(["credit_note.updated", "credit_note.created"]);
  });

  test("credits the customer's balance, which the next invoice uses", async () => {
    const { customer, invoice } = await newInvoice("paid");
    const note = await stripe.creditNotes.create({ invoice: invoice.id, amount: 200, credit_amount: 200 });
    const [entry] = (await stripe.customers.listBalanceTransactions(customer.id)).data;
    expect(entry).toMatchObject({ amount: -200, credit_note: note.id, invoice: invoice.id, type: "credit_note" });
    expect(note.customer_balance_transaction).toBe(entry?.id);
    await local.control("clock", { advanceDays: 32 });
    const [renewal] = (await stripe.invoices.list({ customer: customer.id })).data;
    expect(renewal).toMatchObject({ amount_due: 400, starting_balance: -200 });
  });

  test("may give back outside of Stripe, and by a refund that was made before, once", async () => {
    const { customer, invoice } = await newInvoice("paid");
    const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
    const refund = await stripe.refunds.create({ charge: charge?.id ?? "", amount: 100 });
    const note = await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 250,
      out_of_band_amount: 150,
      refunds: [{ refund: refund.id }],
    });
    expect(note).toMatchObject({
      out_of_band_amount: 150,
      post_payment_amount: 250,
      refunds: [{ refund: refund.id, amount_refunded: 100, type: "refund" }],
    });
    const twice = stripe.creditNotes.create({ invoice: invoice.id, amount: 100, refunds: [{ refund: refund.id }] });
    expect(await refusal(twice)).toMatchObject({ param: "refunds[0][refund]" });
    await local.control("clock", { advanceDays: 32 });
    const [renewal] = (await stripe.invoices.list({ customer: customer.id })).data;
    const again = await stripe.refunds.create({ charge: charge?.id ?? "", amount: 100 });
    const other = stripe.creditNotes.create({
      invoice: renewal?.id ?? "",
      amount: 100,
      refunds: [{ refund: again.id }],
    });
    expect(await refusal(other)).toMatchObject({ param: "refunds[0][refund]" });
  });

  test("names lines of the invoice and others of its own, at most what is left of each", async () => {
    const { invoice } = await newInvoice("paid");
    const line = invoice.lines.data[0]?.id ?? "";
    const named = (amount: number, credit_amount = amount) =>
      stripe.creditNotes.create({
        invoice: invoice.id,
        credit_amount,
        lines: [{ type: "invoice_line_item", invoice_line_item: line, amount }],
      });
    expect(await named(400)).toMatchObject({ amount: 400, lines: { data: [{ invoice_line_item: line }] } });
    expect(await refusal(named(201))).toMatchObject({ param: "lines[0][amount]" });
    const custom = await stripe.creditNotes.create({
      invoice: invoice.id,
      credit_amount: 100,
      lines: [{ type: "custom_line_item", description: "Goodwill", quantity: 2, unit_amount: 50 }],
    });
    expect(custom.lines.data).toMatchObject([{ amount: 100, description: "Goodwill", type: "custom_line_item" }]);
  });

  test("takes the discount of what it credits into account", async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50 });
    const { invoice } = await newInvoice("paid", { discounts: [{ coupon: coupon.id }] });
    const note = await stripe.creditNotes.create({ invoice: invoice.id, amount: 150, credit_amount: 150 });
    expect(note).toMatchObject({
      discount_amount: 150,
      discount_amounts: [{ amount: 150 }],
      subtotal: 300,
      total: 150,
      lines: { data: [{ amount: 300, discount_amount: 150 }] },
    });
  });

  test("never exceeds the invoice, together with those before it, and gives back all of its amount", async () => {
    const { customer, invoice } = await newInvoice("paid");
    await stripe.creditNotes.create({ invoice: invoice.id, amount: 500, credit_amount: 500 });
    const more = stripe.creditNotes.create({ invoice: invoice.id, amount: 101, credit_amount: 101 });
    expect(await refusal(more)).toMatchObject({ statusCode: 400, param: "amount" });
    const less = stripe.creditNotes.create({ invoice: invoice.id, amount: 100, credit_amount: 50 });
    expect((await refusal(less)).message).toBe(
      "The sum of credit amount, refund amount and out of band amount (€0.50) must equal the credit note amount (€1.00).",
    );
    expect((await stripe.creditNotes.list({ customer: customer.id })).data).toHaveLength(1);
    expect(await again(invoice)).toMatchObject({ post_payment_credit_notes_amount: 500 });
  });
});

describe("a credit note on an open invoice", () => {
  test("reduces what is due, which is then charged; void, it is due again", async () => {
    const { invoice } = await newInvoice("open");
    const first = await stripe.creditNotes.create({ invoice: invoice.id, amount: 200 });
    expect(first).toMatchObject({ pre_payment_amount: 200, post_payment_amount: 0, type: "pre_payment", refunds: [] });
    expect(await again(invoice)).toMatchObject({
      amount_due: 400,
      amount_remaining: 400,
      pre_payment_credit_notes_amount: 200,
      status: "open",
      total: 600,
    });
    expect(await stripe.creditNotes.voidCreditNote(first.id)).toMatchObject({
      status: "void",
      voided_at: expect.any(Number),
    });
    expect(await again(invoice)).toMatchObject({ amount_due: 600, pre_payment_credit_notes_amount: 0 });
    expect(await refusal(stripe.creditNotes.voidCreditNote(first.id))).toMatchObject({ statusCode: 400 });
    await stripe.creditNotes.create({ invoice: invoice.id, amount: 250 });
    expect(await stripe.invoices.pay(invoice.id)).toMatchObject({ amount_paid: 350, status: "paid" });
    const { data } = await stripe.events.list({ type: "credit_note.voided" });
    expect(data).toMatchObject([{ data: { object: { id: first.id } } }]);
  });

  test("of all that is due makes it a paid one", async () => {
    const { customer, invoice } = await newInvoice("open");
    const note = await stripe.creditNotes.create({ invoice: invoice.id, amount: 600 });
    expect(await again(invoice)).toMatchObject({ amount_due: 0, amount_paid: 0, amount_remaining: 0, status: "paid" });
    expect((await stripe.charges.list({ customer: customer.id })).data).toEqual([]);
    expect(await refusal(stripe.creditNotes.voidCreditNote(note.id))).toMatchObject({ statusCode: 400 });
  });

  test("beyond what is due gives back the credit that the invoice had used", async () => {
    const customer = await newCustomer(stripe);
    await stripe.customers.createBalanceTransaction(customer.id, { amount: -200, currency: "eur" });
    const subscription = await subscribe(stripe, customer, await newPrice(stripe, "Small"), {
      payment_behavior: "default_incomplete",
    });
    const invoice = await latestOf(stripe, subscription);
    expect(invoice.amount_due).toBe(400);
    const note = await stripe.creditNotes.create({ invoice: invoice.id, amount: 600, credit_amount: 200 });
    expect(note).toMatchObject({ pre_payment_amount: 400, post_payment_amount: 200, type: "mixed" });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -200 });
  });

  test("isn't possible for a void invoice, or for one that doesn't exist", async () => {
    const { invoice } = await newInvoice("open");
    await stripe.invoices.voidInvoice(invoice.id);
    for (const id of [invoice.id, "in_none"])
      expect(await refusal(stripe.creditNotes.create({ invoice: id, amount: 100 }))).toMatchObject({
        statusCode: 400,
        param: "invoice",
      });
  });
});
