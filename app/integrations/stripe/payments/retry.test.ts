import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { retryOnce } from "./retry.ts";

type Answer = { status: number; headers?: Record<string, string> };

/** A client that receives these responses in turn, on a clock that advances by the waits and `tookMs` per call. */
async function ask(answers: Answer[], { timeoutMs = 8000, tookMs = 100, chance = 0 } = {}) {
  let now = 0;
  const waited: number[] = [];
  const timeouts: number[] = [];
  const client = Stripe.createFetchHttpClient(async () => {
    now += tookMs;
    const { status, headers = {} } = answers.shift() ?? { status: 200 };
    return new Response("{}", { status, headers });
  });
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...call) => {
    timeouts.push(call[7]);
    return send(...call);
  };
  const pause = async (ms: number) => {
    waited.push(ms);
    now += ms;
  };
  const retrying = retryOnce(client, { chance: () => chance, now: () => now, pause });
  const answer = await retrying.makeRequest("stripe.test", "1", "/v1/x", "GET", {}, "", "http", timeoutMs);
  return { status: answer.getStatusCode(), waited, timeouts };
}

test.each([
  ["a rate limit", { status: 429 }],
  ["a lock that Stripe says to retry", { status: 429, headers: { "Stripe-Should-Retry": "true" } }],
  ["an idempotency key in use", { status: 409 }],
])("%s is retried once, after a random wait", async (_what, refused) => {
  expect(await ask([refused])).toEqual({ status: 200, waited: [300], timeouts: [8000, 7600] });
  expect((await ask([refused], { chance: 1 })).waited).toEqual([1500]);
  expect(await ask([refused, refused])).toMatchObject({ status: refused.status, waited: [300] });
});

test.each([
  ["a failure of Stripe's own", { status: 500 }],
  ["a refusal", { status: 400 }],
  ["a conflict that Stripe says not to retry", { status: 409, headers: { "Stripe-Should-Retry": "false" } }],
  ["a rate limit that asks for a long wait", { status: 429, headers: { "Retry-After": "30" } }],
])("%s is not retried", async (_what, refused) => {
  expect(await ask([refused])).toEqual({ status: refused.status, waited: [], timeouts: [8000] });
});

test("a short Retry-After is honoured, and the wait is never shorter", async () => {
  const refused = { status: 429, headers: { "Retry-After": "2" } };
  expect((await ask([refused])).waited).toEqual([2000]);
  expect((await ask([refused], { chance: 1 })).waited).toEqual([2300]);
});

test("a call is not retried if the deadline leaves no time for it", async () => {
  expect(await ask([{ status: 429 }], { timeoutMs: 1399 })).toEqual({ status: 429, waited: [], timeouts: [1399] });
  expect(await ask([{ status: 429 }], { timeoutMs: 1400 })).toEqual({
    status: 200,
    waited: [300],
    timeouts: [1400, 1000],
  });
});
