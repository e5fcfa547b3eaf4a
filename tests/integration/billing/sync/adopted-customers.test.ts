import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { adoptCustomer } from "#app/modules/billing/sync/commands/adopt-customer.server.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { idOf } from "#tests/support/ids.ts";

/** A purchase that the database forgot: it was restored to before it. */
let harness: BillingHarness;
let customer: string;
beforeEach(async () => {
  harness = await openBillingHarness();
  await harness.buy();
  customer = await harness.customerId();
  await emptyTables("history_events", "order_lines", "orders", "subscriptions", "customers");
});

const adopt = (id = customer) => adoptCustomer(harness.app, idOf("cus", id));
const adopted = async () => (await harness.rows()).customers.map(({ provider_id }) => provider_id);

test("the cron job brings back a customer that a restored database forgot, with order and plan", async () => {
  await sweepOrders({ ...harness.app, payments: harness.payments.withOwnDeadline() });
  const { customers, orders, subscriptions } = await harness.rows();
  expect(customers).toMatchObject([{ account_id: harness.accountId, provider_id: customer }]);
  expect(orders).toMatchObject([{ state: "paid", kind: "new-plan", amount_minor: minor(small), number_in_year: 1 }]);
  expect(subscriptions).toMatchObject([{ state: "active", plan_id: small.id }]);
  expect(harness.reports).toEqual([]);
});

test("the cron job gives an account the customer that a killed Worker had made for it and not stored", async () => {
  harness = await openBillingHarness();
  const { accountId } = harness;
  const made = await harness.payments.createCustomer({
    accountId,
    email: "mara@people.example",
    invoiceFooter: "Invoices: https://site.example",
    instead: null,
  });
  expect(made.ok && (await adopted())).toEqual([]);
  await sweepOrders({ ...harness.app, payments: harness.payments.withOwnDeadline() });
  expect(await adopted()).toEqual([made.ok && made.value]);
});

test("adopting twice, at the same time, stores the customer once", async () => {
  await Promise.all([adopt(), adopt()]);
  expect(await adopted()).toEqual([customer]);
});

test.each([
  [
    "has another customer",
    () =>
      `insert into customers (account_id, provider_id, created_at, synced_at) values ('${harness.accountId}', 'cus_other', 0, 0)`,
  ],
  ["was erased", () => `update accounts set state = 'erased' where id = '${harness.accountId}'`],
  ["isn't there", () => `update accounts set id = 'acc_moved_${harness.accountId}' where id = '${harness.accountId}'`],
])("a customer isn't adopted if its account %s", async (_, change) => {
  await env.DB.prepare(change()).run();
  await adopt();
  expect(await adopted()).not.toContain(customer);
});

test("a customer that names no account of ours, or that Stripe doesn't have, isn't adopted", async () => {
  const { id } = await harness.stripe.customers.create({ email: "other-shop@example.com" });
  for (const other of [id, "cus_none"]) await adopt(other);
  expect(await adopted()).toEqual([]);
});
