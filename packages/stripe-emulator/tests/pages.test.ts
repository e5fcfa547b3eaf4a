import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { openCheckout, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const intentsOf = async (customer: Stripe.Customer) =>
  (await stripe.paymentIntents.list({ customer: customer.id })).data;
const press = (session: Stripe.Checkout.Session, fields: Record<string, string>, step = "") =>
  fetch(`${local.origin}/checkout/${session.id}${step}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
  });
const look = async (session: Stripe.Checkout.Session, step = "") =>
  (await fetch(`${local.origin}/checkout/${session.id}${step}`)).text();

describe("the hosted page", () => {
  test("shows what is bought, stays open with the reason after a decline, then accepts another card", async () => {
    const { session } = await openCheckout(stripe);
    expect(await look(session)).toContain("ada@example.com");
    const declined = await press(session, { number: "4000 0000 0000 0002" });
    expect(declined.status).toBe(303);
    expect(declined.headers.get("location")).toBe(session.url);
    expect(await look(session)).toContain("Your card was declined.");
    const paid = await press(session, { number: "4242 4242 4242 4242" });
    expect(paid.status).toBe(303);
    expect(paid.headers.get("location")).toBe(`http://localhost:8787/payment/success?session=${session.id}`);
    expect(await look(session)).toContain("This checkout is complete");
  });

  test("asks the cardholder of a 3-D Secure card, who may refuse", async () => {
    const { customer, session } = await openCheckout(stripe);
    expect((await press(session, { testCard: "4000002500003155" })).headers.get("location")).toBe(
      `${session.url}/confirm`,
    );
    expect(await look(session, "/confirm")).toContain("Complete");
    await press(session, { answer: "fail" }, "/confirm");
    expect(await look(session)).toContain("We are unable to authenticate your payment method");
    expect(await intentsOf(customer)).toMatchObject([
      { last_payment_error: { code: "payment_intent_authentication_failure" } },
    ]);
    await press(session, { testCard: "4000002500003155" });
    expect((await press(session, { answer: "complete" }, "/confirm")).headers.get("location")).toContain(
      "/payment/success",
    );
  });

  test("refuses a number that isn't a test card, and escapes the site's texts", async () => {
    const { session } = await openCheckout(stripe, {
      cancel_url: 'http://localhost:8787/?a="><script>alert(1)</script>',
    });
    expect((await press(session, { number: "1234" })).headers.get("location")).toContain("?problem=number");
    expect(await look(session)).not.toContain("<script>alert");
  });
});
