import { beforeEach, expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { findPayment } from "#app/modules/billing/checkout/reads/find-payment.server.ts";
import { handlePending } from "#app/modules/billing/sync/commands/handle-events.server.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

let harness: BillingHarness;
beforeEach(async () => {
  harness = await openBillingHarness();
});

const inbox = async () => (await harness.rows()).events.map(({ state }) => state);

/** The site, with a provider that counts its syncs and can be delayed before it answers. */
function counting(hold?: () => Promise<unknown>) {
  const counted = { syncs: 0 };
  const payments: BillingHarness["payments"] = {
    ...harness.payments,
    withOwnDeadline: () => payments,
    async fetchBilling(...request) {
      counted.syncs += 1;
      const answer = await harness.payments.withOwnDeadline().fetchBilling(...request);
      await hold?.();
      return answer;
    },
  };
  return { counted, app: { ...harness.app, payments } };
}

/** An account that has paid, and the event of the payment. */
async function paidOrder() {
  const orderId = await harness.buy();
  const paid = (await harness.events()).findLast(({ type }) => type === "invoice.paid");
  if (!paid) throw new Error("No invoice.paid");
  return { orderId, paid };
}

test("a page that is requested while an event waits for others syncs for both", async () => {
  const { orderId, paid } = await paidOrder();
  const { counted, app } = counting();
  let page: Awaited<ReturnType<typeof findPayment>> = null;
  const waiting = { ...app, pause: async () => void (page = await findPayment(app, harness.accountId, orderId)) };
  expect(await harness.hear(paid, waiting)).toEqual({ ok: true, value: { accountId: null } });
  expect(page).toMatchObject({ order: { state: "paid" }, isCertain: true, isFresh: true });
  expect(counted.syncs).toBe(1);
  expect(await inbox()).toEqual(["handled"]);
});

test("a page that is requested while an event is handled waits for it and makes no call itself", async () => {
  const { orderId, paid } = await paidOrder();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const { counted, app } = counting(async () => {
    begun();
    await held;
  });
  const handled = harness.hear(paid, app);
  await hasBegun;
  let looks = 0;
  const pause = async () => {
    looks += 1;
    if (looks === 2) {
      goOn();
      await handled;
    }
  };
  const page = await findPayment({ ...app, pause }, harness.accountId, orderId);
  expect(page).toMatchObject({ order: { state: "paid" }, isCertain: true, isFresh: false });
  expect([counted.syncs, looks]).toEqual([1, 2]);
});

test("a page syncs itself if the event's sync never ends, or ended without its order", async () => {
  const { orderId, paid } = await paidOrder();
  const { app: hanging } = counting(() => new Promise(() => undefined));
  // A Worker that was killed in it: it still holds its events.
  void harness.hear(paid, hanging);
  await expect.poll(inbox).toEqual(["received"]);
  const { counted, app } = counting();
  expect(await findPayment(app, harness.accountId, orderId)).toMatchObject({ order: { state: "paid" }, isFresh: true });
  expect(counted.syncs).toBe(1);
});

test("events that a page included in its sync and couldn't handle are left to the cron job", async () => {
  const { orderId, paid } = await paidOrder();
  const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
  const down = { ...harness.app, payments: { ...harness.payments, fetchBilling: silent } };
  let page: Awaited<ReturnType<typeof findPayment>> = null;
  const waiting = { ...down, pause: async () => void (page = await findPayment(down, harness.accountId, orderId)) };
  await harness.hear(paid, waiting);
  expect(page).toMatchObject({ order: { state: "pending" }, isCertain: false });
  expect(await inbox()).toEqual(["failed"]);
  await sweepOrders({ ...harness.app, clock: () => Date.now() + 10 * minuteMs });
  expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }]);
  expect(new Set(await inbox())).toEqual(new Set(["handled"]));
});

test("an event that arrives during the page's sync is handled after the page's answer", async () => {
  const { orderId, paid } = await paidOrder();
  const other = (await harness.events()).find(({ type }) => type === "checkout.session.completed");
  if (!other) throw new Error("No checkout.session.completed");
  const { app } = counting(async () => {
    expect(await harness.hear(other)).toEqual({ ok: true, value: { accountId: null } });
  });
  let page: Awaited<ReturnType<typeof findPayment>> = null;
  let states: unknown[] = [];
  const pause = async () => {
    page = await findPayment(app, harness.accountId, orderId);
    states = await inbox();
    if (page?.pendingSubject) await handlePending(harness.app, page.pendingSubject);
  };
  await harness.hear(paid, { ...app, pause });
  expect(page).toMatchObject({ pendingSubject: { customerId: await harness.customerId(), paymentId: null } });
  expect(states.toSorted()).toEqual(["handled", "received"]);
  expect(await inbox()).toEqual(["handled", "handled"]);
});
