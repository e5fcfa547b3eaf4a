import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { retryPayment } from "#app/domain/orders/retry-payment.server.ts";
import { sweepOrders } from "#app/domain/orders/sweep-orders.server.ts";
import { dayMs } from "#app/domain/kernel/time.ts";
import { large, small } from "#tests/support/catalogue.ts";
import { openTill } from "#tests/support/till.ts";

test("of two charges that are unpaid the one is tried that its button named, and without a name the one that is due longest", async () => {
  const till = await openTill();
  await till.buy();
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31.5);
  await till.settle();
  const [renewal] = (await till.rows()).orders;
  expect(renewal).toMatchObject({ kind: "renewal", state: "failed" });
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor, invoice_id,
       created_at, updated_at)
     values ('ord_older', ?1, 'failed', 'change', ?2, 'month', 'EUR', 900, 0, 'in_older', 0, 0)`,
  )
    .bind(till.accountId, large.id)
    .run();
  await till.useCard("pm_card_visa");
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ value: { id: "ord_older", state: "failed" } });
  const id = String(renewal?.["id"]);
  expect(await retryPayment(till.app, till.accountId, id)).toMatchObject({ value: { id, state: "paid" } });
  expect(await retryPayment(till.app, till.accountId, id)).toMatchObject({ refusal: { reason: "nothing-due" } });
  expect(await retryPayment(till.app, till.accountId, "ord_elsewhere")).toMatchObject({
    refusal: { reason: "nothing-due" },
  });
});

test("a draft that nobody went on with is expired by the clock, and its timeline says when", async () => {
  const till = await openTill();
  await till.control("disorder", { apiFault: { kind: "500", next: 9 } });
  await till.choose(small.id);
  await till.control("disorder", {});
  const at = till.app.clock() + 2 * dayMs;
  const later = { ...till.app, clock: () => at };
  await sweepOrders(later);
  await sweepOrders(later);
  const { orders, moments } = await till.rows();
  expect(orders).toMatchObject([{ state: "expired" }]);
  expect(moments.map(({ what, happened_at: when }) => [what, when])).toContainEqual(["expired", at]);
});
