import type Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { refusal, setUpStripeEmulator } from "./driver.ts";
import { itemOf, latestOf, newCustomer, newPrice, subscribe, useCard } from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;
const SITE = "http://localhost:8787/settings";
const BACK = { type: "redirect", redirect: { return_url: `${SITE}?done` } } as const;
let small: Stripe.Price;
let large: Stripe.Price;
let configuration: string;

beforeAll(async () => {
  small = await newPrice(stripe, "Small");
  large = await newPrice(stripe, "Large", { amount: 1_500 });
  ({ id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      payment_method_update: { enabled: true },
      subscription_cancel: {
        enabled: true,
        mode: "at_period_end",
        cancellation_reason: { enabled: true, options: ["too_expensive", "unused"] },
      },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price"],
        proration_behavior: "always_invoice",
        products: [small, large].map(({ id, product }) => ({ product: String(product), prices: [id] })),
      },
    },
  }));
});

async function newPlan() {
  const customer = await newCustomer(stripe);
  const subscription = await subscribe(stripe, customer, small);
  return { customer, subscription, now: () => stripe.subscriptions.retrieve(subscription.id) };
}

type FlowData = Stripe.BillingPortal.SessionCreateParams.FlowData;

const open = (customer: Stripe.Customer, flow_data?: FlowData, more: Stripe.BillingPortal.SessionCreateParams = {}) =>
  stripe.billingPortal.sessions.create({
    customer: customer.id,
    configuration,
    return_url: SITE,
    ...(flow_data && { flow_data }),
    ...more,
  });
const look = async (url: string): Promise<string> => (await fetch(url)).text();
const press = async ({ url }: { url: string }, fields: Record<string, string>): Promise<string> => {
  const answer = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
  return answer.headers.get("location") ?? `${answer.status} ${await answer.text()}`;
};

describe("the flow of a cancellation", () => {
  const cancelling = (subscription: string, more: Partial<FlowData> = {}): FlowData => ({
    type: "subscription_cancel",
    subscription_cancel: { subscription },
    ...more,
  });

  test("shows that alone, ends the plan with its period for the reason given, and leads back to the site", async () => {
    const { customer, subscription, now } = await newPlan();
    const session = await open(customer, cancelling(subscription.id, { after_completion: BACK }));
    expect(session.flow).toMatchObject({
      type: "subscription_cancel",
      subscription_cancel: { subscription: subscription.id, retention: null },
      subscription_update: null,
      after_completion: { ...BACK, hosted_confirmation: null },
    });
    const page = await look(session.url);
    for (const shown of ["Small, €6.00 a month", "It ends on", "too expensive", "Cancel plan"])
      expect(page).toContain(shown);
    expect(page).not.toContain("Add a card");
    const order = { intent: "cancel-plan", subscription: subscription.id, feedback: "too_expensive" };
    expect(await press(session, order)).toBe(`${SITE}?done`);
    expect(await now()).toMatchObject({
      status: "active",
      cancel_at_period_end: true,
      cancellation_details: { feedback: "too_expensive", reason: "cancellation_requested" },
    });
    const again = open(customer, cancelling(subscription.id));
    expect(await refusal(again)).toMatchObject({ param: "flow_data[subscription_cancel][subscription]" });
  });

  test("ends with the portal's own page, or with a message", async () => {
    const { customer, subscription } = await newPlan();
    const home = await open(customer, cancelling(subscription.id));
    const to = await press(home, { intent: "cancel-plan", subscription: subscription.id });
    expect(to).toBe(`${home.url}?done=cancelled`);
    expect(await look(to)).toMatch(/Your plan is cancelled[^]*Don&#39;t cancel|Your plan is cancelled[^]*Don't cancel/);
    await press(home, { intent: "keep-plan", subscription: subscription.id });
    const told = await open(
      customer,
      cancelling(subscription.id, {
        after_completion: { type: "hosted_confirmation", hosted_confirmation: { custom_message: "So long!" } },
      }),
    );
    const page = await look(await press(told, { intent: "cancel-plan", subscription: subscription.id }));
    expect(page).toContain("So long!");
    expect(page).not.toContain("Add a card");
  });

  test("may offer a coupon to stay", async () => {
    const { customer, subscription, now } = await newPlan();
    const coupon = await stripe.coupons.create({ percent_off: 30, duration: "forever", name: "Stay" });
    const retention = { type: "coupon_offer", coupon_offer: { coupon: coupon.id } } as const;
    const session = await open(customer, {
      type: "subscription_cancel",
      subscription_cancel: { subscription: subscription.id, retention },
    });
    expect(await look(session.url)).toContain("30 % off");
    await press(session, { intent: "take-offer", subscription: subscription.id });
    expect(await now()).toMatchObject({ cancel_at: null, discounts: [expect.stringMatching(/^di_/)] });
  });

  test("ends the plan at once, if the configuration says so", async () => {
    const { customer, subscription, now } = await newPlan();
    const { id } = await stripe.billingPortal.configurations.create({
      features: { subscription_cancel: { enabled: true, mode: "immediately" } },
    });
    const session = await open(customer, cancelling(subscription.id), { configuration: id });
    expect(await look(session.url)).toContain("It ends now.");
    await press(session, { intent: "cancel-plan", subscription: subscription.id });
    expect(await now()).toMatchObject({ status: "canceled" });
  });

  test("is for the customer's own plan, if the configuration allows cancelling", async () => {
    const [mine, theirs] = [await newPlan(), await newPlan()];
    expect(await refusal(open(mine.customer, cancelling(theirs.subscription.id)))).toMatchObject({
      code: "resource_missing",
      param: "flow_data[subscription_cancel][subscription]",
    });
    const { id } = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
    });
    const closed = open(mine.customer, cancelling(mine.subscription.id), { configuration: id });
    expect((await refusal(closed)).message).toContain("in the portal configuration is disabled");
    const session = await open(mine.customer, cancelling(mine.subscription.id));
    expect(await press(session, { intent: "cancel-plan", subscription: theirs.subscription.id })).toMatch(/^404/);
    const other = await open(mine.customer, undefined, { configuration: id });
    expect(await press(other, { intent: "cancel-plan", subscription: mine.subscription.id })).toMatch(/^400/);
    expect(await theirs.now()).toMatchObject({ cancel_at: null });
    expect(await mine.now()).toMatchObject({ cancel_at: null });
  });
});

describe("the flow of a change", () => {
  test("lists the configuration's plans, shows what is due, and charges it", async () => {
    const { customer, subscription, now } = await newPlan();
    const session = await open(customer, {
      type: "subscription_update",
      subscription_update: { subscription: subscription.id },
      after_completion: BACK,
    });
    const page = await look(session.url);
    expect(page).toContain("Now: Small, €6.00 a month");
    const [, link = ""] = /href="([^"]+)"[^>]*>Choose Large/.exec(page) ?? [];
    const confirm = await look(new URL(link.replaceAll("&amp;", "&"), session.url).href);
    expect(confirm).toMatch(/Unused time on Small[^]*Remaining time on Large[^]*Due now[^]*€9\.00/);
    expect(await press(session, { intent: "change-plan", subscription: subscription.id, price: large.id })).toBe(
      `${SITE}?done`,
    );
    expect(itemOf(await now()).price.id).toBe(large.id);
    expect(await latestOf(stripe, subscription)).toMatchObject({ amount_paid: 900, status: "paid" });
  });

  test("doesn't sell what isn't in the configuration", async () => {
    const { customer, subscription, now } = await newPlan();
    const secret = await newPrice(stripe, "Secret", { amount: 100 });
    const session = await open(customer, {
      type: "subscription_update",
      subscription_update: { subscription: subscription.id },
    });
    const order = { intent: "change-plan", subscription: subscription.id, price: secret.id };
    expect(await press(session, order)).toMatch(/^400/);
    expect(itemOf(await now()).price.id).toBe(small.id);
  });
});

describe("the flow of a confirmation", () => {
  const confirming = (
    subscription: Stripe.Subscription,
    price = large.id,
    more: Partial<Stripe.BillingPortal.SessionCreateParams.FlowData.SubscriptionUpdateConfirm> = {},
  ): FlowData => ({
    type: "subscription_update_confirm",
    subscription_update_confirm: {
      subscription: subscription.id,
      items: [{ id: itemOf(subscription).id, price }],
      ...more,
    },
    after_completion: BACK,
  });

  test("shows the named change and makes it, with its discount", async () => {
    const { customer, subscription, now } = await newPlan();
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: "forever" });
    const session = await open(customer, confirming(subscription, large.id, { discounts: [{ coupon: coupon.id }] }));
    expect(session.flow?.subscription_update_confirm).toMatchObject({
      discounts: [{ coupon: coupon.id, promotion_code: null }],
      items: [{ id: itemOf(subscription).id, price: large.id }],
      subscription: subscription.id,
    });
    expect(await look(session.url)).toMatch(/Large, €15\.00 a month[^]*Confirm/);
    expect(await press(session, { intent: "change-plan", subscription: subscription.id, price: small.id })).toBe(
      `${SITE}?done`,
    );
    const changed = await now();
    expect(itemOf(changed).price.id).toBe(large.id);
    expect(changed.discounts).toHaveLength(1);
  });

  test("changes nothing when the card is declined, and says so", async () => {
    const { customer, subscription, now } = await newPlan();
    await useCard(stripe, customer, "pm_card_chargeCustomerFail");
    const session = await open(customer, confirming(subscription));
    const to = await press(session, { intent: "change-plan", subscription: subscription.id });
    expect(await look(to)).toContain("Your card was declined");
    expect(itemOf(await now()).price.id).toBe(small.id);
  });

  test("is refused for another price, another item, no change, and a plan that is ending or scheduled", async () => {
    const { customer, subscription } = await newPlan();
    const secret = await newPrice(stripe, "Secret");
    const at = (name: string) => `flow_data[subscription_update_confirm]${name}`;
    const param = async (flow: FlowData) => (await refusal(open(customer, flow))).param;
    expect(await param(confirming(subscription, secret.id))).toBe(at("[items][0][price]"));
    expect(await param(confirming(subscription, small.id))).toBe(at("[items]"));
    const items = [{ id: "si_none", price: large.id }];
    expect(await param(confirming(subscription, large.id, { items }))).toBe(at("[items][0][id]"));
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(await param(confirming(subscription))).toBe(at("[subscription]"));
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expect(await param(confirming(subscription))).toBe(at("[subscription]"));
  });

  test("is refused with Stripe's words if the configuration doesn't allow changes, and needs its own details", async () => {
    const { customer, subscription } = await newPlan();
    const { id } = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
    });
    expect((await refusal(open(customer, confirming(subscription), { configuration: id }))).message).toBe(
      "This subscription cannot be updated because the subscription update feature in the portal configuration is disabled.",
    );
    expect(await refusal(open(customer, { type: "subscription_update_confirm" }))).toMatchObject({
      code: "parameter_missing",
    });
  });
});

test("without a flow, the portal's page has what its configuration allows for each plan", async () => {
  const { customer, subscription } = await newPlan();
  const { url } = await open(customer);
  const page = await look(url);
  expect(page).toContain(`/change-plan?subscription=${subscription.id}`);
  expect(page).toContain(`/cancel-plan?subscription=${subscription.id}`);
  expect(await look(`${url}/cancel-plan?subscription=${subscription.id}`)).toContain("Cancel your plan");
});

test("a configuration that allows changes names what can be changed, and to what", async () => {
  const update = { enabled: true, proration_behavior: "none" } as const;
  const create = (subscription_update: Stripe.BillingPortal.ConfigurationCreateParams.Features.SubscriptionUpdate) =>
    stripe.billingPortal.configurations.create({ features: { subscription_update } });
  expect(await refusal(create(update))).toMatchObject({
    param: "features[subscription_update][default_allowed_updates]",
  });
  expect(await refusal(create({ ...update, default_allowed_updates: ["price"] }))).toMatchObject({
    param: "features[subscription_update][products]",
  });
  expect(await stripe.billingPortal.configurations.retrieve(configuration)).toMatchObject({
    features: {
      subscription_cancel: { enabled: true, mode: "at_period_end" },
      subscription_update: {
        default_allowed_updates: ["price"],
        products: [{ prices: [small.id] }, { prices: [large.id] }],
      },
    },
  });
});
