import type Stripe from "stripe";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type StripeEmulator, setUpStripeEmulator, startStripeEmulator } from "./driver.ts";
import {
  advanceTo,
  at,
  endAll,
  invoicesOf,
  itemOf,
  latestOf,
  newCustomer,
  newPrice,
  SECONDS_PER_DAY,
  subscribe,
  useCard,
} from "./plans-driver.ts";

const HOUR = 3_600;
const MINUTE = 60;

const local = await setUpStripeEmulator();
const { stripe } = local;

beforeAll(async () => {
  await advanceTo(local, at("2030-06-01T00:00:00"));
});
afterEach(() => endAll(stripe));

const statusOf = async ({ id }: Stripe.Subscription) => (await stripe.subscriptions.retrieve(id)).status;

/** A plan whose first payment succeeded and whose renewals use this card. Stops when the renewal has been charged. */
async function renewing(card: string, on: StripeEmulator = local, interval: "month" | "year" = "year") {
  const customer = await newCustomer(on.stripe);
  const price = await newPrice(on.stripe, "Small", { interval });
  const subscription = await subscribe(on.stripe, customer, price);
  await useCard(on.stripe, customer, card);
  const end = itemOf(subscription).current_period_end;
  const events = await advanceTo(on, end + HOUR);
  return { customer, subscription, end, events };
}

const timeline = (events: string[]): string[] =>
  events.filter((type) => /^(invoice|customer\.subscription)\./.test(type) && type !== "invoice.updated");

describe("a renewal", () => {
  test("is drafted, finalized an hour later and paid, in that order", async () => {
    const { subscription, end, events } = await renewing("pm_card_visa");
    expect(timeline(events)).toEqual([
      "invoice.upcoming",
      "invoice.created",
      "customer.subscription.updated",
      "invoice.finalized",
      "invoice.paid",
      "invoice.payment_succeeded",
    ]);
    expect(await latestOf(stripe, subscription)).toMatchObject({
      created: end,
      status_transitions: { finalized_at: end + HOUR, paid_at: end + HOUR },
      attempt_count: 1,
      hosted_invoice_url: expect.stringContaining("/invoices/in_"),
    });
  });

  test("stays a draft that isn't collected until the hour has passed", async () => {
    const subscription = await subscribe(stripe, await newCustomer(stripe), await newPrice(stripe, "Small"));
    const end = itemOf(subscription).current_period_end;
    await advanceTo(local, end);
    expect(await latestOf(stripe, subscription)).toMatchObject({
      status: "draft",
      attempted: false,
      automatically_finalizes_at: end + HOUR,
      number: null,
    });
    expect(await statusOf(subscription)).toBe("active");
  });

  test("is announced a week before, with its amount", async () => {
    const subscription = await subscribe(stripe, await newCustomer(stripe), await newPrice(stripe, "Small"));
    const end = itemOf(subscription).current_period_end;
    await advanceTo(local, end - 7 * SECONDS_PER_DAY - MINUTE);
    const count = async () =>
      (await stripe.events.list({ type: "invoice.upcoming", limit: 100 })).data.filter(
        ({ data }) => "customer" in data.object && data.object.customer === subscription.customer,
      );
    expect(await count()).toEqual([]);
    await advanceTo(local, end - 7 * SECONDS_PER_DAY);
    expect(await count()).toMatchObject([
      { data: { object: { amount_due: 600, created: end, billing_reason: "upcoming" } } },
    ]);
  });
});

describe("a renewal that fails", () => {
  test("is retried after 2, 5, 7 and 7 days, then the subscription is unpaid", async () => {
    const { customer, subscription, end } = await renewing("pm_card_chargeCustomerFail");
    const failedAt = end + HOUR;
    const seen: [number, number, string, number | null][] = [];
    const look = async (day: number): Promise<void> => {
      const invoice = await latestOf(stripe, subscription);
      const next = invoice.next_payment_attempt;
      seen.push([
        day,
        invoice.attempt_count,
        await statusOf(subscription),
        next === null ? null : (next - failedAt) / SECONDS_PER_DAY,
      ]);
    };
    await look(0);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ delinquent: true });
    for (const day of [2, 7, 14, 21]) {
      await advanceTo(local, failedAt + day * SECONDS_PER_DAY - MINUTE);
      await look(day - 1);
      const events = await advanceTo(local, failedAt + day * SECONDS_PER_DAY);
      expect(timeline(events)).toEqual(
        day === 21 ? ["invoice.payment_failed", "customer.subscription.updated"] : ["invoice.payment_failed"],
      );
      await look(day);
    }
    expect(seen).toEqual([
      [0, 1, "past_due", 2],
      [1, 1, "past_due", 2],
      [2, 2, "past_due", 7],
      [6, 2, "past_due", 7],
      [7, 3, "past_due", 14],
      [13, 3, "past_due", 14],
      [14, 4, "past_due", 21],
      [20, 4, "past_due", 21],
      [21, 5, "unpaid", null],
    ]);
    expect(await latestOf(stripe, subscription)).toMatchObject({ status: "open", amount_remaining: 600 });
  });

  test("succeeds with another card at the next retry, and the subscription is active again", async () => {
    const { customer, subscription, end } = await renewing("pm_card_chargeCustomerFail");
    await useCard(stripe, customer, "pm_card_mastercard");
    const events = await advanceTo(local, end + HOUR + 2 * SECONDS_PER_DAY);
    expect(timeline(events)).toEqual(["invoice.paid", "invoice.payment_succeeded", "customer.subscription.updated"]);
    expect(await statusOf(subscription)).toBe("active");
    expect(await latestOf(stripe, subscription)).toMatchObject({ status: "paid", attempt_count: 2 });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ delinquent: false });
  });

  test("can be paid manually with the saved card or another one, and only once", async () => {
    const { customer, subscription } = await renewing("pm_card_chargeCustomerFail");
    const invoice = await latestOf(stripe, subscription);
    const id = String(invoice.id);
    await expect(stripe.invoices.pay(id)).rejects.toMatchObject({
      type: "StripeCardError",
      statusCode: 402,
      code: "card_declined",
      decline_code: "generic_decline",
    });
    // A manual attempt doesn't count: the retry schedule is unchanged.
    expect(await stripe.invoices.retrieve(id)).toMatchObject({
      attempt_count: 1,
      next_payment_attempt: invoice.next_payment_attempt,
    });
    const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
    expect(await stripe.invoices.pay(id, { payment_method: method.id })).toMatchObject({ status: "paid" });
    expect(await statusOf(subscription)).toBe("active");
    await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ message: "Invoice is already paid" });
  });

  test("isn't paid by another customer's card", async () => {
    const { subscription } = await renewing("pm_card_chargeCustomerFail");
    const other = await newCustomer(stripe);
    const invoice = await latestOf(stripe, subscription);
    await expect(
      stripe.invoices.pay(String(invoice.id), {
        payment_method: String(other.invoice_settings.default_payment_method),
      }),
    ).rejects.toMatchObject({ statusCode: 400, code: "resource_missing", param: "payment_method" });
  });

  test("until the subscription is unpaid leaves later invoices as drafts, and is active again once the latest is paid", async () => {
    const { customer, subscription, end } = await renewing("pm_card_chargeCustomerFail", local, "month");
    await advanceTo(local, end + HOUR + 21 * SECONDS_PER_DAY);
    expect(await statusOf(subscription)).toBe("unpaid");
    await advanceTo(local, end + 32 * SECONDS_PER_DAY);
    const [draft, open] = await invoicesOf(stripe, subscription);
    expect([draft?.status, draft?.auto_advance, open?.status]).toEqual(["draft", false, "open"]);
    await useCard(stripe, customer, "pm_card_visa");
    await stripe.invoices.pay(String(open?.id));
    expect(await statusOf(subscription)).toBe("unpaid");
    expect(await stripe.invoices.finalizeInvoice(String(draft?.id))).toMatchObject({ status: "open" });
    expect(await stripe.invoices.pay(String(draft?.id))).toMatchObject({ status: "paid" });
    expect(await statusOf(subscription)).toBe("active");
  });

  test("is no longer collected once it is void or written off, and credit that it used is returned", async () => {
    const { customer, subscription, end } = await renewing("pm_card_chargeCustomerFail");
    await stripe.invoices.markUncollectible(String((await latestOf(stripe, subscription)).id));
    expect(await statusOf(subscription)).toBe("active");

    await stripe.customers.createBalanceTransaction(customer.id, { amount: -100, currency: "eur" });
    const next = await stripe.subscriptions.retrieve(subscription.id);
    await advanceTo(local, itemOf(next).current_period_end + HOUR);
    const invoice = await latestOf(stripe, subscription);
    expect(invoice).toMatchObject({ amount_due: 500, starting_balance: -100, ending_balance: 0 });
    expect(await stripe.invoices.voidInvoice(String(invoice.id))).toMatchObject({ status: "void" });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -100 });
    expect(timeline(await advanceTo(local, end + HOUR + 400 * SECONDS_PER_DAY))).not.toContain(
      "invoice.payment_failed",
    );
  });

  test("is no longer collected after a cancellation: the invoice stays open, without retries", async () => {
    const { subscription, end } = await renewing("pm_card_chargeCustomerFail");
    await stripe.subscriptions.cancel(subscription.id);
    expect(await latestOf(stripe, subscription)).toMatchObject({
      status: "open",
      auto_advance: false,
      next_payment_attempt: null,
    });
    await advanceTo(local, end + HOUR + 30 * SECONDS_PER_DAY);
    expect(await latestOf(stripe, subscription)).toMatchObject({ attempt_count: 1 });
  });
});

describe("a renewal that needs the cardholder (3-D Secure)", () => {
  const confirm = (invoice: Stripe.Invoice, answer: "complete" | "fail") =>
    fetch(String(invoice.hosted_invoice_url), { method: "POST", body: new URLSearchParams({ answer }) });

  test("shows that, is past due meanwhile, and is paid when the cardholder confirms", async () => {
    const { subscription, events } = await renewing("pm_card_authenticationRequired");
    expect(timeline(events).slice(3)).toEqual([
      "invoice.finalized",
      "invoice.payment_action_required",
      "invoice.payment_failed",
      "customer.subscription.updated",
    ]);
    const invoice = await latestOf(stripe, subscription);
    const expanded = await stripe.invoices.retrieve(String(invoice.id), {
      expand: ["payments.data.payment.payment_intent", "confirmation_secret"],
    });
    expect(expanded).toMatchObject({
      confirmation_secret: { type: "payment_intent" },
      payments: {
        data: [
          {
            payment: {
              payment_intent: {
                status: "requires_action",
                next_action: { redirect_to_url: { url: invoice.hosted_invoice_url } },
              },
            },
          },
        ],
      },
    });
    await expect(stripe.invoices.pay(String(invoice.id))).rejects.toMatchObject({
      type: "StripeCardError",
      code: "invoice_payment_intent_requires_action",
    });
    expect(await (await fetch(String(invoice.hosted_invoice_url))).text()).toContain(
      "Your bank waits for your confirmation",
    );
    expect(await (await confirm(invoice, "fail")).text()).toContain("We are unable to authenticate");
    expect(await statusOf(subscription)).toBe("past_due");
    await stripe.invoices.pay(String(invoice.id)).catch(() => null);
    expect(await (await confirm(invoice, "complete")).text()).toContain("Receipt");
    expect(await statusOf(subscription)).toBe("active");
  });

  test("can also be paid with another card on its page", async () => {
    const { subscription } = await renewing("pm_card_authenticationRequired");
    const invoice = await latestOf(stripe, subscription);
    const body = new URLSearchParams({ testCard: "4242424242424242" });
    await fetch(String(invoice.hosted_invoice_url), { method: "POST", body });
    expect(await statusOf(subscription)).toBe("active");
  });
});

test.each(["canceled", "past_due"] as const)(
  "after the last retry the subscription is %s, if the account is configured so",
  async (end) => {
    const other = await startStripeEmulator({ afterLastRetry: end });
    try {
      const { subscription, end: renewedAt } = await renewing("pm_card_chargeCustomerFail", other);
      await advanceTo(other, renewedAt + HOUR + 21 * SECONDS_PER_DAY);
      const after = await other.stripe.subscriptions.retrieve(subscription.id);
      expect(after.status).toBe(end);
      if (end === "canceled") expect(after.cancellation_details).toMatchObject({ reason: "payment_failed" });
    } finally {
      await other.close();
    }
  },
);
