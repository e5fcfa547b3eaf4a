import { expect, test } from "vitest";
import { faultOf } from "./check-answers.ts";

const list = (...data: object[]) => ({ object: "list", data });

const price = { id: "price_1", object: "price", currency: "eur", unit_amount: 600, metadata: {} };
const item = { id: "si_1", object: "subscription_item", price, discounts: [] };
const subscription = {
  id: "sub_1",
  object: "subscription",
  status: "active",
  currency: "eur",
  metadata: {},
  created: 1,
  start_date: 1,
  discounts: [],
  items: list(item),
};
const line = { object: "line_item", amount: 600, period: { start: 1, end: 2 } };
const invoice = {
  object: "invoice",
  currency: "eur",
  total: 600,
  amount_due: 600,
  starting_balance: 0,
  attempt_count: 0,
  created: 1,
  status_transitions: {},
  lines: list(line),
};
const checkout = { id: "cs_1", object: "checkout.session", created: 1, expires_at: 2 };
const transaction = {
  id: "cbtxn_1",
  object: "customer_balance_transaction",
  amount: 1,
  ending_balance: 1,
  currency: "eur",
  created: 1,
};

test.each([
  ["GET", "/v1/subscriptions", list(subscription, subscription)],
  ["GET", "/v1/invoices", list()],
  ["GET", "/v1/customers/cus_1", { id: "cus_1", object: "customer", deleted: true }],
  ["DELETE", "/v1/subscriptions/sub_1", subscription],
  ["POST", "/v1/invoices/create_preview", invoice],
  ["POST", "/v1/invoices/in_1/pay", invoice],
  ["POST", "/v1/checkout/sessions/cs_1/expire", checkout],
  ["GET", "/v1/customers/cus_1/balance_transactions", list(transaction)],
  ["POST", "/v1/billing_portal/sessions", { object: "billing_portal.session", url: "https://stripe.example" }],
  [
    "GET",
    "/v1/radar/early_fraud_warnings",
    list({ object: "radar.early_fraud_warning", fraud_type: "misc", created: 1 }),
  ],
  ["GET", "/v1/invoice_payments", list({ object: "invoice_payment" })],
  ["GET", "/v1/something/new", {}],
])("what was asked for is an answer: %s %s", (method, path, answer) => {
  expect(faultOf(method, path, answer)).toBeNull();
});

test.each([
  ["GET", "/v1/subscriptions", {}],
  ["GET", "/v1/subscriptions", { object: "list" }],
  ["GET", "/v1/subscriptions", list(subscription, invoice)],
  ["GET", "/v1/subscriptions/sub_1", list(subscription)],
  ["GET", "/v1/customers/cus_1", {}],
  ["GET", "/v1/customers/cus_1", null],
  ["POST", "/v1/invoices/create_preview", subscription],
  ["POST", "/v1/invoices/in_1/pay", []],
  ["DELETE", "/v1/subscriptions/sub_1", {}],
  ["POST", "/v1/customers/cus_1/balance_transactions", { object: "customer" }],
  ["POST", "/v1/billing_portal/sessions", {}],
  ["GET", "/v1/radar/early_fraud_warnings", {}],
  ["GET", "/v1/invoice_payments", {}],
])("anything else isn't: %s %s", (method, path, answer) => {
  expect(faultOf(method, path, answer)).not.toBeNull();
});

test.each<[string, string, object]>([
  ["a subscription without items", "/v1/subscriptions", list({ ...subscription, items: undefined })],
  [
    "a price without metadata",
    "/v1/subscriptions",
    list({ ...subscription, items: list({ ...item, price: { ...price, metadata: null } }) }),
  ],
  ["an invoice without lines", "/v1/invoices", list(invoice, { ...invoice, lines: { object: "list" } })],
  ["a line without an amount", "/v1/invoices", list({ ...invoice, lines: list({ ...line, amount: undefined }) })],
  ["an amount that isn't a number", "/v1/invoices/in_1", { ...invoice, total: "600" }],
  [
    "an expanded charge without an amount",
    "/v1/payment_intents/pi_1",
    { id: "pi_1", object: "payment_intent", status: "succeeded", created: 1, latest_charge: { object: "charge" } },
  ],
  ["a customer that isn't deleted and has nothing", "/v1/customers/cus_1", { id: "cus_1", object: "customer" }],
])("%s can't be read, so it isn't an answer", (_, path, answer) => {
  expect(faultOf("GET", path, answer)).not.toBeNull();
});

test("what an event contains isn't judged", () => {
  const event = { id: "evt_1", object: "event", type: "any", created: 1, data: { object: { object: "invoice" } } };
  expect(faultOf("GET", "/v1/events", list(event))).toBeNull();
});
