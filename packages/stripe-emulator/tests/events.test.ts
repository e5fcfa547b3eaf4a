import type Stripe from "stripe";
import { expect, test } from "vitest";
import { openCheckout, refusal, setUpStripeEmulator, startReceiver } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const expire = async (): Promise<string> => {
  const { session } = await openCheckout(stripe);
  const { events } = await local.control("checkout", { session: session.id, outcome: "expired" });
  return events[0]?.id ?? "";
};
const list = async (params: Stripe.EventListParams = {}): Promise<string[]> =>
  (await stripe.events.list({ type: "checkout.session.expired", limit: 100, ...params })).data.map(({ id }) => id);

test("events are listed a page at a time, newest first, and none is missed or repeated", async () => {
  const made: string[] = [];
  for (let index = 0; index < 5; index += 1) made.unshift(await expire());
  const first = await stripe.events.list({ type: "checkout.session.*", limit: 2 });
  expect(first.has_more).toBe(true);
  const rest = await list({ starting_after: String(first.data.at(-1)?.id) });
  expect([...first.data.map(({ id }) => id), ...rest]).toEqual(made);
  expect(await refusal(stripe.events.list({ type: "a", types: ["b"] }))).toMatchObject({ statusCode: 400 });
});

test("undelivered events can be listed: lost, refused, or still pending", async () => {
  const receiver = await startReceiver([503]);
  const input = { url: receiver.url, enabled_events: ["checkout.session.expired" as const] };
  const { id } = await stripe.webhookEndpoints.create(input);
  await local.control("disorder", { drop: 1 });
  const lost = await expire();
  const reached = await expire();
  expect(receiver.received.map(({ event }) => event.id)).toEqual([reached, reached]);
  expect(await list({ delivery_success: false })).toEqual([lost]);
  expect((await list({ delivery_success: true })).slice(0, 1)).toEqual([reached]);
  await stripe.webhookEndpoints.update(id, { disabled: true });
  receiver.close();
});

test("an event is available for thirty days", async () => {
  const id = await expire();
  await local.control("clock", { advanceDays: 29 });
  expect(await list()).toContain(id);
  await local.control("clock", { advanceDays: 2 });
  expect(await list()).not.toContain(id);
  expect(await refusal(stripe.events.retrieve(id))).toMatchObject({ statusCode: 404, code: "resource_missing" });
});
