import type Stripe from "stripe";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { PAUSE_CAUSES } from "../src/actions/subscriptions/pause-subscription.ts";
import { openCheckout, setUpStripeEmulator } from "./driver.ts";
import {
  advanceTo,
  at,
  endAll,
  invoicesOf,
  itemOf,
  latestOf,
  newCustomer,
  newPrice,
  nowOf,
  SECONDS_PER_DAY,
  subscribe,
  useCard,
} from "./plans-driver.ts";

const HOUR = 3_600;

const local = await setUpStripeEmulator();
const { stripe } = local;
let price: Stripe.Price;

beforeAll(async () => {
  await advanceTo(local, at("2030-06-01T00:00:00"));
  price = await newPrice(stripe, "Small");
});
afterEach(() => endAll(stripe));

const later = async (seconds: number): Promise<void> => {
  await advanceTo(local, (await nowOf(local)) + seconds);
};
const failing = async (): Promise<Stripe.Subscription> => {
  const customer = await newCustomer(stripe);
  const subscription = await subscribe(stripe, customer, price);
  await useCard(stripe, customer, "pm_card_chargeCustomerFail");
  await advanceTo(local, itemOf(subscription).current_period_end + HOUR);
  return subscription;
};
const priceOf = (subscription: Stripe.Subscription): string => itemOf(subscription).price.id;
const onTrial = async (missing: "cancel" | "create_invoice" | "pause"): Promise<Stripe.Subscription> => {
  const subscription = await subscribe(stripe, await newCustomer(stripe, null), price, {
    trial_period_days: 7,
    trial_settings: { end_behavior: { missing_payment_method: missing } },
  });
  await later(7 * SECONDS_PER_DAY + 2 * HOUR);
  return subscription;
};

describe("each of Stripe's eight states can be reached", () => {
  const ways: Record<string, () => Promise<Stripe.Subscription>> = {
    incomplete: async () => subscribe(stripe, await newCustomer(stripe, "pm_card_chargeCustomerFail"), price),
    incomplete_expired: async () => {
      const subscription = await subscribe(stripe, await newCustomer(stripe, "pm_card_chargeCustomerFail"), price);
      await later(23 * HOUR);
      return subscription;
    },
    trialing: async () => subscribe(stripe, await newCustomer(stripe, null), price, { trial_period_days: 7 }),
    active: async () => subscribe(stripe, await newCustomer(stripe), price),
    past_due: failing,
    unpaid: async () => {
      const subscription = await failing();
      await later(21 * SECONDS_PER_DAY);
      return subscription;
    },
    paused: () => onTrial("pause"),
    canceled: async () => stripe.subscriptions.cancel((await subscribe(stripe, await newCustomer(stripe), price)).id),
  };

  test.each(Object.entries(ways))("%s", async (status, way) => {
    const { id, customer } = await way();
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status });
    const listed = await stripe.subscriptions.list({
      customer: String(customer),
      status: status as Stripe.SubscriptionListParams.Status,
    });
    expect(listed.data.map((each) => each.id)).toEqual([id]);
  });
});

describe("a first payment", () => {
  test("that fails leaves the subscription incomplete, and active once it is paid within 23 hours", async () => {
    const customer = await newCustomer(stripe, "pm_card_chargeCustomerFail");
    const subscription = await subscribe(stripe, customer, price);
    expect(subscription.status).toBe("incomplete");
    const invoice = await latestOf(stripe, subscription);
    expect(invoice).toMatchObject({ status: "open", attempted: true, next_payment_attempt: null });
    await later(22 * HOUR);
    await useCard(stripe, customer, "pm_card_visa");
    await stripe.invoices.pay(String(invoice.id));
    await later(2 * HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: "active" });
  });

  test("that is never paid expires it, voids its invoice, and nothing renews", async () => {
    const subscription = await subscribe(stripe, await newCustomer(stripe), price, {
      payment_behavior: "default_incomplete",
    });
    expect(await latestOf(stripe, subscription)).toMatchObject({ status: "open", attempted: false });
    await later(23 * HOUR);
    expect(await latestOf(stripe, subscription)).toMatchObject({ status: "void" });
    await later(60 * SECONDS_PER_DAY);
    expect(await invoicesOf(stripe, subscription)).toHaveLength(1);
  });

  test("that is required to succeed creates nothing if it fails", async () => {
    const customer = await newCustomer(stripe, "pm_card_chargeCustomerFail");
    await expect(subscribe(stripe, customer, price, { payment_behavior: "error_if_incomplete" })).rejects.toMatchObject(
      { statusCode: 402, code: "card_declined" },
    );
    await expect(subscribe(stripe, await newCustomer(stripe, null), price)).rejects.toMatchObject({ statusCode: 400 });
    expect((await stripe.subscriptions.list({ customer: customer.id, status: "all" })).data).toEqual([]);
  });
});

describe("a trial's end without a card", () => {
  test.each([
    ["create_invoice", "past_due"],
    ["pause", "paused"],
    ["cancel", "canceled"],
  ] as const)("%s: %s", async (missing, status) => {
    expect(await stripe.subscriptions.retrieve((await onTrial(missing)).id)).toMatchObject({ status });
  });

  test("can pause it: nothing is billed until it is resumed with a card", async () => {
    const subscription = await onTrial("pause");
    await later(60 * SECONDS_PER_DAY);
    expect(await invoicesOf(stripe, subscription)).toHaveLength(1);
    const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: String(subscription.customer) });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
    const resumed = await stripe.subscriptions.resume(subscription.id);
    expect(resumed.status).toBe("active");
    expect(await latestOf(stripe, resumed)).toMatchObject({ status: "paid", amount_paid: 600 });
    await expect(stripe.subscriptions.resume(subscription.id)).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe("a pause", () => {
  const causeOf = async (id: string) => {
    const { status, status_details: details } = await stripe.subscriptions.retrieve(id);
    return [status, details?.paused.subscription.type];
  };

  test("has the cause that was ordered, and none any more once it is resumed", async () => {
    for (const cause of PAUSE_CAUSES) {
      const { id } = await subscribe(stripe, await newCustomer(stripe), price);
      await local.control("pause", { subscription: id, paused: "yes", cause });
      expect(await causeOf(id)).toEqual(["paused", cause]);
      await local.control("pause", { subscription: id, paused: "no" });
      expect(await causeOf(id)).toEqual(["active", undefined]);
    }
  });

  test.each([
    ["first", "first_payment_failure", 0],
    ["last", "final_payment_failure", 22],
  ])(
    "after the %s failed attempt leaves the invoice open; paid, it can be resumed in its period",
    async (pausesAfter, cause, days) => {
      await local.control("retries", { pausesAfter });
      const { id, customer } = await failing();
      await later(days * SECONDS_PER_DAY);
      await local.control("retries", {});
      expect(await causeOf(id)).toEqual(["paused", cause]);
      const paused = await stripe.subscriptions.retrieve(id);
      const invoice = await latestOf(stripe, paused);
      expect(invoice.status).toBe("open");
      await useCard(stripe, (await stripe.customers.retrieve(String(customer))) as Stripe.Customer, "pm_card_visa");
      await stripe.invoices.pay(String(invoice.id));
      expect((await causeOf(id))[0]).toBe("paused");
      const unchanged = { billing_cycle_anchor: { type: "unchanged" }, proration_behavior: "none" } as const;
      const resumed = await stripe.subscriptions.resume(id, unchanged);
      expect([resumed.status, itemOf(resumed).current_period_end]).toEqual([
        "active",
        itemOf(paused).current_period_end,
      ]);
      expect(await invoicesOf(stripe, resumed)).toHaveLength(2);
      await advanceTo(local, itemOf(resumed).current_period_end + 2 * HOUR);
      expect(await latestOf(stripe, await stripe.subscriptions.retrieve(id))).toMatchObject({ status: "paid" });
    },
  );
});

describe("a pause after a failed payment, if the dashboard says that it resumes", () => {
  const pausedWith = async (resumes: "never" | "now" | "unchanged") => {
    await local.control("retries", { pausesAfter: "first", resumes });
    const { id, customer } = await failing();
    const paused = await stripe.subscriptions.retrieve(id);
    expect(paused.status).toBe("paused");
    await useCard(stripe, (await stripe.customers.retrieve(String(customer))) as Stripe.Customer, "pm_card_visa");
    return { id, paused, invoice: await latestOf(stripe, paused) };
  };
  const resumptionsOf = async (id: string) =>
    (await stripe.events.list({ type: "customer.subscription.resumed", limit: 100 })).data.filter(
      ({ data }) => "id" in data.object && data.object.id === id,
    );
  afterEach(() => local.control("retries", {}));

  test.each(["pay", "markUncollectible"] as const)("ends with %s of its invoice, in the same cycle", async (way) => {
    const { id, paused, invoice } = await pausedWith("unchanged");
    await stripe.invoices[way](invoice.id);
    const resumed = await stripe.subscriptions.retrieve(id);
    expect(resumed).toMatchObject({ status: "active", items: { data: [paused.items.data[0]] } });
    expect(resumed.status_details).toBeUndefined();
    expect(await resumptionsOf(id)).toHaveLength(1);
    expect(await invoicesOf(stripe, resumed)).toHaveLength(2);
  });

  test("may begin a new cycle, which is charged", async () => {
    const { id, invoice } = await pausedWith("now");
    await later(SECONDS_PER_DAY);
    await stripe.invoices.pay(invoice.id);
    const resumed = await stripe.subscriptions.retrieve(id);
    expect(resumed.status).toBe("active");
    expect(Math.abs(itemOf(resumed).current_period_start - (await nowOf(local)))).toBeLessThan(60);
    expect(await latestOf(stripe, resumed)).toMatchObject({ status: "paid", amount_paid: 600 });
    expect(await invoicesOf(stripe, resumed)).toHaveLength(3);
  });

  test("doesn't end if it doesn't, or if the invoice is void", async () => {
    const never = await pausedWith("never");
    await stripe.invoices.pay(never.invoice.id);
    expect((await stripe.subscriptions.retrieve(never.id)).status).toBe("paused");
    const voided = await pausedWith("unchanged");
    await stripe.invoices.voidInvoice(voided.invoice.id);
    expect((await stripe.subscriptions.retrieve(voided.id)).status).toBe("paused");
  });

  test("doesn't end a pause of the team's", async () => {
    await local.control("retries", { resumes: "unchanged" });
    const { id } = await failing();
    await local.control("pause", { subscription: id, paused: "yes" });
    const paused = await stripe.subscriptions.retrieve(id);
    await useCard(
      stripe,
      (await stripe.customers.retrieve(String(paused.customer))) as Stripe.Customer,
      "pm_card_visa",
    );
    await stripe.invoices.pay((await latestOf(stripe, paused)).id);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("paused");
  });
});

describe("a change whose payment fails", () => {
  const change = async (
    behavior: Stripe.SubscriptionUpdateParams.PaymentBehavior,
    card = "pm_card_chargeCustomerFail",
    extra: Stripe.SubscriptionUpdateParams = {},
  ) => {
    const customer = await newCustomer(stripe);
    const large = await newPrice(stripe, "Large", { amount: 1_500 });
    const subscription = await subscribe(stripe, customer, price);
    await useCard(stripe, customer, card);
    const { id, current_period_start } = itemOf(subscription);
    const answer = stripe.subscriptions.update(subscription.id, {
      items: [{ id, price: large.id }],
      proration_behavior: "always_invoice",
      proration_date: current_period_start,
      payment_behavior: behavior,
      ...extra,
    });
    return { customer, large, subscription, answer };
  };

  test("with allow_incomplete applies the change, is past due, and is retried", async () => {
    const { large, answer } = await change("allow_incomplete");
    const changed = await answer;
    expect([priceOf(changed), changed.status]).toEqual([large.id, "past_due"]);
    expect(await latestOf(stripe, changed)).toMatchObject({
      billing_reason: "subscription_update",
      status: "open",
      amount_due: 900,
      attempt_count: 1,
      next_payment_attempt: expect.any(Number),
    });
  });

  test("with default_incomplete applies the change without an attempt", async () => {
    const { large, answer } = await change("default_incomplete", "pm_card_visa");
    const changed = await answer;
    expect([priceOf(changed), changed.status]).toEqual([large.id, "past_due"]);
    const invoice = await latestOf(stripe, changed);
    expect(invoice).toMatchObject({ status: "open", attempted: false });
    await stripe.invoices.pay(String(invoice.id));
    expect(await stripe.subscriptions.retrieve(changed.id)).toMatchObject({ status: "active" });
  });

  test.each([
    ["pm_card_chargeCustomerFail", "card_declined"],
    ["pm_card_authenticationRequired", "subscription_payment_intent_requires_action"],
  ])("with error_if_incomplete and %s is an error, and changes nothing", async (card, code) => {
    const { subscription, answer } = await change("error_if_incomplete", card);
    await expect(answer).rejects.toMatchObject({ type: "StripeCardError", statusCode: 402, code });
    const same = await stripe.subscriptions.retrieve(subscription.id);
    expect([priceOf(same), same.status, same.latest_invoice]).toEqual([
      price.id,
      "active",
      subscription.latest_invoice,
    ]);
    expect((await stripe.invoiceItems.list({ customer: String(same.customer) })).data).toEqual([]);
  });

  test("with pending_if_incomplete changes nothing, and the requested change waits for its payment", async () => {
    const { customer, large, answer } = await change("pending_if_incomplete");
    const waiting = await answer;
    expect([priceOf(waiting), waiting.status]).toEqual([price.id, "active"]);
    expect(waiting.pending_update).toMatchObject({
      expires_at: expect.any(Number),
      subscription_items: [{ id: itemOf(waiting).id, price: { id: large.id } }],
    });
    const invoice = await latestOf(stripe, waiting);
    expect(invoice).toMatchObject({ status: "open", amount_due: 900, next_payment_attempt: null });
    await useCard(stripe, customer, "pm_card_visa");
    await stripe.invoices.pay(String(invoice.id));
    const changed = await stripe.subscriptions.retrieve(waiting.id);
    expect([priceOf(changed), changed.pending_update]).toEqual([large.id, null]);
    const { data } = await stripe.events.list({ type: "customer.subscription.pending_update_applied" });
    expect(data[0]?.data.object).toMatchObject({ id: waiting.id });
  });

  test("with pending_if_incomplete is dropped after 23 hours without a payment, and its invoice voided", async () => {
    const { large, subscription, answer } = await change("pending_if_incomplete", "pm_card_authenticationRequired");
    const waiting = await answer;
    const invoice = await latestOf(stripe, waiting);
    await later(23 * HOUR);
    const same = await stripe.subscriptions.retrieve(subscription.id);
    expect([priceOf(same), same.status, same.pending_update]).toEqual([price.id, "active", null]);
    expect(await stripe.invoices.retrieve(String(invoice.id))).toMatchObject({ status: "void" });
    // Its credit wasn't used up: the same change costs the same.
    const { id, current_period_start } = itemOf(same);
    const preview = await stripe.invoices.createPreview({
      subscription: same.id,
      subscription_details: {
        items: [{ id, price: large.id }],
        proration_behavior: "always_invoice",
        proration_date: current_period_start,
      },
    });
    expect(preview.total).toBe(900);
  });

  test("with pending_if_incomplete is dropped immediately when its invoice is voided", async () => {
    const { answer } = await change("pending_if_incomplete");
    const waiting = await answer;
    await stripe.invoices.voidInvoice(String((await latestOf(stripe, waiting)).id));
    const same = await stripe.subscriptions.retrieve(waiting.id);
    expect([priceOf(same), same.status, same.pending_update]).toEqual([price.id, "active", null]);
    const { data } = await stripe.events.list({ type: "customer.subscription.pending_update_expired", limit: 1 });
    expect(data[0]?.data.object).toMatchObject({ id: waiting.id });
  });

  test("with pending_if_incomplete and a good card happens immediately, and parameters that can't wait are refused", async () => {
    const { large, answer } = await change("pending_if_incomplete", "pm_card_visa");
    const changed = await answer;
    expect([priceOf(changed), changed.pending_update]).toEqual([large.id, null]);
    expect(await latestOf(stripe, changed)).toMatchObject({ status: "paid" });
    const refused = await change("pending_if_incomplete", "pm_card_visa", { metadata: { plan: "large" } });
    await expect(refused.answer).rejects.toMatchObject({ statusCode: 400, param: "metadata" });
  });
});

/** A running plan, with a bank account and a card on file. */
async function withBankAndCard() {
  const { customer, session } = await openCheckout(stripe);
  for (const outcome of ["processing", "paid"]) await local.control("checkout", { session: session.id, outcome });
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  if (subscription === undefined) throw new Error("no subscription");
  const [bank] = (await stripe.customers.listPaymentMethods(customer.id, { type: "sepa_debit" })).data;
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  const methods = { bank: String(bank?.id), card: card.id, "": "" };
  const large = await newPrice(stripe, "Large", { amount: 1500 });
  return {
    before: subscription,
    large,
    payBy: async (own: keyof typeof methods, standard: "bank" | "card") => {
      await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: methods[standard] } });
      await stripe.subscriptions.update(subscription.id, { default_payment_method: methods[own] });
    },
    change: (payment_behavior: Stripe.SubscriptionUpdateParams.PaymentBehavior) =>
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: itemOf(subscription).id, price: large.id }],
        payment_behavior,
        proration_behavior: "always_invoice",
      }),
  };
}

describe("a pending update for a plan that is paid by bank debit", () => {
  test.each([
    ["bank", "card"],
    ["", "bank"],
  ] as const)("is refused, and changes nothing: own method '%s', the customer's %s", async (own, standard) => {
    const { before, payBy, change } = await withBankAndCard();
    await payBy(own, standard);
    await expect(change("pending_if_incomplete")).rejects.toMatchObject({
      statusCode: 400,
      type: "StripeInvalidRequestError",
      param: "payment_behavior",
    });
    const after = await stripe.subscriptions.retrieve(before.id);
    expect([priceOf(after), after.pending_update, after.latest_invoice]).toEqual([
      priceOf(before),
      null,
      before.latest_invoice,
    ]);
  });

  test.each([
    ["card", "bank"],
    ["", "card"],
  ] as const)("is accepted once a card pays: own method '%s', the customer's %s", async (own, standard) => {
    const { large, payBy, change } = await withBankAndCard();
    await payBy(own, standard);
    expect(priceOf(await change("pending_if_incomplete"))).toBe(large.id);
  });

  test("is all that is refused: the change itself can be made, and is paid days later", async () => {
    const { large, payBy, change } = await withBankAndCard();
    await payBy("bank", "bank");
    const changed = await change("allow_incomplete");
    expect(priceOf(changed)).toBe(large.id);
    expect(await latestOf(stripe, changed)).toMatchObject({ status: "open", attempted: true });
  });
});

test("a bank debit also renews: active while it is processing, paid when it has completed", async () => {
  const { customer, session } = await openCheckout(stripe);
  await local.control("checkout", { session: session.id, outcome: "processing" });
  await local.control("checkout", { session: session.id, outcome: "paid" });
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  if (subscription === undefined) throw new Error("no subscription");
  await advanceTo(local, itemOf(subscription).current_period_end + HOUR);
  const renewal = await latestOf(stripe, subscription);
  expect(renewal).toMatchObject({ status: "open", attempted: true });
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: "active" });
  await expect(stripe.invoices.pay(String(renewal.id))).rejects.toMatchObject({ statusCode: 400 });
  await later(5 * SECONDS_PER_DAY);
  expect(await stripe.invoices.retrieve(String(renewal.id))).toMatchObject({ status: "paid" });
});

test.each([
  ["paid", "paid", "succeeded"],
  ["declined", "void", "failed"],
])(
  "an invoice whose bank debit is processing can't be voided, also when its plan has ended: %s",
  async (outcome, ...end) => {
    const { customer, session } = await openCheckout(stripe);
    for (const answer of ["processing", "paid"])
      await local.control("checkout", { session: session.id, outcome: answer });
    const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
    if (subscription === undefined) throw new Error("no subscription");
    await advanceTo(local, itemOf(subscription).current_period_end + HOUR);
    const renewal = String((await latestOf(stripe, subscription)).id);
    const refused = { statusCode: 400, code: "invoice_not_editable" };
    await expect(stripe.invoices.voidInvoice(renewal)).rejects.toMatchObject(refused);
    await stripe.subscriptions.cancel(subscription.id);
    await expect(stripe.invoices.voidInvoice(renewal)).rejects.toMatchObject(refused);
    expect(await stripe.invoices.retrieve(renewal)).toMatchObject({ status: "open" });
    const [charge] = (await stripe.charges.list({ customer: customer.id, limit: 1 })).data;
    expect(charge).toMatchObject({ status: "pending" });
    await local.control("debit", { order: charge?.id, outcome });
    if (outcome === "declined") await stripe.invoices.voidInvoice(renewal);
    const { status } = await stripe.invoices.retrieve(renewal);
    expect([status, (await stripe.charges.retrieve(String(charge?.id))).status]).toEqual(end);
  },
);
