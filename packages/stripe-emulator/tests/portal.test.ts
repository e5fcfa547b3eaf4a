import type Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { buy, refusal, setUpStripeEmulator, startStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

beforeAll(async () => {
  await local.control("portal", {});
});

const FEATURES = {
  customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;
const SITE = "http://localhost:8787/settings";
const ADDRESS = { name: "Ada Ltd", line1: "1 Main St", postal_code: "D02", city: "Dublin", country: "ie" };

async function openPortal(card?: string, extra: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) {
  const bought = await buy(local, card);
  const customer = bought.customer.id;
  const portal = await stripe.billingPortal.sessions.create({ customer, return_url: SITE, ...extra });
  return {
    ...bought,
    look: async (query = "") => (await fetch(portal.url + query)).text(),
    press: async (fields: Record<string, string>, step = ""): Promise<string> => {
      const answer = await fetch(portal.url + step, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams(fields),
      });
      return answer.headers.get("location")?.replace(portal.url, "") ?? `${answer.status} ${await answer.text()}`;
    },
    customerNow: async () => (await stripe.customers.retrieve(customer)) as Stripe.Customer,
    planNow: async () =>
      (await stripe.subscriptions.list({ customer, expand: ["data.default_payment_method"] })).data[0],
    methods: async () => (await stripe.paymentMethods.list({ customer })).data,
  };
}

describe("a card", () => {
  test("from checkout is the plan's own, and one that is added becomes the customer's default without affecting the plan", async () => {
    const portal = await openPortal();
    expect((await portal.customerNow()).invoice_settings.default_payment_method).toBeNull();
    expect(await portal.press({ number: "5555 5555 5555 4444", expiry: "01 / 33" })).toBe("?done=added");
    expect(await portal.look("?done=added")).toContain("Your new card is saved.");
    const [added, first] = await portal.methods();
    expect(added).toMatchObject({ card: { brand: "mastercard", last4: "4444", exp_month: 1, exp_year: 2033 } });
    expect((await portal.customerNow()).invoice_settings.default_payment_method).toBe(added?.id);
    expect(await portal.planNow()).toMatchObject({ default_payment_method: { id: first?.id } });
    const { data } = await stripe.events.list({ types: ["payment_method.attached", "customer.updated"], limit: 2 });
    expect(data.map(({ type }) => type)).toEqual(["customer.updated", "payment_method.attached"]);
  });

  test("that is the default is charged for a plan without its own card", async () => {
    const portal = await openPortal("4000000000000341");
    await local.control("clock", { advanceDays: 32 });
    const [due] = (await stripe.invoices.list({ customer: portal.customer.id, status: "open" })).data;
    expect(await portal.planNow()).toMatchObject({ status: "past_due" });
    await portal.press({ number: "4242 4242 4242 4242" });
    expect(await refusal(stripe.invoices.pay(String(due?.id)))).toMatchObject({
      statusCode: 402,
      type: "StripeCardError",
      code: "card_declined",
    });
    await stripe.subscriptions.update(String((await portal.planNow())?.id), { default_payment_method: "" });
    expect(await stripe.invoices.pay(String(due?.id))).toMatchObject({ status: "paid", amount_paid: 600 });
    expect(await portal.planNow()).toMatchObject({ status: "active", default_payment_method: null });
  });

  test("that has expired is refused at the renewal, until its bank renews it", async () => {
    const portal = await openPortal();
    const soon = new Date((await portal.customerNow()).created * 1000);
    const month = `${soon.getUTCMonth() + 1} / ${soon.getUTCFullYear()}`;
    await portal.press({ number: "5555555555554444", expiry: month });
    const plan = String((await portal.planNow())?.id);
    await stripe.subscriptions.update(plan, { default_payment_method: "" });
    await local.control("clock", { advanceDays: 32 });
    const [due] = (await stripe.invoices.list({ customer: portal.customer.id, status: "open" })).data;
    expect(await refusal(stripe.invoices.pay(String(due?.id)))).toMatchObject({
      statusCode: 402,
      code: "expired_card",
      decline_code: "expired_card",
    });
    expect((await stripe.charges.list({ customer: portal.customer.id, limit: 1 })).data).toMatchObject([
      { status: "failed", failure_code: "expired_card" },
    ]);
    const [method] = await portal.methods();
    await local.control("card", { order: portal.charge.id });
    expect(await refusal(stripe.invoices.pay(String(due?.id)))).toMatchObject({ code: "expired_card" });
    await portal.press({ intent: "choose", method: String((await portal.methods())[1]?.id) });
    expect(method?.card?.last4).toBe("4444");
    expect(await stripe.invoices.pay(String(due?.id))).toMatchObject({ status: "paid" });
  });

  test("can be added without becoming the default, made default later, and chosen for a payment", async () => {
    const portal = await openPortal();
    await portal.press({ testCard: "5555555555554444", keepDefault: "on" });
    expect((await portal.customerNow()).invoice_settings.default_payment_method).toBeNull();
    const [added] = await portal.methods();
    expect(await portal.press({ intent: "choose", method: String(added?.id) })).toBe("?done=chosen");
    expect((await portal.customerNow()).invoice_settings.default_payment_method).toBe(added?.id);
    const plan = String((await portal.planNow())?.id);
    expect(await portal.press({ intent: "choose-for-plan", subscription: plan, method: "" })).toBe("?done=chosen");
    await portal.press({ intent: "choose-for-plan", subscription: plan, method: String(added?.id) });
    expect(await portal.planNow()).toMatchObject({ default_payment_method: { card: { last4: "4444" } } });
  });

  test("can be removed unless something is charged to it", async () => {
    const portal = await openPortal();
    await portal.press({ testCard: "5555555555554444", keepDefault: "on" });
    const [added, first] = await portal.methods();
    expect(await portal.press({ intent: "remove", method: String(first?.id) })).toMatch(/^400 [^]*Choose another one/);
    expect(await portal.press({ intent: "remove", method: String(added?.id) })).toBe("?done=removed");
    expect((await portal.methods()).map(({ id }) => id)).toEqual([first?.id]);
    const { data } = await stripe.events.list({ type: "payment_method.detached", limit: 1 });
    expect(data[0]).toMatchObject({
      data: { object: { id: added?.id, customer: null }, previous_attributes: { customer: portal.customer.id } },
    });
  });

  test("can be detached by API, once, even while a plan is charged to it, which then has no card", async () => {
    const portal = await openPortal();
    const [first] = await portal.methods();
    await portal.press({ intent: "choose", method: String(first?.id) });
    expect(await stripe.paymentMethods.detach(String(first?.id))).toMatchObject({ id: first?.id, customer: null });
    expect((await portal.customerNow()).invoice_settings.default_payment_method).toBeNull();
    expect(await portal.planNow()).toMatchObject({ status: "active", default_payment_method: null });
    expect(await portal.methods()).toEqual([]);
    const { data } = await stripe.events.list({ limit: 3 });
    expect(data.map(({ type }) => type).toReversed()).toEqual([
      "payment_method.detached",
      "customer.updated",
      "customer.subscription.updated",
    ]);
    expect(await refusal(stripe.paymentMethods.detach(String(first?.id)))).toMatchObject({ statusCode: 400 });
  });

  test("of another customer can't be chosen", async () => {
    const [mine, theirs] = [await openPortal(), await openPortal()];
    const [method] = await theirs.methods();
    expect(await mine.press({ intent: "choose", method: String(method?.id) })).toMatch(/^404/);
    expect(await mine.press({ intent: "remove", method: String(method?.id) })).toMatch(/^404/);
  });

  test.each([
    [{ number: "1234" }, "number", "not one of Stripe&#39;s test cards"],
    [{ number: "4242424242424242", expiry: "13 / 30" }, "expiry", "no date in the future"],
    [{ number: "4242424242424242", expiry: "01 / 20" }, "expiry", "no date in the future"],
    [{ number: "4000000000000002" }, "declined", "Your card was declined"],
  ])("that is invalid is refused with a message: %j", async (fields, problem, message) => {
    const portal = await openPortal();
    expect(await portal.press(fields)).toBe(`?done=${problem}`);
    expect(await portal.look(`?done=${problem}`)).toContain(message);
    expect(await portal.methods()).toHaveLength(1);
  });

  test("that requires the cardholder is saved only once they confirm", async () => {
    const portal = await openPortal();
    expect(await portal.press({ testCard: "4000002500003155" })).toBe("/confirm");
    expect(await portal.look("/confirm")).toContain("3-D Secure");
    expect(await portal.methods()).toHaveLength(1);
    expect(await portal.press({ answer: "fail" }, "/confirm")).toBe("?done=declined");
    expect(await portal.methods()).toHaveLength(1);
    await portal.press({ testCard: "4000002500003155" });
    expect(await portal.press({ answer: "complete" }, "/confirm")).toBe("?done=added");
    expect(await portal.methods()).toHaveLength(2);
  });

  test("can be added by a deep link, whose page does only that and leads back to the site", async () => {
    const portal = await openPortal(undefined, {
      flow_data: {
        type: "payment_method_update",
        after_completion: { type: "redirect", redirect: { return_url: `${SITE}?card=changed` } },
      },
    });
    expect(await portal.look()).not.toContain("VAT");
    expect(await portal.press({ number: "5555555555554444" })).toBe(`${SITE}?card=changed`);
    expect((await portal.customerNow()).invoice_settings.default_payment_method).toBe((await portal.methods())[0]?.id);
  });
});

describe("billing details", () => {
  test("are on later invoices, and not on earlier ones", async () => {
    const portal = await openPortal();
    await portal.press({ intent: "details", ...ADDRESS });
    await portal.press({ intent: "add-tax-id", tax_id: "ie 1234567fa" });
    await local.control("clock", { advanceDays: 32 });
    const [renewal, first] = (await stripe.invoices.list({ customer: portal.customer.id })).data;
    expect(renewal).toMatchObject({
      customer_name: "Ada Ltd",
      customer_address: { line1: "1 Main St", city: "Dublin", postal_code: "D02", country: "IE", line2: null },
      customer_tax_ids: [{ type: "eu_vat", value: "IE1234567FA" }],
    });
    expect(first).toMatchObject({ customer_name: null, customer_address: null, customer_tax_ids: [] });
    expect(await portal.look()).toContain("IE1234567FA");
    const [{ id } = { id: "" }] = (await stripe.customers.listTaxIds(portal.customer.id)).data;
    await portal.press({ intent: "remove-tax-id", taxId: id });
    expect((await stripe.customers.listTaxIds(portal.customer.id)).data).toEqual([]);
  });

  test.each([
    [{ ...ADDRESS, name: " " }, "name"],
    [{ ...ADDRESS, city: "" }, "address"],
    [{ ...ADDRESS, country: "Ireland" }, "country"],
  ])("that are incomplete are refused: %j", async (fields, problem) => {
    const portal = await openPortal();
    expect(await portal.press({ intent: "details", ...fields })).toBe(`?done=${problem}`);
    expect(await portal.press({ intent: "add-tax-id", tax_id: "XX1" })).toBe("?done=tax-id");
    expect(await portal.customerNow()).toMatchObject({ name: null, address: null });
  });
});

describe("configurations", () => {
  const { configurations, sessions } = {
    configurations: () => stripe.billingPortal.configurations,
    sessions: () => stripe.billingPortal.sessions,
  };

  test("have a default, saved in the dashboard, which sessions use unless they name another, and which can't be deactivated", async () => {
    const [standard] = (await configurations().list({ is_default: true })).data;
    const other = await configurations().create({
      features: { payment_method_update: { enabled: false } },
      name: "Nothing",
      default_return_url: SITE,
    });
    expect([standard?.is_default, other.is_default]).toEqual([true, false]);
    expect((await configurations().list({ is_default: false })).data).toEqual([other]);
    const { customer } = await buy(local);
    expect(await sessions().create({ customer: customer.id })).toMatchObject({
      configuration: standard?.id,
      return_url: null,
    });
    expect(await sessions().create({ customer: customer.id, configuration: other.id })).toMatchObject({
      configuration: other.id,
      return_url: SITE,
    });
    expect(await refusal(configurations().update(String(standard?.id), { active: false }))).toMatchObject({
      param: "active",
    });
    expect(await configurations().update(other.id, { active: false })).toMatchObject({ active: false });
    expect((await configurations().list({ active: false })).data).toMatchObject([{ id: other.id }]);
    const closed = sessions().create({ customer: customer.id, configuration: other.id });
    expect(await refusal(closed)).toMatchObject({ statusCode: 400, param: "configuration" });
    expect(await refusal(sessions().create({ customer: customer.id, configuration: "bpc_none" }))).toMatchObject({
      param: "configuration",
    });
  });

  test("are needed: an account without a default opens no portal, unless the session names one that was made by API", async () => {
    const empty = await startStripeEmulator();
    const { id: customer } = await empty.stripe.customers.create();
    const made = await empty.stripe.billingPortal.configurations.create({ features: FEATURES });
    expect(made.is_default).toBe(false);
    const session = { customer, configuration: made.id };
    expect(await empty.stripe.billingPortal.sessions.create(session)).toMatchObject({ configuration: made.id });
    expect(await refusal(empty.stripe.billingPortal.sessions.create({ customer }))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("default configuration has not been created"),
    });
    await empty.close();
  });

  test("define what a customer sees and may do, also on a page that is already open", async () => {
    const { id } = await configurations().create({ features: { payment_method_update: { enabled: true } } });
    const portal = await openPortal(undefined, { configuration: id });
    expect(await portal.look()).toContain("Add a card");
    expect(await portal.look()).not.toMatch(/Billing details|VAT/);
    expect(await portal.press({ intent: "details", ...ADDRESS })).toMatch(/^400 [^]*offer that/);
    expect(await portal.press({ intent: "add-tax-id", tax_id: "IE1234567FA" })).toMatch(/^400/);
    await configurations().update(id, { features: { ...FEATURES, payment_method_update: { enabled: false } } });
    expect(await portal.look()).not.toContain("Add a card");
    expect(await portal.press({ number: "5555555555554444" })).toMatch(/^400/);
    expect(await portal.press({ intent: "details", ...ADDRESS })).toBe("?done=details");
  });

  test("that are unknown, or that this portal can't apply, are refused by name", async () => {
    const params = { features: FEATURES, shop: "Example" };
    expect(await refusal(configurations().create(params))).toMatchObject({ code: "parameter_unknown", param: "shop" });
    const listing = { ...FEATURES, invoice_history: { enabled: true } };
    expect(await refusal(configurations().create({ features: listing }))).toMatchObject({
      param: "features[invoice_history][enabled]",
    });
    const updates = { customer_update: { enabled: true, allowed_updates: ["shoe_size"] } };
    expect((await refusal(configurations().create({ features: updates }))).message).toContain(
      "must be one of address, email",
    );
  });
});
