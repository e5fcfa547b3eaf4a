import { expect, test } from "vitest";
import { faultOf } from "./check-answers.ts";

const list = (...names: string[]) => ({ object: "list", data: names.map((object) => ({ object })) });

test.each([
  ["GET", "/v1/subscriptions", list("subscription", "subscription")],
  ["GET", "/v1/invoices", list()],
  ["GET", "/v1/customers/cus_1", { object: "customer", deleted: true }],
  ["DELETE", "/v1/subscriptions/sub_1", { object: "subscription" }],
  ["POST", "/v1/invoices/create_preview", { object: "invoice" }],
  ["POST", "/v1/invoices/in_1/pay", { object: "invoice" }],
  ["POST", "/v1/checkout/sessions/cs_1/expire", { object: "checkout.session" }],
  ["GET", "/v1/customers/cus_1/balance_transactions", list("customer_balance_transaction")],
  ["POST", "/v1/billing_portal/sessions", { object: "billing_portal.session" }],
  ["GET", "/v1/something/new", {}],
])("what was asked for is an answer: %s %s", (method, path, answer) => {
  expect(faultOf(method, path, answer)).toBeNull();
});

test.each([
  ["GET", "/v1/subscriptions", {}],
  ["GET", "/v1/subscriptions", { object: "list" }],
  ["GET", "/v1/subscriptions", list("subscription", "invoice")],
  ["GET", "/v1/subscriptions/sub_1", list("subscription")],
  ["GET", "/v1/customers/cus_1", {}],
  ["GET", "/v1/customers/cus_1", null],
  ["POST", "/v1/invoices/create_preview", { object: "subscription" }],
  ["POST", "/v1/invoices/in_1/pay", []],
  ["DELETE", "/v1/subscriptions/sub_1", {}],
  ["POST", "/v1/customers/cus_1/balance_transactions", { object: "customer" }],
  ["POST", "/v1/billing_portal/sessions", {}],
])("anything else isn't: %s %s", (method, path, answer) => {
  expect(faultOf(method, path, answer)).not.toBeNull();
});
