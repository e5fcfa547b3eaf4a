import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { readEvent } from "./events.ts";

const stripe = new Stripe("local-key");
const secret = "whsec_local";
const aDay = 24 * 3600;

/** A signed event about a customer who had no address before. */
async function hintOf(
  customer: object,
  { ageSeconds = 1, before = {} }: { ageSeconds?: number; before?: object } = {},
) {
  const now = Math.floor(Date.now() / 1000);
  const object = { id: "cus_1", object: "customer", created: now - ageSeconds, metadata: {}, ...customer };
  const data = { object, previous_attributes: { email: null, ...before } };
  const payload = JSON.stringify({ id: "evt_1", object: "event", type: "customer.updated", created: now, data });
  const cryptoProvider = Stripe.createSubtleCryptoProvider();
  const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, cryptoProvider });
  const event = await readEvent(stripe, secret, payload, header, now * 1000);
  return event && { customerId: event.customerId, newCustomerId: event.newCustomerId };
}

const ours = { metadata: { account: "acc_1" } };
const created = { customerId: null, newCustomerId: "cus_1" };
const changed = { customerId: "cus_1", newCustomerId: null };

test("the first address ends the creation of a customer by us, also of one that was interrupted", async () => {
  expect(await hintOf(ours)).toEqual(created);
  expect(await hintOf(ours, { before: { invoice_settings: { footer: null } } })).toEqual(created);
  expect(await hintOf(ours, { ageSeconds: aDay - 60 })).toEqual(created);
});

test("any other address is a change, of which the account is synced", async () => {
  expect(await hintOf(ours, { before: { email: "before@example.com" } })).toEqual(changed);
  expect(await hintOf(ours, { before: { name: null } })).toEqual(changed);
  // Removed in the dashboard, and entered again.
  expect(await hintOf(ours, { ageSeconds: aDay + 60 })).toEqual(changed);
  // Created in the dashboard.
  expect(await hintOf({})).toEqual(changed);
});
