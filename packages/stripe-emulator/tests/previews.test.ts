import fc from "fast-check";
import type Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { setUpStripeEmulator } from "./driver.ts";
import {
  advanceTo,
  at,
  invoicesOf,
  itemOf,
  latestOf,
  linesOf,
  newCustomer,
  newPrice,
  nowOf,
  SECONDS_PER_DAY,
  subscribe,
} from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

beforeAll(async () => {
  await advanceTo(local, at("2030-06-01T00:00:00"));
});

/** All that a customer is shown about an amount before it is charged. */
const amountsOf = (invoice: Stripe.Invoice) => ({
  amountDue: invoice.amount_due,
  balances: [invoice.starting_balance, invoice.ending_balance],
  discounts: (invoice.total_discount_amounts ?? []).map(({ amount }) => amount),
  lines: invoice.lines.data.map(({ amount, description, period, taxes }) => ({ amount, description, period, taxes })),
  subtotal: invoice.subtotal,
  taxes: invoice.total_taxes,
  total: invoice.total,
});

interface Case {
  from: number;
  to: number;
  fromYear: boolean;
  toYear: boolean;
  currency: string;
  balance: number;
  coupon: "forever" | "none" | "once";
  isTaxed: boolean;
  /** Which part of the period was used. */
  used: number;
}

const CASES: fc.Arbitrary<Case> = fc.record({
  from: fc.integer({ min: 10, max: 2_000 }).map((tens) => tens * 10),
  to: fc.integer({ min: 10, max: 2_000 }).map((tens) => tens * 10),
  fromYear: fc.boolean(),
  toYear: fc.boolean(),
  currency: fc.constantFrom("eur", "jpy", "kwd"),
  balance: fc.constantFrom(0, 0, -70, -2_500, -100_000, 40),
  coupon: fc.constantFrom("none", "once", "forever"),
  isTaxed: fc.boolean(),
  used: fc.double({ min: 0, max: 1, noNaN: true }),
});

async function set(terms: Case) {
  const { currency } = terms;
  const duration = terms.coupon;
  const [from, to, customer, coupon] = await Promise.all([
    newPrice(stripe, "Small", { amount: terms.from, currency, interval: terms.fromYear ? "year" : "month" }),
    newPrice(stripe, "Large", { amount: terms.to, currency, interval: terms.toYear ? "year" : "month" }),
    newCustomer(stripe),
    duration === "none" ? null : stripe.coupons.create({ percent_off: 15, duration }),
  ]);
  const subscription = await subscribe(stripe, customer, from, {
    automatic_tax: { enabled: terms.isTaxed },
    ...(coupon !== null && { discounts: [{ coupon: coupon.id }] }),
  });
  if (terms.balance !== 0)
    await stripe.customers.createBalanceTransaction(customer.id, { amount: terms.balance, currency });
  const { current_period_start: start, current_period_end: end, id } = itemOf(subscription);
  const change = {
    items: [{ id, price: to.id }],
    proration_date: Math.round(start + (end - start) * terms.used),
  };
  return { customer, subscription, change };
}

describe("a preview equals the charge", () => {
  test("for a change that is billed immediately, for any plans, currency, credit, coupon and time", async () => {
    await fc.assert(
      fc.asyncProperty(CASES, async (terms) => {
        const { subscription, change } = await set(terms);
        const input = { ...change, proration_behavior: "always_invoice" as const };
        const preview = await stripe.invoices.createPreview({
          subscription: subscription.id,
          subscription_details: input,
        });
        // Whether billed now or with the renewal, nothing has been written yet.
        expect(await invoicesOf(stripe, subscription)).toHaveLength(1);
        const changed = await stripe.subscriptions.update(subscription.id, input);
        const invoice = await latestOf(stripe, changed);
        if (String(invoice.id) === String(subscription.latest_invoice)) return;
        // A new cycle begins when the change is made, which may be a second after the preview.
        const drift = itemOf(changed).current_period_start - itemOf(subscription).current_period_start;
        expect(amountsOf(withoutDrift(invoice, drift))).toEqual(amountsOf(withoutDrift(preview, drift)));
        expect(invoice).toMatchObject({ amount_paid: preview.amount_due, status: "paid" });
        expect(await stripe.customers.retrieve(String(invoice.customer))).toMatchObject({
          balance: preview.ending_balance,
        });
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  test("for a scheduled change, and for the renewal itself", async () => {
    const waiting: { preview: Stripe.Invoice; subscription: Stripe.Subscription }[] = [];
    await fc.assert(
      fc.asyncProperty(CASES, async (terms) => {
        const { subscription, change } = await set({ ...terms, fromYear: false, toYear: false });
        await stripe.subscriptions.update(subscription.id, { ...change, proration_behavior: "create_prorations" });
        const preview = await stripe.invoices.createPreview({ subscription: subscription.id });
        waiting.push({ preview, subscription });
      }),
      { numRuns: 8, endOnFailure: true },
    );
    await advanceTo(local, (await nowOf(local)) + 31 * SECONDS_PER_DAY);
    for (const { preview, subscription } of waiting) {
      const renewal = (await invoicesOf(stripe, subscription)).find(({ created }) => created === preview.created);
      expect(renewal).toBeDefined();
      if (renewal !== undefined) expect(amountsOf(renewal)).toEqual(amountsOf(preview));
    }
  });
});

/** Distinguishes periods that begin with the change from those fixed earlier. */
const withoutDrift = (invoice: Stripe.Invoice, drift: number): Stripe.Invoice =>
  drift === 0
    ? invoice
    : {
        ...invoice,
        lines: {
          ...invoice.lines,
          data: invoice.lines.data.map((line) =>
            line.parent?.subscription_item_details?.proration ? line : { ...line, period: { start: 0, end: 0 } },
          ),
        },
      };

describe("a preview", () => {
  test("of an upgrade is dated now, and of a scheduled change at its time", async () => {
    const { subscription, change } = await set({ ...PLAIN, used: 0.5 });
    const ask = (behavior: "always_invoice" | "create_prorations" | "none") =>
      stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: {
          items: change.items,
          proration_behavior: behavior,
          ...(behavior !== "none" && { proration_date: change.proration_date }),
        },
      });
    const now = await nowOf(local);
    const end = itemOf(subscription).current_period_end;
    const upgrade = await ask("always_invoice");
    expect(upgrade).toMatchObject({
      id: expect.stringMatching(/^upcoming_in_/),
      billing_reason: "upcoming",
      status: "draft",
    });
    expect(Math.abs(upgrade.created - now)).toBeLessThan(10);
    expect(linesOf(upgrade).map(([, amount]) => amount)).toEqual([-300, 750]);
    expect(upgrade.parent?.subscription_details?.subscription_proration_date).toBe(change.proration_date);
    const later = await ask("create_prorations");
    expect(later.created).toBe(end);
    expect(linesOf(later).map(([, amount]) => amount)).toEqual([-300, 750, 1_500]);
    expect(linesOf(await ask("none")).map(([, amount]) => amount)).toEqual([1_500]);
  });

  test("of a purchase contains the cost of the first order with a coupon", async () => {
    const customer = await newCustomer(stripe, null);
    const price = await newPrice(stripe, "Small");
    const coupon = await stripe.coupons.create({ amount_off: 500, currency: "eur", duration: "once" });
    const preview = await stripe.invoices.createPreview({
      customer: customer.id,
      discounts: [{ coupon: coupon.id }],
      automatic_tax: { enabled: true },
      subscription_details: { items: [{ price: price.id }] },
    });
    // 600 − 500 = 100, of which 100 × 20/120 = 16.67 → 17 are tax.
    expect(preview).toMatchObject({
      subtotal: 600,
      total: 100,
      amount_due: 100,
      total_discount_amounts: [{ amount: 500 }],
      total_taxes: [{ amount: 17 }],
    });
    expect((await stripe.subscriptions.list({ customer: customer.id, status: "all" })).data).toEqual([]);
  });

  test("of a subscription that doesn't renew is refused, as with Stripe", async () => {
    const { customer, subscription } = await set(PLAIN);
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await expect(stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
      statusCode: 404,
      code: "invoice_upcoming_none",
    });
    await stripe.subscriptions.cancel(subscription.id);
    await expect(stripe.invoices.createPreview({ customer: customer.id })).rejects.toMatchObject({
      code: "invoice_upcoming_none",
    });
  });

  test("refuses a fixed time without proration, and parameters that Stripe doesn't know", async () => {
    const { subscription, change } = await set(PLAIN);
    const ask = (details: object) =>
      stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: details });
    await expect(ask({ ...change, proration_behavior: "none" })).rejects.toMatchObject({
      param: "subscription_details[proration_date]",
    });
    await expect(ask({ ...change, prorate: true })).rejects.toMatchObject({
      code: "parameter_unknown",
      param: "subscription_details[prorate]",
    });
    await expect(ask({ items: [{ id: "si_none", price: "price_none" }] })).rejects.toMatchObject({
      param: "subscription_details[items][0][id]",
    });
  });
});

const PLAIN: Case = {
  from: 600,
  to: 1_500,
  fromYear: false,
  toYear: false,
  currency: "eur",
  balance: 0,
  coupon: "none",
  isTaxed: false,
  used: 0.5,
};
