import type Stripe from "stripe";
import { expect, test } from "vitest";
import { readInvoice } from "./invoices.ts";

/** The amounts of a first invoice over 6.00 that was paid with 2.00 of credit. */
function firstInvoice(amounts: object, paid: number[] = []): Stripe.Invoice {
  const invoice = {
    id: "in_1",
    status: "paid",
    billing_reason: "subscription_create",
    currency: "eur",
    total: 600,
    status_transitions: {},
    lines: { data: [] },
    pre_payment_credit_notes_amount: 0,
    payments: {
      has_more: false,
      data: paid.map((amount_paid) => ({ status: "paid", amount_paid, payment: { payment_intent: "pi_1" } })),
    },
    ...amounts,
  };
  // Only the fields that are read; Stripe's whole invoice has a hundred.
  return invoice as unknown as Stripe.Invoice;
}

const amountsOf = (invoice: Stripe.Invoice) => {
  const { amountMinor, creditMinor, carriedMinor } = readInvoice(invoice);
  return { amountMinor, creditMinor, carriedMinor };
};
const used = { amountMinor: 400, creditMinor: 200, carriedMinor: 0 };

test.each([
  ["with the invoice", { starting_balance: -200, ending_balance: 0, amount_due: 400 }],
  ["with the session, and what is due says so", { starting_balance: 0, ending_balance: 0, amount_due: 400 }],
  ["with the session, and only the payment says so", { starting_balance: 0, ending_balance: 0, amount_due: 600 }],
  ["with the session, of more credit than that", { starting_balance: -50, ending_balance: -50, amount_due: 400 }],
])("credit that a checkout used is recognised when Stripe books it %s", (_, amounts) => {
  expect(amountsOf(firstInvoice(amounts, [400]))).toEqual(used);
});

test("a payment without a breakdown counts as the amount due", () => {
  const due = { starting_balance: 0, ending_balance: 0, amount_due: 600 };
  const whole = { amountMinor: 600, creditMinor: 0, carriedMinor: 0 };
  expect(amountsOf(firstInvoice(due))).toEqual(whole);
  expect(amountsOf(firstInvoice({ ...due, status: "open" }, [100]))).toEqual(whole);
});

test("credit of a later invoice is computed from that invoice's balances, whatever other deductions it has", () => {
  const renewal = { billing_reason: "subscription_cycle", starting_balance: 0, ending_balance: 0, amount_due: 400 };
  expect(amountsOf(firstInvoice(renewal, [400]))).toEqual({ amountMinor: 400, creditMinor: 0, carriedMinor: 0 });
});

test("what a credit note of Stripe's took off before the payment is a discount, and lowers the taxes with the total", () => {
  const tax = (amount: number) => ({ amount, taxability_reason: "standard_rated", tax_rate_details: null });
  const lowered = {
    total: 600,
    pre_payment_credit_notes_amount: 200,
    amount_due: 400,
    starting_balance: 0,
    ending_balance: 0,
  };
  for (const billing_reason of ["subscription_cycle", "subscription_create"]) {
    const taxed = { billing_reason, total_taxes: [tax(96)], total_excluding_tax: 504 };
    expect(readInvoice(firstInvoice({ ...lowered, ...taxed }, [400]))).toMatchObject({
      amountMinor: 400,
      discountMinor: 200,
      creditMinor: 0,
      carriedMinor: 0,
      totalMinor: 400,
      taxMinor: 64,
      taxes: { netMinor: 336, parts: [{ amountMinor: 64 }] },
    });
  }
});
