import { Stripe } from "stripe";
import { beforeEach, describe, expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { handleWebhook } from "#tests/support/billing/handle-webhook.ts";
import { handlingMs } from "#app/modules/billing/sync/inbox.rules.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { handledEventTypes } from "#app/integrations/stripe/events.ts";
import { isTaxedByStripe } from "#app/modules/catalogue/rules.ts";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

const secret = "local-stripe-webhook-secret";
let harness: BillingHarness;

beforeEach(async () => {
  harness = await openBillingHarness();
});

async function signed(payload: string, options: { secret?: string; at?: number } = {}) {
  const timestamp = Math.floor((options.at ?? Date.now()) / 1000);
  const cryptoProvider = Stripe.createSubtleCryptoProvider();
  const input = { payload, secret: options.secret ?? secret, timestamp, cryptoProvider };
  return new Stripe("none").webhooks.generateTestHeaderStringAsync(input);
}

const about = (object: object, type = "customer.updated", id = "evt_1") =>
  JSON.stringify({ id, object: "event", type, created: 0, data: { object } });

/** The newest event of a type. */
async function eventOf(type: string): Promise<Stripe.Event> {
  const event = (await harness.events()).findLast((candidate) => candidate.type === type);
  if (!event) throw new Error(`No ${type}`);
  return event;
}

/** By kind. */
const inbox = async () =>
  (await harness.rows()).events
    .map(({ type, state, tries }) => ({ type: String(type), state, tries }))
    .toSorted((left, right) => (left.type < right.type ? -1 : 1));

describe("a signature", () => {
  const payload = about({ object: "customer", id: "cus_nobody" });
  const hear = async (header: string, body = payload) => handleWebhook(harness.app, body, header);
  const invalid = { ok: false, refusal: { reason: "signature-invalid" } };

  test.each([
    ["nothing", () => ""],
    ["no signature", () => `t=${Math.floor(Date.now() / 1000)}`],
    ["one by another secret", () => signed(payload, { secret: "another" })],
    ["one of other words", () => signed(`${payload} `)],
    ["one of five minutes and a second ago", () => signed(payload, { at: Date.now() - 301_000 })],
    ["one of five minutes and two seconds from now", () => signed(payload, { at: Date.now() + 302_000 })],
    [
      "an old one under a new time",
      async () => `t=${Math.floor(Date.now() / 1000)},${await signed(payload, { at: 1_000_000 })}`,
    ],
    [
      "one from the future under a time of now",
      async () => signed(payload, { at: Date.now() + 400_000 }).then((header) => `t=1,${header}`),
    ],
  ])("that is %s is refused, and nothing is stored", async (_what, header) => {
    expect(await hear(await header())).toEqual(invalid);
    expect(await inbox()).toEqual([]);
  });

  test.each([
    ["no name", { object: "event", type: "invoice.paid", data: { object: {} } }],
    ["no kind", { object: "event", id: "evt_1", data: { object: {} } }],
    ["a number for a name", { object: "event", id: 1, type: "invoice.paid", data: { object: {} } }],
    ["nothing in it", { object: "event", id: "evt_1", type: "invoice.paid" }],
  ])("of a body with %s is refused as well, since it isn't an event", async (_what, body) => {
    const text = JSON.stringify(body);
    expect(await hear(await signed(text), text)).toEqual(invalid);
    expect(await inbox()).toEqual([]);
  });

  test.each([
    ["just now", 0],
    ["almost five minutes ago", -298_000],
    ["almost five minutes from now", 298_000],
  ])("that was made %s is accepted", async (_when, offset) => {
    expect(await hear(await signed(payload, { at: Date.now() + offset }))).toMatchObject({ ok: true });
  });

  test("is accepted with the old and the new secret during a roll, and with no third", async () => {
    const settings = { key: "local-key", webhookSecrets: "old-one, new-one", apiBase: "" };
    const { billingAddress } = harness.app.product;
    const automaticTax = isTaxedByStripe(harness.app.product);
    const rolling = { ...harness.app, payments: openPaymentProvider({ ...settings, automaticTax, billingAddress }) };
    for (const [own, isGood] of [
      ["old-one", true],
      ["new-one", true],
      [secret, false],
    ] as const) {
      const handled = await handleWebhook(rolling, payload, await signed(payload, { secret: own }));
      expect([own, handled.ok]).toEqual([own, isGood]);
    }
  });

  test("of a body that isn't JSON, isn't an event or has no object is refused or ignored, and never an error", async () => {
    for (const body of ["", "null", "[]", "{}", "not json", '{"id":"evt_1","type":"customer.updated","data":null}']) {
      expect(await hear(await signed(body), body)).toEqual(invalid);
    }
    const empty = about({});
    expect(await hear(await signed(empty), empty)).toEqual({ ok: true, value: { accountId: null } });
  });
});

describe("an event", () => {
  test("of an unknown customer, or of a type that concerns no customer, is ignored", async () => {
    const stranger = about({ object: "invoice", customer: "cus_stranger" }, "invoice.paid", "evt_stranger");
    await harness.buy();
    const customer = await harness.customerId();
    const other = about({ object: "invoice", customer }, "invoice.upcoming", "evt_other");
    for (const body of [stranger, other]) {
      expect(await handleWebhook(harness.app, body, await signed(body))).toEqual({
        ok: true,
        value: { accountId: null },
      });
    }
    expect(await inbox()).toEqual([
      { type: "invoice.paid", state: "ignored", tries: 1 },
      { type: "invoice.upcoming", state: "ignored", tries: 1 },
    ]);
    expect((await harness.rows()).orders).toMatchObject([{ state: "pending" }]);
  });

  test("about the address that we gave a new customer starts no sync, and about another address, or a later change, it does", async () => {
    await harness.buy();
    const metadata = { account: harness.accountId };
    const customer = { object: "customer", id: await harness.customerId(), created: 0, metadata };
    const updated = (id: string, previous_attributes: object) =>
      JSON.stringify({
        id,
        object: "event",
        type: "customer.updated",
        created: 0,
        data: { object: customer, previous_attributes },
      });
    for (const [id, previous, state] of [
      ["evt_first", { email: null }, "ignored"],
      ["evt_footer", { email: null, invoice_settings: { footer: null } }, "ignored"],
      ["evt_another", { email: "ada@example.com" }, "handled"],
      ["evt_more", { email: null, balance: 0 }, "handled"],
    ] as const) {
      const body = updated(id, previous);
      await handleWebhook(harness.app, body, await signed(body));
      expect((await harness.rows()).events.find((event) => event["id"] === id)).toMatchObject({ state });
    }
  });

  test("about a dispute names no customer, so the reconciler looks up who paid", async () => {
    const order = await harness.buy();
    await harness.reconcile();
    await harness.control("dispute", { order });
    const handled = await harness.hear(await eventOf("charge.dispute.created"));
    expect(handled).toEqual({ ok: true, value: { accountId: harness.accountId } });
    const { orders, events } = await harness.rows();
    expect(orders).toMatchObject([{ dispute: "needs-response" }]);
    expect(events).toMatchObject([{ state: "handled", customer_id: await harness.customerId() }]);
  });

  test("is handled once, however often it is delivered, and makes no second provider call", async () => {
    await harness.buy();
    const paid = await eventOf("invoice.paid");
    await harness.hear(paid);
    const deaf = { ...harness.payments, fetchBilling: () => Promise.reject(new Error("asked again")) };
    expect(await harness.hear(paid, { ...harness.app, payments: deaf })).toEqual({
      ok: true,
      value: { accountId: null },
    });
    expect(await inbox()).toEqual([{ type: "invoice.paid", state: "handled", tries: 2 }]);
  });

  test("delivered twenty times at the same time is one payment, one number, one email", async () => {
    await harness.buy();
    const paid = await eventOf("invoice.paid");
    const handled = await Promise.all(Array.from({ length: 20 }, () => harness.hear(paid)));
    expect(handled.every(({ ok }) => ok)).toBe(true);
    const { orders, lines, historyEvents, emails } = await harness.rows();
    expect(orders).toMatchObject([{ state: "paid", number_in_year: 1 }]);
    expect([lines.length, emails.length, historyEvents.filter(({ what }) => what === "paid").length]).toEqual([
      1, 1, 1,
    ]);
    expect(await inbox()).toEqual([{ type: "invoice.paid", state: "handled", tries: 20 }]);
  });

  test.each(["findPayer", "fetchBilling"] as const)(
    "is refused while the provider fails to answer %s, so that it is delivered and handled again",
    async (call) => {
      const order = await harness.buy();
      await harness.reconcile();
      await harness.control("dispute", { order });
      const dispute = await eventOf("charge.dispute.created");
      const down = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
      const handled = await harness.hear(dispute, { ...harness.app, payments: { ...harness.payments, [call]: down } });
      expect(handled).toMatchObject({ ok: false, refusal: { reason: "provider-unreachable" } });
      expect(await inbox()).toEqual([{ type: "charge.dispute.created", state: "failed", tries: 1 }]);
      await harness.hear(dispute);
      expect(await inbox()).toEqual([{ type: "charge.dispute.created", state: "handled", tries: 2 }]);
      expect((await harness.rows()).orders).toMatchObject([{ dispute: "needs-response" }]);
    },
  );

  test("whose customer Stripe refuses to show is reported, and fails, so that it is tried again", async () => {
    await harness.buy();
    const paid = await eventOf("invoice.paid");
    const refusing = {
      ...harness.payments,
      fetchBilling: async () => refused({ reason: "provider-refused" as const, code: "api_key_expired" }),
    };
    const heard = await harness.hear(paid, { ...harness.app, payments: refusing });
    expect(heard).toMatchObject({ ok: false });
    expect(harness.reports).toEqual(["Stripe refused the request for a customer: api_key_expired"]);
    expect(await inbox()).toEqual([{ type: "invoice.paid", state: "failed", tries: 1 }]);
  });

  test("that finds an impossible state is reported and fails; others are handled, and it is retried", async () => {
    await harness.buy();
    const paid = await eventOf("invoice.paid");
    const impossible = { ...harness.payments, fetchBilling: () => Promise.reject(new Error("two running")) };
    await expect(harness.hear(paid, { ...harness.app, payments: impossible })).rejects.toThrow("two running");
    expect(await inbox()).toEqual([{ type: "invoice.paid", state: "failed", tries: 1 }]);
  });

  test.each([1, 2, 3, 4, 5, 6].flatMap((nth) => [[nth, "before"] as const, [nth, "after"] as const]))(
    "is completely handled in the end if the Worker is killed at batch %i, %s it was written",
    async (nth, when) => {
      await harness.buy();
      const paid = await eventOf("invoice.paid");
      await expect(
        harness.hear(paid, { ...harness.app, db: killedAtBatch(harness.app.db, nth, when) }),
      ).rejects.toThrow("killed");
      const { orders, lines, subscriptions, emails } = await harness.rows();
      const isPaid = nth === 6 || (nth === 5 && when === "after");
      expect(orders.map(({ state }) => state)).toEqual([isPaid ? "paid" : "pending"]);
      expect([lines.length, subscriptions.length, emails.length]).toEqual(isPaid ? [1, 1, 1] : [0, 0, 0]);
      // If it is delivered again immediately, the killed Worker may still hold it; delivered later, or by the cron job, any Worker
      // may take it.
      expect(await harness.hear(paid)).toMatchObject({ ok: true });
      const later = (ms: number) => ({ ...harness.app, clock: () => Date.now() + ms });
      await (when === "before"
        ? harness.hear(paid, later(handlingMs))
        : sweepOrders(later(handlingMs + 10 * minuteMs)));
      expect((await inbox()).filter(({ state }) => state !== "handled")).toEqual([]);
      const after = await harness.rows();
      expect(after.orders).toMatchObject([{ state: "paid", number_in_year: 1 }]);
      expect([after.lines.length, after.subscriptions.length, after.emails.length]).toEqual([1, 1, 1]);
    },
  );
});

describe("simultaneous events of one customer", () => {
  /**
   * The site, with a provider that counts how often it is asked for a whole customer, and can be delayed before it
   * answers.
   */
  function counting(hold?: (nth: number) => Promise<unknown>) {
    const counted = { syncs: 0 };
    const payments: BillingHarness["payments"] = {
      ...harness.payments,
      withOwnDeadline: () => payments,
      async fetchBilling(customer) {
        counted.syncs += 1;
        const nth = counted.syncs;
        const answer = await harness.payments.withOwnDeadline().fetchBilling(customer);
        await hold?.(nth);
        return answer;
      },
    };
    return { counted, app: { ...harness.app, payments } };
  }

  /** Those that begin a sync: the address that we gave the customer ourselves doesn't. */
  const aboutUs = async () =>
    (await harness.events()).filter(
      ({ type, data }) =>
        handledEventTypes.some((handled) => handled === type) &&
        !(type === "customer.updated" && "email" in (data.previous_attributes ?? {})),
    );

  test("cause one sync, and one more for those that arrive during it, and all are handled", async () => {
    await harness.buy();
    const events = await aboutUs();
    expect(events.length).toBeGreaterThan(4);
    const forty = Array.from({ length: 40 }, (_, index) => events[index % events.length] ?? events[0]);
    const { counted, app } = counting();
    const handled = await Promise.all(forty.map((event) => event && harness.hear(event, app)));
    expect(handled.every((each) => each?.ok)).toBe(true);
    expect(counted.syncs).toBeLessThanOrEqual(2);
    expect((await inbox()).map(({ state }) => state)).toEqual(events.map(() => "handled"));
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }]);
  });

  test("are read after the last of them, so that changes during the sync aren't missed", async () => {
    const order = await harness.buy();
    const { counted, app } = counting(async (nth) => {
      if (nth > 1) return;
      await harness.control("refund", { order, amountMinor: 100 });
      // Left to the Worker that holds it.
      expect(await harness.hear(await eventOf("charge.refunded"), app)).toEqual({
        ok: true,
        value: { accountId: null },
      });
      expect(counted.syncs).toBe(1);
    });
    await harness.hear(await eventOf("invoice.paid"), app);
    expect(counted.syncs).toBe(2);
    expect((await harness.rows()).orders).toMatchObject([{ state: "partially-refunded", refunded_minor: 100 }]);
    expect((await inbox()).map(({ state }) => state)).toEqual(["handled", "handled"]);
  });

  test("are refused with the one that holds them when the provider doesn't answer, and handled by any later one", async () => {
    const order = await harness.buy();
    const paid = await eventOf("invoice.paid");
    const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
    const { app } = counting(async (nth) => {
      if (nth > 1) return;
      await harness.control("refund", { order, amountMinor: 100 });
      await harness.hear(await eventOf("charge.refunded"), app);
      app.payments.withOwnDeadline = () => ({ ...app.payments, fetchBilling: silent });
    });
    expect(await harness.hear(paid, app)).toMatchObject({ ok: false, refusal: { reason: "provider-unreachable" } });
    expect(await inbox()).toMatchObject([{ state: "failed" }, { type: "invoice.paid", state: "handled" }]);
    await harness.hear(paid);
    expect((await inbox()).map(({ state }) => state)).toEqual(["handled", "handled"]);
    expect((await harness.rows()).orders).toMatchObject([{ refunded_minor: 100 }]);
  });
});
