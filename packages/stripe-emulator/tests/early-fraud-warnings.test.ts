import { expect, test } from "vitest";
import { buy, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;
const warnings = stripe.radar.earlyFraudWarnings;

test("a bank's warning names the payment, and is actionable until it is refunded", async () => {
  const { charge } = await buy(local);
  const { warning, events } = await local.control("warning", { order: charge.id, fraudType: "made_with_lost_card" });
  expect(events.map(({ type }) => type)).toEqual(["radar.early_fraud_warning.created"]);
  const expected = {
    id: warning?.id,
    object: "radar.early_fraud_warning",
    actionable: true,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    fraud_type: "made_with_lost_card",
  };
  expect(await warnings.retrieve(warning?.id ?? "")).toMatchObject(expected);
  for (const query of [{ charge: charge.id }, { payment_intent: String(charge.payment_intent) }])
    expect((await warnings.list(query)).data).toMatchObject([expected]);
  expect((await warnings.list({ charge: "ch_none" })).data).toEqual([]);
  const [event] = (await stripe.events.list({ type: "radar.early_fraud_warning.created", limit: 1 })).data;
  expect(event?.data.object).toMatchObject(expected);
  await stripe.refunds.create({ charge: charge.id });
  expect(await warnings.retrieve(warning?.id ?? "")).toMatchObject({ actionable: false });
});

test("no bank warns of a debit, and an unknown reason or warning is refused", async () => {
  const { charge } = await buy(local, "bank");
  await expect(local.control("warning", { order: charge.id })).rejects.toThrow("400");
  const card = await buy(local);
  await expect(local.control("warning", { order: card.charge.id, fraudType: "bad_mood" })).rejects.toThrow("400");
  expect(await refusal(warnings.retrieve("issfr_none"))).toMatchObject({ code: "resource_missing" });
});
