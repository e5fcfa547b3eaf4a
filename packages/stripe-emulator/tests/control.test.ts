import { readFileSync } from "node:fs";
import type Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { CONTROL_CALLS } from "../src/control/read-command.ts";
import {
  buy,
  openCheckout,
  setUpStripeEmulator,
  startReceiver,
  startStripeEmulator,
  WEBHOOK_SECRET,
} from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  await local.control("disorder", {});
  for await (const { id } of stripe.webhookEndpoints.list())
    await stripe.webhookEndpoints.update(id, { disabled: true });
  for (const close of closing.splice(0)) close();
});

async function listen(events: Stripe.WebhookEndpointCreateParams.EnabledEvent[], answers: number[] = []) {
  const receiver = await startReceiver(answers);
  closing.push(receiver.close);
  await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: events });
  return receiver;
}
const look = async (): Promise<string> => (await fetch(`${local.origin}/control`)).text();
/** Sends a form as a browser does, but doesn't follow the redirect. */
const press = (what: string, fields: Record<string, string>) =>
  fetch(`${local.origin}/control/${what}`, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });

describe("an order can be found", () => {
  test.each([
    ["by the id in the checkout's metadata", (id: string) => ({ metadata: { order: id } })],
    ["by the checkout's reference", (id: string) => ({ client_reference_id: id })],
  ])("by %s", async (_, extra) => {
    const id = `ord_${crypto.randomUUID().slice(0, 8)}`;
    const { session } = await openCheckout(stripe, extra(id));
    await local.control("checkout", { session: session.id, outcome: "paid" });
    const { refund } = await local.control("refund", { order: id, amountMinor: 100 });
    expect(refund).toMatchObject({ amount: 100, status: "succeeded" });
  });

  test("by the metadata keys that the emulator was started with, and by no others", async () => {
    const other = await startStripeEmulator({ orderKeys: ["purchase"] });
    const { session } = await openCheckout(other.stripe, {
      metadata: { order: "by-order", purchase: "by-purchase" },
      client_reference_id: "by-reference",
    });
    await other.control("checkout", { session: session.id, outcome: "paid" });
    const { refund } = await other.control("refund", { order: "by-purchase", amountMinor: 100 });
    expect(refund).toMatchObject({ amount: 100, status: "succeeded" });
    await expect(other.control("refund", { order: "by-order", amountMinor: 100 })).rejects.toThrow("404");
    await other.close();
  });

  test("by the number or id that the site stores on a renewal's invoice, each with its own payment", async () => {
    const { customer, charge } = await buy(local);
    await local.control("clock", { advanceDays: 32 });
    const [renewal] = (await stripe.invoices.list({ customer: customer.id, limit: 1 })).data;
    await stripe.invoices.update(String(renewal?.id), { metadata: { order: "ord_renewal", number: "2027-000042" } });
    const { refund } = await local.control("refund", { order: "2027-000042" });
    expect(refund?.charge).not.toBe(charge.id);
    expect(await stripe.charges.retrieve(String(refund?.charge))).toMatchObject({ refunded: true });
    await expect(local.control("refund", { order: "ord_renewal" })).rejects.toThrow("already been refunded");
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0 });
  });

  test.each(["refund", "dispute"] as const)("unless it is unknown, which a %s answers with 404", async (what) => {
    await expect(local.control(what, { order: "ord_none" })).rejects.toThrow("404");
    await expect(local.control(what, {})).rejects.toThrow("400");
  });
});

describe("control calls", () => {
  test("a refund and a dispute answer after the events that they caused are delivered", async () => {
    const { charge } = await buy(local);
    const receiver = await listen(["charge.refunded", "charge.dispute.created", "charge.dispute.closed"], [500]);
    const refunded = await local.control("refund", { order: charge.id, amountMinor: 100 });
    expect(refunded.events).toMatchObject([
      { type: "refund.created", deliveries: [] },
      { type: "charge.refunded", deliveries: [{ status: 500 }, { status: 200 }] },
    ]);
    const disputed = await local.control("dispute", { order: charge.id, outcome: "won" });
    expect(disputed.events.map(({ type }) => type)).toEqual([
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.closed",
      "charge.dispute.funds_reinstated",
    ]);
    expect(receiver.types()).toEqual([
      "charge.refunded",
      "charge.refunded",
      "charge.dispute.created",
      "charge.dispute.closed",
    ]);
  });

  test("a bank renewal of a card changes its date and sends the card networks' event", async () => {
    const { charge, customer } = await buy(local);
    const answer = await local.control("card", { order: charge.id, expires: "2029-03" });
    expect(answer.events.map(({ type }) => type)).toEqual(["payment_method.automatically_updated"]);
    const [event] = (await stripe.events.list({ type: "payment_method.automatically_updated", limit: 1 })).data;
    expect(event?.data).toMatchObject({
      object: {
        id: charge.payment_method,
        customer: customer.id,
        card: { exp_month: 3, exp_year: 2029, last4: "4242" },
      },
      previous_attributes: { card: { exp_month: 12 } },
    });
    await local.control("card", { order: charge.id });
    const [method] = (await stripe.paymentMethods.list({ customer: customer.id })).data;
    expect(method?.card?.exp_year).toBeGreaterThan(2029);
  });

  test("a pending bank debit succeeds or fails once, at checkout and at a renewal", async () => {
    const { customer, session } = await openCheckout(stripe);
    await local.control("checkout", { session: session.id, outcome: "processing" });
    await local.control("debit", { order: session.id, outcome: "paid" });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: "paid" });
    await expect(local.control("debit", { order: session.id, outcome: "declined" })).rejects.toThrow("under way");
    // The clock moves on by a month, and by the hour in which the invoice is a draft.
    await local.control("clock", { advanceDays: 31.5 });
    const newest = async () => (await stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0];
    const renewal = await newest();
    expect(renewal).toMatchObject({ status: "open", billing_reason: "subscription_cycle", attempt_count: 1 });
    expect(await look()).toContain("The debit fails");
    const failed = await local.control("debit", { order: String(renewal?.id), outcome: "declined" });
    expect(failed.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["charge.failed", "payment_intent.payment_failed", "invoice.payment_failed"]),
    );
    const due = await newest();
    expect(due).toMatchObject({ status: "open", attempt_count: 1 });
    expect(due?.next_payment_attempt).toBeGreaterThan(due?.created ?? 0);
    const { data } = await stripe.subscriptions.list({ customer: customer.id });
    expect(data).toMatchObject([{ status: "past_due" }]);
    await local.control("clock", { advanceDays: 2.1 });
    await local.control("debit", { order: String(renewal?.id), outcome: "paid" });
    expect(await newest()).toMatchObject({ status: "paid", attempt_count: 2 });
  });

  test("an open dispute is decided by a second call", async () => {
    const { charge } = await buy(local);
    const { dispute } = await local.control("dispute", { order: charge.id });
    expect(await local.control("dispute", { order: charge.id, outcome: "lost" })).toMatchObject({
      dispute: { id: dispute?.id, status: "lost" },
    });
  });

  test.each([
    ["clock", { advanceDays: -1 }],
    ["clock", {}],
    ["clock", { advanceDays: "soon" }],
    ["refund", { order: "x", amountMinor: 1.5 }],
    ["dispute", { order: "x", outcome: "perhaps" }],
    ["disorder", { chaos: true }],
    ["disorder", { duplicate: -1 }],
    ["disorder", { apiFault: { kind: "teapot" } }],
    ["secret", { keepHours: 25 }],
    ["resend", { event: "" }],
    ["card", { order: "x", expires: "soon" }],
    ["debit", { order: "x", outcome: "perhaps" }],
    ["checkout", { session: "cs_none", outcome: "won" }],
  ] as const)("%s with %j is refused, and names the invalid field", async (what, body) => {
    await expect(local.control(what, body)).rejects.toThrow(/400 .*"param":"\w/);
  });

  test("the newest events are listed with their deliveries", async () => {
    await listen(["checkout.session.expired"], [500]);
    const { session } = await openCheckout(stripe);
    await local.control("checkout", { session: session.id, outcome: "expired" });
    const answer = await fetch(`${local.origin}/control/events`);
    const { events } = (await answer.json()) as { events: unknown[] };
    expect(events[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: "checkout.session.expired",
      deliveries: [{ status: 500 }, { status: 200 }],
    });
  });
});

test("the README lists exactly the existing control calls", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const listed = [...readme.matchAll(/^\| `\/control\/(\w+)` +\|/gm)].map(([, name = ""]) => name);
  expect(listed.toSorted()).toEqual(Object.keys(CONTROL_CALLS).toSorted());
});

describe("webhooks by hand", () => {
  test("an event is sent again, even if it was lost", async () => {
    const receiver = await listen(["checkout.session.expired"]);
    await local.control("disorder", { drop: 1 });
    const { session } = await openCheckout(stripe);
    const { events } = await local.control("checkout", { session: session.id, outcome: "expired" });
    const lost = events[0]?.id ?? "";
    expect(await stripe.events.retrieve(lost)).toMatchObject({ pending_webhooks: 1 });
    const sent = await local.control("resend", { event: lost });
    expect(sent.events).toMatchObject([{ id: lost, deliveries: [{ status: 200 }] }]);
    expect(receiver.received.map(({ event }) => event.id)).toEqual([lost]);
    expect(await stripe.events.retrieve(lost)).toMatchObject({ pending_webhooks: 0 });
    await expect(local.control("resend", { event: "evt_none" })).rejects.toThrow("404");
  });

  test("after a roll, both secrets sign until the old one expires, and new endpoints get the new one", async () => {
    const receiver = await listen(["checkout.session.expired"]);
    const expire = async (): Promise<string[]> => {
      const { session } = await openCheckout(stripe);
      await local.control("checkout", { session: session.id, outcome: "expired" });
      const last = receiver.received.at(-1);
      const fits = async (secret: string): Promise<boolean> =>
        stripe.webhooks.constructEventAsync(last?.body ?? "", last?.signature ?? "", secret).then(
          () => true,
          () => false,
        );
      const secrets = [WEBHOOK_SECRET, rolled];
      return (await Promise.all(secrets.map(fits))).flatMap((isGood, index) => (isGood ? [secrets[index] ?? ""] : []));
    };
    let rolled = "none";
    expect(await expire()).toEqual([WEBHOOK_SECRET]);
    rolled = (await local.control("secret", { keepHours: 24 })).secret ?? "";
    expect(rolled).toMatch(/^local-/);
    expect(await expire()).toEqual([WEBHOOK_SECRET, rolled]);
    const endpoint = await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ["invoice.paid"] });
    expect(endpoint.secret).toBe(rolled);
    await local.control("clock", { advanceDays: 1.1 });
    expect(await expire()).toEqual([rolled]);
  });
});

describe("the control page, without a script", () => {
  test("shows payments by customer, invoice and order, and refunds a typed amount", async () => {
    const { charge } = await buy(local);
    const page = await look();
    expect(page).toContain("ada@example.com");
    expect(page).toContain("ord_1 · invoice");
    expect(page).not.toContain("<script");
    const refunded = await press("refund", { order: charge.id, amount: "1.50" });
    expect(refunded.status).toBe(303);
    expect(refunded.headers.get("location")).toBe(`${local.origin}/control?done=refund#done`);
    expect(await (await fetch(String(refunded.headers.get("location")))).text()).toContain(
      "The money is on its way back.",
    );
    expect(await look()).toContain("€1.50 refunded (succeeded)");
    await press("refund", { order: charge.id, amount: "" });
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: true });
    expect(await look()).not.toContain(`amount-${charge.id}`);
  });

  test("shows running plans and their debts, and pauses and resumes their collection", async () => {
    const { customer } = await buy(local, "4000000000000341");
    const { subscriptions } = stripe;
    const [bought] = (await subscriptions.list({ customer: customer.id })).data;
    const [period] = bought?.items.data ?? [];
    if (!bought || !period) throw new Error("The checkout left no subscription.");
    const { id } = bought;
    const own = async () => (await look()).split('<div class="item">').find((part) => part.includes(id)) ?? "";
    expect(await own()).toMatch(/active · renews on \d{4}-\d{2}-\d{2}/);
    await local.control("clock", {
      advanceDays: (period.current_period_end - period.current_period_start) / 86_400 + 0.01,
    });
    expect(await own()).toMatch(/€6\.00 is drawn, and charged on \d{4}-\d{2}-\d{2}/);
    await local.control("clock", { advanceDays: 0.1 });
    expect(await own()).toMatch(
      /past due · renews on [\s\S]*\/invoices\/in_[\w.]+">€6\.00 is open<\/a>, tried again on/,
    );
    await press("hold", { subscription: id, held: "yes" });
    expect(await own()).toContain("its charges are on hold");
    expect((await subscriptions.retrieve(id)).pause_collection).toMatchObject({ behavior: "void" });
    await press("hold", { subscription: id, held: "no" });
    expect((await subscriptions.retrieve(id)).pause_collection).toBeNull();
  });

  test("shows how to set the site's clock to this one", async () => {
    await local.control("clock", { advanceDays: 1 });
    expect(await look()).toMatch(/npm start -- --var CLOCK_OFFSET_SECONDS:\d{5,}/);
  });

  test("opens a dispute and decides it", async () => {
    const { charge } = await buy(local);
    await press("dispute", { order: charge.id, outcome: "" });
    expect(await look()).toContain("disputed (needs response)");
    await press("dispute", { order: charge.id, outcome: "won" });
    expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([{ status: "won" }]);
  });

  test.each([
    ["refund", { order: "none" }, 404],
    ["clock", { advanceDays: "" }, 400],
  ])("explains what isn't possible: %s", async (what, fields, status) => {
    const refused = await press(what, fields);
    expect(refused.status).toBe(status);
    expect(refused.headers.get("content-type")).toContain("text/html");
    expect(await refused.text()).toContain("Back to the control page");
  });

  test("reports an invalid amount", async () => {
    const { charge } = await buy(local);
    expect(await (await press("refund", { order: charge.id, amount: "six" })).text()).toContain("is no amount in EUR");
  });

  test("moves the clock, sets and clears disorder, rolls the secret, and sends events again", async () => {
    const before = (await local.control("clock", { advanceDays: 0 })) as unknown as { now: number };
    expect((await press("clock", { advanceDays: "31" })).status).toBe(303);
    const after = (await local.control("clock", { advanceDays: 0 })) as unknown as { now: number };
    expect(after.now - before.now).toBeGreaterThanOrEqual(31 * 86_400);
    await press("disorder", { duplicate: "2", delayMs: "", drop: "", faultKind: "", faultNext: "" });
    expect(await look()).toMatch(/name="duplicate"[^>]*value="2"/);
    await press("disorder", {});
    expect(await look()).toMatch(/name="duplicate"[^>]*value=""/);
    expect((await press("secret", { keepHours: "0" })).status).toBe(303);
    expect(await look()).toMatch(/local-whsec_\w{24}/);
    const [event] = (await stripe.events.list({ limit: 1 })).data;
    expect((await press("resend", { event: event?.id ?? "" })).status).toBe(303);
  });
});
