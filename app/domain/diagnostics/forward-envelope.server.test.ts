import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { itemsIn, LoneTunnel, reportIn } from "#tests/support/lone-tunnel.ts";
import { RECEIVER_KEY } from "#tests/support/sentry-protocol.ts";
import vectors from "#tests/vectors/sentry-rate-limits.json" with { type: "json" };

const tunnel = new LoneTunnel();
const { receiver } = tunnel;
beforeAll(() => receiver.listen());
afterAll(() => receiver.close());
beforeEach(() => tunnel.reset());
afterEach(() => tunnel.expectEmpty());

describe("back-off, as the SDKs' own tests tell it", () => {
  const told = vectors.sequences.filter(({ steps }) =>
    steps.every((step) => step.response !== "network_error" && !("update" in step)),
  );
  test.each(told)("$name", async ({ steps }) => {
    const start = tunnel.now;
    for (const step of steps) {
      tunnel.now = start + step.at * 1000;
      const answer = typeof step.response === "object" ? step.response : {};
      const headers: Record<string, string> = "headers" in answer ? { ...answer.headers } : {};
      const status = "statusCode" in answer ? answer.statusCode : undefined;
      // Retry-After counts on a 429 only, which is how a receiver sends it.
      const refusal = status ?? ("retry-after" in headers ? 429 : undefined);
      receiver.plan(refusal === undefined ? { kind: "accept", headers } : { kind: "refuse", status: refusal, headers });
      const types = [step.send ?? []].flat();
      const response = await tunnel.post(tunnel.envelope(...types));
      await tunnel.settled();
      expect(response.status).toBe(step.expect === "dropped" ? 429 : 200);
    }
  });

  test("a 429 that names nothing pauses everything for 60 seconds, each item counted", async () => {
    receiver.plan({ kind: "refuse", status: 429 });
    expect((await tunnel.post(tunnel.envelope("event"))).status).toBe(200);
    await tunnel.settled();
    tunnel.now += 59_999;
    const response = await tunnel.post(tunnel.envelope("event", "user_report", "session", "attachment"));
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("1");
    expect(response.headers.get("X-Sentry-Rate-Limits")).toBe("1::organization");
    expect(await tunnel.nextReport()).toEqual([
      "ratelimit_backoff error 1",
      "ratelimit_backoff feedback 1",
      "ratelimit_backoff session 1",
      "ratelimit_backoff attachment 1",
    ]);
  });

  test("limited items are dropped from a mixed envelope, the rest goes on byte for byte", async () => {
    receiver.plan({ kind: "accept", headers: { "X-Sentry-Rate-Limits": "60:transaction:key" } });
    await tunnel.post(tunnel.envelope("transaction"));
    await receiver.nextEnvelope();
    await tunnel.settled();
    const rest = '{"type":"attachment","length":4}\n\0\r\n\t';
    const response = await tunnel.post(
      `{"dsn":"${receiver.dsn}","n":1.0}\n{"type":"transaction"}\n{"spans":[{}]}\n${rest}\n`,
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Sentry-Rate-Limits")).toBe("60:transaction:organization");
    expect(response.headers.get("Retry-After")).toBeNull();
    const received = await receiver.nextEnvelope();
    expect(received.text.startsWith(`{"dsn":"${receiver.dsn}","n":1.0}\n${rest}\n{"type":"client_report"`)).toBe(true);
    expect(reportIn(received)).toEqual(["ratelimit_backoff transaction 1", "ratelimit_backoff span 2"]);
  });

  test("a dropped part of a compressed envelope means that the rest goes up plain", async () => {
    receiver.plan({ kind: "accept", headers: { "X-Sentry-Rate-Limits": "60:transaction:key" } });
    await tunnel.post(tunnel.envelope("transaction"));
    await receiver.nextEnvelope();
    await tunnel.settled();
    await tunnel.post(gzipSync(tunnel.envelope("transaction", "event")), { "Content-Encoding": "gzip" });
    const received = await receiver.nextEnvelope();
    expect(received.headers["content-encoding"]).toBeUndefined();
    expect(itemsIn(received)[0]?.type).toBe("event");
  });
});

describe("a receiver that fails", () => {
  test("with 5xx is asked three times, then the loss is counted", async () => {
    receiver.behave({ kind: "refuse", status: 503 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(3);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1"]);
  });

  test("by dropping the connection is asked three times, then the loss is counted", async () => {
    receiver.behave({ kind: "reset" });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(3);
    expect(await tunnel.nextReport()).toEqual(["network_error error 1"]);
  });

  test("once, and then accepts, has nothing to be told", async () => {
    receiver.plan({ kind: "refuse", status: 500 }, { kind: "reset" });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(3);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("by never answering is given up at the attempt's timeout, and at the deadline of all attempts", async () => {
    receiver.behave({ kind: "hang" });
    await tunnel.post(tunnel.envelope("event"), {}, { attemptMs: 100, deadlineMs: 150 });
    await tunnel.settled();
    expect(receiver.received.length).toBe(2);
    expect(await tunnel.nextReport()).toEqual(["network_error error 1"]);
  });

  test.each([400, 403, 413])("with %i is not asked again", async (status) => {
    receiver.behave({ kind: "refuse", status });
    await tunnel.post(tunnel.envelope("event", "transaction"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1", "send_error transaction 1", "send_error span 1"]);
  });

  test("with 429 has counted itself, and is not asked again", async () => {
    receiver.plan({ kind: "refuse", status: 429, headers: { "Retry-After": "1" } });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("by redirecting is not followed", async () => {
    receiver.behave({ kind: "redirect", to: `${receiver.origin}/api/${receiver.project}/elsewhere` });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.map(({ path }) => path)).toEqual([
      `/api/${receiver.project}/envelope/?sentry_version=7&sentry_key=${RECEIVER_KEY}`,
    ]);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1"]);
  });

  test("with a lost client report is told nothing about that report", async () => {
    receiver.behave({ kind: "refuse", status: 400 });
    await tunnel.post(tunnel.envelope("client_report"));
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("is told later what it did not hear because it was down, once", async () => {
    tunnel.queue.count("ratelimit_backoff", [{ category: "error", quantity: 2 }]);
    receiver.behave({ kind: "refuse", status: 502 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(reportIn(await receiver.nextEnvelope())).toEqual(["ratelimit_backoff error 2"]);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1", "ratelimit_backoff error 2"]);
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("is not told again what it refused, since the report may be why", async () => {
    tunnel.queue.count("ratelimit_backoff", [{ category: "error", quantity: 2 }]);
    receiver.behave({ kind: "refuse", status: 400 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual(["send_error error 1"]);
  });
});
