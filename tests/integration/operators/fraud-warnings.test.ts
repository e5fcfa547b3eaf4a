import type { App } from "#app/app.ts";
import type { OrderId } from "#app/core/id.ts";
import { dayMs } from "#app/core/time/time.ts";
import { readFraudWarnings } from "#app/modules/billing/sync/commands/read-fraud-warnings.server.ts";
import { listUnreadWarnings } from "#app/modules/billing/sync/everyone.queries.server.ts";
import { fraudWarningLifeMs } from "#app/modules/billing/sync/fraud-warnings.rules.ts";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { askAsOperator, operatorToken } from "#tests/support/clients/operator-driver.ts";

let harness: BillingHarness;
let order: OrderId;

beforeEach(async () => {
  await env.DB.exec("delete from fraud_warnings");
  harness = await openBillingHarness();
  order = await harness.buy();
  await harness.reconcile();
});

/** The bank warns, and Stripe's event about it arrives. */
async function warn(body: object = {}, app: App = harness.app) {
  await harness.control("warning", { order, ...body });
  const event = (await harness.events()).findLast(({ type }) => type === "radar.early_fraud_warning.created");
  if (!event) throw new Error("No event");
  return harness.hear(event, app);
}

type Row = Record<string, unknown>;

async function listed(now = harness.app.clock()): Promise<Row[]> {
  const app = { ...harness.app, operatorToken, clock: () => now };
  const { json } = await askAsOperator(app, "/review?list=fraudWarnings");
  const rows = json["fraudWarnings"] as Row[];
  expect(json["totals"]).toEqual({ fraudWarnings: rows.length });
  return rows;
}

async function attention(): Promise<unknown> {
  const { json } = await askAsOperator({ ...harness.app, operatorToken }, `/person?find=${harness.accountId}`);
  return (json["summary"] as Row)["attention"];
}

test("a bank's warning is on the operators' list with order, customer and what to do, and with the customer", async () => {
  await warn({ fraudType: "made_with_lost_card" });
  await readFraudWarnings(harness.app);
  const number = `${new Date(harness.app.clock()).getUTCFullYear()}-000001`;
  expect(await listed()).toMatchObject([
    {
      number,
      orderId: order,
      email: `${harness.accountId}@example.com`,
      amountMinor: minor(small),
      fraudType: "made with lost card",
      todo: expect.stringContaining("refund it"),
    },
  ]);
  expect(await attention()).toEqual([expect.stringMatching(`^order ${number}: its bank reports fraud .*refund it`)]);
  // The site decides nothing: the plan runs on, and nobody is told.
  const { subscriptions, emails, orders } = await harness.rows();
  expect([subscriptions[0]?.state, orders[0]?.state]).toEqual(["active", "paid"]);
  expect(emails.map(({ template }) => template)).toEqual(["receipt"]);
});

test.each<[string, () => Promise<unknown>]>([
  ["the order is refunded", () => harness.control("refund", { order })],
  ["the bank disputes it", () => harness.control("dispute", { order })],
])("it is over once %s", async (_, happen) => {
  await warn();
  await readFraudWarnings(harness.app);
  await happen();
  await harness.reconcile();
  expect(await listed()).toEqual([]);
  expect(await attention()).not.toContainEqual(expect.stringContaining("reports fraud"));
});

test("it is about its order also if the site learns of that later", async () => {
  harness = await openBillingHarness();
  order = await harness.buy();
  const refused = { ok: false, refusal: { reason: "provider-unreachable", isFinal: false } } as const;
  const silent = { ...harness.payments, fetchBilling: async () => refused, withOwnDeadline: () => silent };
  await warn({}, { ...harness.app, payments: silent });
  await readFraudWarnings(harness.app);
  expect(await listed()).toMatchObject([{ orderId: null }]);
  await harness.reconcile();
  expect(await listed()).toMatchObject([{ orderId: order, email: `${harness.accountId}@example.com` }]);
});

test("it is listed for its time, and removed after it", async () => {
  await warn();
  await readFraudWarnings(harness.app);
  const now = harness.app.clock();
  expect(await listed(now + fraudWarningLifeMs - dayMs)).toHaveLength(1);
  expect(await listed(now + fraudWarningLifeMs + dayMs)).toEqual([]);
  await readFraudWarnings({ ...harness.app, payments: null, clock: () => now + fraudWarningLifeMs + dayMs });
  expect((await env.DB.prepare("select * from fraud_warnings").all()).results).toEqual([]);
});

test("each event is read once, and by the next run if Stripe doesn't answer", async () => {
  await warn();
  await harness.control("disorder", { apiFault: { kind: "500", next: 1 } });
  await readFraudWarnings(harness.app);
  expect(await listed()).toEqual([]);
  await readFraudWarnings(harness.app);
  expect(await listed()).toHaveLength(1);
  const unused = { ...harness.payments, withOwnDeadline: () => ({ ...harness.payments, findFraudWarning: never }) };
  await readFraudWarnings({ ...harness.app, payments: unused });
  expect(await listed()).toHaveLength(1);
});

test("one that Stripe refuses to say more of is listed and reported once, holds up no other, and is read once it may be", async () => {
  await warn();
  await warn({ fraudType: "made_with_lost_card" });
  let asked = 0;
  const findFraudWarning: BillingHarness["payments"]["findFraudWarning"] = (paymentId) => {
    asked += 1;
    if (asked > 1) return harness.payments.findFraudWarning(paymentId);
    return Promise.resolve({ ok: false, refusal: { reason: "provider-refused", code: "more_permissions_required" } });
  };
  const refusing = { ...harness.payments, withOwnDeadline: () => ({ ...harness.payments, findFraudWarning }) };
  const told = () => harness.reports.filter((report) => report.includes("more_permissions_required"));
  await readFraudWarnings({ ...harness.app, payments: refusing });
  const [known, unknown, ...others] = (await listed()).toSorted(
    (left, right) => Number(left["orderId"] === null) - Number(right["orderId"] === null),
  );
  expect([known, others]).toMatchObject([{ orderId: order }, []]);
  expect(unknown).toMatchObject({
    number: null,
    fraudType: "unknown",
    paymentId: expect.stringMatching(/^pi_/),
    todo: expect.stringContaining("key"),
  });
  asked = 0;
  await readFraudWarnings({ ...harness.app, payments: refusing });
  expect([(await listed()).length, told().length]).toEqual([2, 1]);
  await warn();
  const newest = (await harness.events()).findLast(({ type }) => type === "radar.early_fraud_warning.created");
  const [next] = await listUnreadWarnings(harness.app.db, 0, 1);
  expect(next?.eventId).toBe(newest?.id);
  await readFraudWarnings(harness.app);
  expect(await listed()).toMatchObject([{ orderId: order }, { orderId: order }, { orderId: order }]);
  expect(await listed()).not.toContainEqual(expect.objectContaining({ fraudType: "unknown" }));
});

const never = () => Promise.reject(new Error("asked again"));

test("one about a payment that is for none of our orders says so", async () => {
  await warn();
  await env.DB.exec("update orders set invoice_id = null");
  await readFraudWarnings(harness.app);
  expect(await listed()).toMatchObject([
    { number: null, email: null, paymentId: expect.stringMatching(/^pi_/), todo: expect.stringContaining("isn't for") },
  ]);
});
