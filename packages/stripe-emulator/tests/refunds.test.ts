import { describe, expect, test } from "vitest";
import { buy, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const chargeOf = (id: string) => stripe.charges.retrieve(id, { expand: ["refunds"] });
const eventsAbout = async (id: string): Promise<string[]> =>
  (await stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => JSON.stringify(data.object).includes(id))
    .map(({ type }) => type)
    .toReversed();

describe("a refund", () => {
  test("of a part, then of the rest, adds up on the charge, which lists both", async () => {
    const { charge } = await buy(local);
    const part = await stripe.refunds.create({
      charge: charge.id,
      amount: 200,
      reason: "requested_by_customer",
      metadata: { ticket: "7" },
    });
    expect(part).toMatchObject({
      object: "refund",
      amount: 200,
      currency: "eur",
      charge: charge.id,
      customer: charge.customer,
      payment_intent: charge.payment_intent,
      reason: "requested_by_customer",
      status: "succeeded",
      metadata: { ticket: "7" },
      destination_details: { type: "card", card: { type: "refund" } },
    });
    expect(await chargeOf(charge.id)).toMatchObject({ amount_refunded: 200, refunded: false });
    const rest = await stripe.refunds.create({ payment_intent: String(charge.payment_intent) });
    expect(rest).toMatchObject({ amount: 400, reason: null });
    expect(await chargeOf(charge.id)).toMatchObject({
      amount_refunded: 600,
      refunded: true,
      refunds: { data: [{ id: rest.id }, { id: part.id }], has_more: false },
    });
    expect((await stripe.charges.retrieve(charge.id)).refunds).toBeUndefined();
  });

  test("sends events with the customer, and the charge's previous attributes", async () => {
    const { charge, customer } = await buy(local);
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 150 });
    expect(await eventsAbout(refund.id)).toEqual(["refund.created"]);
    const { data } = await stripe.events.list({ types: ["charge.refunded"], limit: 1 });
    expect(data[0]).toMatchObject({
      data: {
        object: { id: charge.id, customer: customer.id, amount_refunded: 150, refunded: false },
        previous_attributes: { amount_refunded: 0 },
      },
    });
  });

  test("leads from the charge to its invoice, which stays paid", async () => {
    const { charge, session } = await buy(local);
    await stripe.refunds.create({ charge: charge.id });
    const { data } = await stripe.invoicePayments.list({
      payment: { type: "payment_intent", payment_intent: String(charge.payment_intent) },
      expand: ["data.invoice"],
    });
    expect(data).toMatchObject([
      {
        status: "paid",
        invoice: { status: "paid", parent: { subscription_details: { metadata: { order: "ord_1" } } } },
      },
    ]);
    const { invoice } = await stripe.checkout.sessions.retrieve(session.id);
    expect(data).toMatchObject([{ invoice: { id: invoice } }]);
  });

  test("is found by its charge and its payment, is retrieved and accepts metadata", async () => {
    const { charge } = await buy(local);
    const { id } = await stripe.refunds.create({ charge: charge.id, amount: 100, metadata: { ticket: "7" } });
    for (const query of [{ charge: charge.id }, { payment_intent: String(charge.payment_intent) }])
      expect((await stripe.refunds.list(query)).data.map((refund) => refund.id)).toEqual([id]);
    await stripe.refunds.update(id, { metadata: { seen: "yes" } });
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ metadata: { ticket: "7", seen: "yes" } });
    expect(await eventsAbout(id)).toEqual(["refund.created", "refund.updated"]);
  });

  test.each([
    ["of more than was paid", 700, "Refund amount (€7.00) is greater than charge amount (€6.00)"],
    ["of nothing", 0, "Invalid positive integer"],
    ["of less than nothing", -1, "Invalid positive integer"],
  ])("%s is refused", async (_, amount, message) => {
    const { charge } = await buy(local);
    expect(await refusal(stripe.refunds.create({ charge: charge.id, amount }))).toMatchObject({
      statusCode: 400,
      type: "StripeInvalidRequestError",
      param: "amount",
      message,
    });
    expect(await chargeOf(charge.id)).toMatchObject({ amount_refunded: 0, refunds: { data: [] } });
  });

  test("above the remainder, of a refunded payment, and of an unpaid one is refused", async () => {
    const { charge } = await buy(local);
    await stripe.refunds.create({ charge: charge.id, amount: 500 });
    expect(await refusal(stripe.refunds.create({ charge: charge.id, amount: 200 }))).toMatchObject({
      message: "Refund amount (€2.00) is greater than unrefunded amount on charge (€1.00)",
    });
    await stripe.refunds.create({ charge: charge.id });
    expect(await refusal(stripe.refunds.create({ charge: charge.id, amount: 1 }))).toMatchObject({
      statusCode: 400,
      code: "charge_already_refunded",
    });
    const declined = await buy(local, "4000000000000002");
    expect(
      await refusal(stripe.refunds.create({ payment_intent: String(declined.charge.payment_intent) })),
    ).toMatchObject({ code: "payment_intent_unexpected_state" });
    expect(await refusal(stripe.refunds.create({}))).toMatchObject({ statusCode: 400 });
    expect(await refusal(stripe.refunds.create({ charge: "ch_none" }))).toMatchObject({ code: "resource_missing" });
  });

  test("under one key happens once, however often it is requested", async () => {
    const { charge } = await buy(local);
    // While the first is being made, the others are refused until they are repeated.
    const again = () =>
      stripe.refunds.create(
        { charge: charge.id, amount: 300 },
        { idempotencyKey: `r-${charge.id}`, maxNetworkRetries: 5 },
      );
    const made = await Promise.all([again(), again(), again()]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await chargeOf(charge.id)).toMatchObject({ amount_refunded: 300 });
  });
});

describe("a refund that takes time", () => {
  test.each(["bank", "4000000000007726"])("to %s is pending until the clock has advanced", async (method) => {
    const { charge } = await buy(local, method);
    const refund = await stripe.refunds.create({ charge: charge.id });
    expect(refund).toMatchObject({ status: "pending", pending_reason: "processing" });
    expect(await chargeOf(charge.id)).toMatchObject({ amount_refunded: 600, refunded: true });
    await local.control("clock", { advanceDays: 4 });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: "pending" });
    await local.control("clock", { advanceDays: 2 });
    const done = await stripe.refunds.retrieve(refund.id);
    expect(done).toMatchObject({ status: "succeeded" });
    expect(done.pending_reason).toBeUndefined();
    expect(await eventsAbout(refund.id)).toEqual(["refund.created", "refund.updated", "charge.refund.updated"]);
  });

  test("may finally fail: then the amount is back with us, and the charge says so", async () => {
    const { charge } = await buy(local, "4000000000005126");
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 250 });
    expect(refund).toMatchObject({ status: "succeeded" });
    await local.control("clock", { advanceDays: 6 });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: "failed",
      failure_reason: "expired_or_canceled_card",
    });
    expect(await chargeOf(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await eventsAbout(refund.id)).toEqual([
      "refund.created",
      "refund.updated",
      "charge.refund.updated",
      "refund.failed",
    ]);
  });
});
