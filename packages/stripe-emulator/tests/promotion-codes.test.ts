import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { openCheckout, refusal, setUpStripeEmulator } from "./driver.ts";
import { endAll, latestOf, newCustomer, newPrice, nowOf, SECONDS_PER_DAY, subscribe } from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const newCode = async (
  coupon: Stripe.CouponCreateParams,
  extra: Partial<Stripe.PromotionCodeCreateParams> = {},
): Promise<Stripe.PromotionCode> => {
  const { id } = await stripe.coupons.create(coupon);
  return stripe.promotionCodes.create({ promotion: { type: "coupon", coupon: id }, ...extra });
};

const at = (session: Stripe.Checkout.Session, step = ""): string => `${local.origin}/checkout/${session.id}${step}`;
const post = async (url: string, fields: Record<string, string>): Promise<string> => {
  const answer = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
  return answer.headers.get("location") ?? `${answer.status}`;
};
/** Types a code, and returns the page that follows. */
const type = async (session: Stripe.Checkout.Session, code: string): Promise<string> =>
  (await fetch(await post(at(session, "/code"), { code }))).text();
const pay = (session: Stripe.Checkout.Session) => post(at(session), { testCard: "4242424242424242" });
const takingCodes = (extra: Stripe.Checkout.SessionCreateParams = {}) =>
  openCheckout(stripe, { allow_promotion_codes: true, ...extra });

describe("a promotion code", () => {
  test("can be created, read, listed by code, coupon, customer and state, switched off and on, and has events", async () => {
    const made = await newCode({ percent_off: 20, duration: "once" }, { code: "Autumn-26", metadata: { by: "team" } });
    expect(made).toMatchObject({
      object: "promotion_code",
      active: true,
      code: "Autumn-26",
      customer: null,
      expires_at: null,
      max_redemptions: null,
      metadata: { by: "team" },
      promotion: { type: "coupon" },
      restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
      times_redeemed: 0,
    });
    const coupon = String(made.promotion.coupon);
    expect(await stripe.promotionCodes.retrieve(made.id, { expand: ["promotion.coupon"] })).toMatchObject({
      promotion: { coupon: { id: coupon, percent_off: 20 } },
    });
    const listed = async (query: Stripe.PromotionCodeListParams) =>
      (await stripe.promotionCodes.list(query)).data.map(({ id }) => id);
    expect(await listed({ code: "AUTUMN-26" })).toEqual([made.id]);
    expect(await listed({ coupon })).toEqual([made.id]);
    expect(await listed({ customer: (await stripe.customers.create({})).id })).toEqual([]);
    expect(await stripe.promotionCodes.update(made.id, { active: false })).toMatchObject({ active: false });
    expect(await listed({ coupon, active: true })).toEqual([]);
    expect(await stripe.promotionCodes.update(made.id, { active: true, metadata: { by: "" } })).toMatchObject({
      active: true,
      metadata: {},
    });
    const { data } = await stripe.events.list({ types: ["promotion_code.created", "promotion_code.updated"] });
    expect(data.map(({ type: kind }) => kind)).toEqual([
      "promotion_code.updated",
      "promotion_code.updated",
      "promotion_code.created",
    ]);
    expect(data[0]?.data.previous_attributes).toMatchObject({ active: false });
  });

  test("is made up if none is given", async () => {
    const { code } = await newCode({ percent_off: 5 });
    expect(code).toMatch(/^[A-Z\d]{8}$/);
  });

  test("is unique among the active ones of everybody and of a customer, whatever its case", async () => {
    const first = await newCode({ percent_off: 5 }, { code: "ONLY" });
    const customer = (await stripe.customers.create({})).id;
    for (const extra of [{ code: "only" }, { code: "only", customer }]) {
      const refused = await refusal(newCode({ percent_off: 5 }, extra));
      expect(refused).toMatchObject({ statusCode: 400, message: expect.stringContaining("already exists") });
    }
    await stripe.promotionCodes.update(first.id, { active: false });
    const second = await newCode({ percent_off: 5 }, { code: "only", customer });
    const other = (await stripe.customers.create({})).id;
    expect((await newCode({ percent_off: 5 }, { code: "only", customer: other })).id).not.toBe(second.id);
    expect(await refusal(stripe.promotionCodes.update(first.id, { active: true }))).toMatchObject({ statusCode: 400 });
  });

  test.each<[string, Stripe.CouponCreateParams, Partial<Stripe.PromotionCodeCreateParams>, string]>([
    ["other characters", {}, { code: "10 %" }, "code"],
    ["more redemptions than its coupon", { max_redemptions: 2 }, { max_redemptions: 3 }, "max_redemptions"],
    ["an end in the past", {}, { expires_at: 1 }, "expires_at"],
    [
      "a minimum without its currency",
      {},
      { restrictions: { minimum_amount: 500 } },
      "restrictions[minimum_amount_currency]",
    ],
  ])("with %s is refused", async (_, coupon, extra, param) => {
    const refused = await refusal(newCode({ percent_off: 5, ...coupon }, extra));
    expect(refused).toMatchObject({ statusCode: 400, param });
  });

  test("can't outlive its coupon, and isn't active once the coupon is no longer valid", async () => {
    const redeem_by = (await nowOf(local)) + SECONDS_PER_DAY;
    const late = newCode({ percent_off: 5, redeem_by }, { expires_at: redeem_by + 1 });
    expect(await refusal(late)).toMatchObject({ param: "expires_at" });
    const code = await newCode({ percent_off: 5, redeem_by });
    await local.control("clock", { advanceDays: 2 });
    expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ active: false });
    expect(await stripe.coupons.retrieve(String(code.promotion.coupon))).toMatchObject({ valid: false });
    expect(await refusal(stripe.promotionCodes.update(code.id, { active: true }))).toMatchObject({ param: "active" });
  });
});

describe("checkout", () => {
  test("takes a typed code in any case: the session, subscription, invoice and its line have the discount", async () => {
    const code = await newCode({ percent_off: 50, duration: "forever" }, { code: "HALF" });
    const { session } = await takingCodes();
    expect(session).toMatchObject({ allow_promotion_codes: true, discounts: [], amount_total: 600 });
    expect(await (await fetch(at(session))).text()).toContain("Promotion code");
    expect(await type(session, "half")).toContain("Pay €3.00");
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ["line_items"] })).toMatchObject({
      amount_subtotal: 600,
      amount_total: 300,
      discounts: [{ coupon: null, promotion_code: code.id }],
      total_details: { amount_discount: 300 },
      line_items: { data: [{ amount_discount: 300, amount_total: 300 }] },
    });
    expect(await pay(session)).toContain("/payment/success");
    const done = await stripe.checkout.sessions.retrieve(session.id);
    const subscription = await stripe.subscriptions.retrieve(String(done.subscription), { expand: ["discounts"] });
    const [discount] = subscription.discounts;
    expect(discount).toMatchObject({
      checkout_session: session.id,
      end: null,
      promotion_code: code.id,
      source: { type: "coupon", coupon: code.promotion.coupon },
      subscription: subscription.id,
    });
    const id = typeof discount === "string" ? discount : discount?.id;
    expect(await latestOf(stripe, subscription)).toMatchObject({
      amount_paid: 300,
      discounts: [id],
      subtotal: 600,
      total: 300,
      total_discount_amounts: [{ amount: 300, discount: id }],
      lines: { data: [{ amount: 600, discount_amounts: [{ amount: 300, discount: id }] }] },
    });
    expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ active: true, times_redeemed: 1 });
    expect(await stripe.coupons.retrieve(String(code.promotion.coupon))).toMatchObject({ times_redeemed: 1 });
  });

  test("lets a customer remove the code again, and replace a declined card with it", async () => {
    await newCode({ amount_off: 200, currency: "eur" }, { code: "TWO" });
    const { session, customer } = await takingCodes();
    await post(at(session), { testCard: "4000000000000002" });
    expect(await type(session, "TWO")).toContain("Pay €4.00");
    await post(at(session, "/code"), {});
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ amount_total: 600, discounts: [] });
    await type(session, "TWO");
    await pay(session);
    const { data } = await stripe.charges.list({ customer: customer.id });
    expect(data.map(({ amount, status }) => [amount, status])).toEqual([
      [400, "succeeded"],
      [600, "failed"],
    ]);
  });

  test("needs no payment for a code that takes everything off", async () => {
    await newCode({ percent_off: 100 }, { code: "ALL" });
    const { session } = await takingCodes();
    await type(session, "ALL");
    await pay(session);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      payment_status: "no_payment_required",
      amount_total: 0,
    });
  });

  test.each<[string, Stripe.CouponCreateParams, Partial<Stripe.PromotionCodeCreateParams>, string]>([
    ["switched off", { percent_off: 5 }, { active: false }, "it is not active"],
    [
      "for dearer purchases",
      { percent_off: 5 },
      { restrictions: { minimum_amount: 601, minimum_amount_currency: "eur" } },
      "does not meet the minimum amount requirement",
    ],
    [
      "for another currency",
      { percent_off: 5 },
      { restrictions: { minimum_amount: 100, minimum_amount_currency: "usd" } },
      "isn&#39;t for purchases in this currency",
    ],
    ["of a coupon in another currency", { amount_off: 100, currency: "usd" }, {}, "another currency"],
    ["that leaves less than can be charged", { amount_off: 570, currency: "eur" }, {}, "With this code less than"],
  ])("doesn't take a code %s, and says why", async (_, coupon, extra, reason) => {
    const { code } = await newCode(coupon, extra);
    const { session } = await takingCodes();
    expect(await type(session, code)).toContain(reason);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ amount_total: 600, discounts: [] });
  });

  test("doesn't take a code that nobody made, nor any if the session doesn't allow it", async () => {
    const { code } = await newCode({ percent_off: 5 });
    const { session } = await takingCodes();
    expect(await type(session, "NOBODYS")).toContain("This code is invalid.");
    const closed = (await openCheckout(stripe)).session;
    expect(await type(closed, code)).not.toContain("Promotion code");
    expect(await stripe.checkout.sessions.retrieve(closed.id)).toMatchObject({ amount_total: 600, discounts: [] });
  });

  test("takes a code with a minimum in the purchase's own currency from that amount on", async () => {
    const { code } = await newCode(
      { percent_off: 50 },
      {
        restrictions: {
          minimum_amount: 9900,
          minimum_amount_currency: "usd",
          currency_options: { eur: { minimum_amount: 600 } },
        },
      },
    );
    const { session } = await takingCodes();
    expect(await type(session, code)).toContain("Pay €3.00");
  });

  test("doesn't take an expired code", async () => {
    const expires_at = (await nowOf(local)) + SECONDS_PER_DAY;
    const { code } = await newCode({ percent_off: 5 }, { expires_at });
    await local.control("clock", { advanceDays: 1.5 });
    const { session } = await takingCodes();
    expect(await type(session, code)).toContain("it has expired");
  });

  test("takes a code only once if it is for one redemption, even if two have typed it", async () => {
    const { id, code } = await newCode({ percent_off: 50 }, { max_redemptions: 1 });
    const [one, other] = [(await takingCodes()).session, (await takingCodes()).session];
    for (const session of [one, other]) expect(await type(session, code)).toContain("Pay €3.00");
    expect(await pay(one)).toContain("/payment/success");
    const answer = await post(at(other), { testCard: "4242424242424242" });
    expect(await (await fetch(answer)).text()).toContain("used the maximum number of times");
    expect(await stripe.checkout.sessions.retrieve(other.id)).toMatchObject({ status: "open", amount_total: 600 });
    expect(await stripe.promotionCodes.retrieve(id)).toMatchObject({ active: false, times_redeemed: 1 });
  });

  test("takes a code for first purchases from a customer who has paid nothing, and a customer's own from them alone", async () => {
    const { code } = await newCode({ percent_off: 50 }, { restrictions: { first_time_transaction: true } });
    const { customer, session } = await takingCodes();
    expect(await type(session, code)).toContain("Pay €3.00");
    await pay(session);
    const again = (await takingCodes({ customer: customer.id })).session;
    expect(await type(again, code)).toContain("the associated customer has prior transactions");
    const own = await newCode({ percent_off: 50 }, { customer: customer.id });
    expect(await type(again, own.code)).toContain("Pay €3.00");
    expect(await type((await takingCodes()).session, own.code)).toContain("for another customer");
  });

  test("with a discount of the caller's takes no codes, as with Stripe", async () => {
    const { id, promotion } = await newCode({ percent_off: 50 });
    const { session } = await openCheckout(stripe, { discounts: [{ promotion_code: id }] });
    expect(session).toMatchObject({ amount_total: 300, discounts: [{ coupon: null, promotion_code: id }] });
    const both = openCheckout(stripe, {
      allow_promotion_codes: true,
      discounts: [{ coupon: String(promotion.coupon) }],
    });
    expect(await refusal(both)).toMatchObject({
      statusCode: 400,
      message: "You may only specify one of these parameters: allow_promotion_codes, discounts.",
    });
  });
});

describe("a coupon", () => {
  test.each<[string, Stripe.CouponCreateParams, number[]]>([
    ["once", { percent_off: 50, duration: "once" }, [300, 600, 600, 600]],
    ["for three months", { percent_off: 50, duration: "repeating", duration_in_months: 3 }, [300, 300, 300, 600]],
    ["for ever", { amount_off: 100, currency: "eur", duration: "forever" }, [500, 500, 500, 500]],
  ])("%s is deducted from as many renewals, which are previewed with it", async (_, coupon, totals) => {
    const { id } = await newCode(coupon);
    const customer = await newCustomer(stripe);
    const price = await newPrice(stripe, "Small");
    const preview = await stripe.invoices.createPreview({
      customer: customer.id,
      subscription_details: { items: [{ price: price.id }] },
      discounts: [{ promotion_code: id }],
    });
    expect(preview.total).toBe(totals[0]);
    const subscription = await subscribe(stripe, customer, price, { discounts: [{ promotion_code: id }] });
    for (const [index, total] of totals.entries()) {
      expect((await latestOf(stripe, subscription)).total).toBe(total);
      const next = await stripe.invoices.createPreview({ subscription: subscription.id });
      expect(next.total).toBe(totals[index + 1] ?? total);
      await local.control("clock", { advanceDays: 31 });
    }
    await endAll(stripe);
  });

  test("for months leaves its yearly plan when they are over", async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: "repeating", duration_in_months: 2 });
    const customer = await newCustomer(stripe);
    const price = await newPrice(stripe, "Large", { interval: "year" });
    const { id } = await subscribe(stripe, customer, price, { discounts: [{ coupon: coupon.id }] });
    const discounts = async () => (await stripe.subscriptions.retrieve(id)).discounts.length;
    expect(await discounts()).toBe(1);
    await local.control("clock", { advanceDays: 63 });
    expect(await discounts()).toBe(0);
    expect((await stripe.invoices.createPreview({ subscription: id })).total).toBe(600);
  });

  test("needs its months if it repeats, and only then; its name can change", async () => {
    expect(await refusal(stripe.coupons.create({ percent_off: 5, duration: "repeating" }))).toMatchObject({
      param: "duration_in_months",
    });
    expect(await refusal(stripe.coupons.create({ percent_off: 5, duration_in_months: 3 }))).toMatchObject({
      param: "duration_in_months",
    });
    const { id } = await stripe.coupons.create({ percent_off: 5 });
    expect(await stripe.coupons.update(id, { name: "Autumn" })).toMatchObject({ id, name: "Autumn" });
  });

  test("that has been redeemed often enough is refused", async () => {
    const { id } = await stripe.coupons.create({ percent_off: 5, max_redemptions: 1 });
    const customer = await newCustomer(stripe);
    const price = await newPrice(stripe, "Small");
    await subscribe(stripe, customer, price, { discounts: [{ coupon: id }] });
    expect(await refusal(subscribe(stripe, customer, price, { discounts: [{ coupon: id }] }))).toMatchObject({
      code: "coupon_expired",
    });
  });
});
