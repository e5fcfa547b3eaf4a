import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { openCheckout, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

async function subscription(): Promise<Stripe.Subscription> {
  const { customer, session } = await openCheckout(stripe);
  await local.control("checkout", { session: session.id, outcome: "paid" });
  const [bought] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  if (!bought) throw new Error("Nothing was bought");
  return bought;
}

const endOf = ({ items }: Stripe.Subscription) => Number(items.data[0]?.current_period_end);

describe("cancel_at", () => {
  test.each(["min_period_end", "max_period_end"] as const)(
    "%s is resolved to a timestamp immediately, and leaves cancel_at_period_end false",
    async (cancel_at) => {
      const bought = await subscription();
      const ending = await stripe.subscriptions.update(bought.id, { cancel_at });
      expect(ending).toMatchObject({ cancel_at: endOf(bought), cancel_at_period_end: false });
      expect(ending.canceled_at).not.toBeNull();
      await expect(stripe.invoices.createPreview({ subscription: bought.id })).rejects.toThrow(/upcoming/i);
    },
  );

  test("is removed only by an empty value: cancel_at_period_end=false removes what that parameter set", async () => {
    const { id } = await subscription();
    const ending = await stripe.subscriptions.update(id, { cancel_at: "max_period_end" });
    const still = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(still.cancel_at).toBe(ending.cancel_at);
    expect(await stripe.subscriptions.update(id, { cancel_at: "" })).toMatchObject({
      cancel_at: null,
      canceled_at: null,
    });
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    const none = { cancel_at: null, cancel_at_period_end: false };
    expect(await stripe.subscriptions.update(id, { cancel_at: "" })).toMatchObject(none);
  });

  test("together with cancel_at_period_end is refused with Stripe's message", async () => {
    const { id } = await subscription();
    const both = { cancel_at: "", cancel_at_period_end: false } as const;
    await expect(stripe.subscriptions.update(id, both)).rejects.toMatchObject({
      message: "Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.",
      type: "StripeInvalidRequestError",
    });
  });

  test("ends the subscription at that second, also if set at its creation, and is never in the past", async () => {
    const bought = await subscription();
    const at = bought.created + 5 * 86_400;
    const [item] = bought.items.data;
    const customer = String(bought.customer);
    const [method] = (await stripe.paymentMethods.list({ customer })).data;
    const made = await stripe.subscriptions.create({
      customer,
      items: [{ price: String(item?.price.id) }],
      default_payment_method: String(method?.id),
      cancel_at: at,
    });
    expect(made).toMatchObject({ cancel_at: at, cancel_at_period_end: false, status: "active" });
    await expect(stripe.subscriptions.update(made.id, { cancel_at: bought.created - 1 })).rejects.toThrow("future");
    await local.control("clock", { advanceDays: 6 });
    expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: "canceled", ended_at: at });
    expect(await stripe.subscriptions.retrieve(bought.id)).toMatchObject({ status: "active" });
  });

  test("is set and removed by the dashboard's button", async () => {
    const bought = await subscription();
    await local.control("cancel", { subscription: bought.id, cancels: "yes" });
    const ending = await stripe.subscriptions.retrieve(bought.id);
    expect(ending).toMatchObject({ cancel_at: endOf(bought), cancel_at_period_end: false });
    await local.control("cancel", { subscription: bought.id, cancels: "no" });
    expect(await stripe.subscriptions.retrieve(bought.id)).toMatchObject({ cancel_at: null });
    await local.control("cancel", { subscription: bought.id, cancels: "yes", inDays: 3 });
    await local.control("clock", { advanceDays: 4 });
    expect(await stripe.subscriptions.retrieve(bought.id)).toMatchObject({ status: "canceled" });
  });
});
