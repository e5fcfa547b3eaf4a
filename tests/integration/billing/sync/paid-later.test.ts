import { noOrder } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { contracts, conclude, giveBack, orders } from "#tests/support/billing/contracts.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** The site as it is when invoices were created some time before they were paid: by a bank debit, or after declined attempts. */
function withInvoicesFrom({ app, payments }: BillingHarness, createdAt: (paidAt: number) => number): App {
  const fetchBilling: typeof payments.fetchBilling = async (...asked) => {
    const fetched = await payments.fetchBilling(...asked);
    if (!fetched.ok) return fetched;
    const invoices = fetched.value.invoices.map((invoice) => ({
      ...invoice,
      createdAt: createdAt(invoice.paidAt ?? invoice.createdAt),
    }));
    return { ok: true, value: { ...fetched.value, invoices } };
  };
  return { ...app, payments: { ...payments, fetchBilling } };
}

test("an order's day, year and number are those of the payment, not of the invoice", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  const paidAt = ((await harness.stripe.invoices.list()).data[0]?.status_transitions.paid_at ?? 0) * secondMs;
  const year = new Date(paidAt).getUTCFullYear();
  const lastYear = () => Date.UTC(year - 1, 11, 30);
  expect(await harness.reconcile(withInvoicesFrom(harness, lastYear))).toMatchObject({ ok: true });
  expect((await harness.rows()).orders).toMatchObject([{ paid_at: paidAt, number_year: year, number_in_year: 1 }]);
});

test("the days of a withdrawal count from the payment, not from the invoice", async () => {
  await env.DB.exec("delete from withdrawals");
  const harness = await conclude(contracts["a change to a year"], 3);
  await harness.pass(3);
  const [first] = await orders(harness);
  await giveBack(harness, first?.id ?? noOrder, "withdrawal");
  const weeksBefore = (paidAt: number) => paidAt - 20 * dayMs;
  expect(await harness.reconcile(withInvoicesFrom(harness, weeksBefore))).toMatchObject({ ok: true });
  const charges = (await harness.stripe.charges.list({ limit: 100 })).data;
  expect(charges.map(({ refunded }) => refunded)).toEqual([true, true]);
});
