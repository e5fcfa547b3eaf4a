import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { itemsIn, reportIn, useLoneTunnel } from "#tests/support/monitoring/in-process-tunnel.ts";
import { RECEIVER_KEY } from "#tests/support/monitoring/sentry-protocol.ts";

const tunnel = useLoneTunnel();
const { receiver } = tunnel;

describe("a failing receiver", () => {
  test("that answers 5xx is called three times, then the loss is counted", async () => {
    receiver.behave({ kind: "refuse", status: 503 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(3);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1"]);
  });

  test("that drops the connection is called three times, then the loss is counted", async () => {
    receiver.behave({ kind: "reset" });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(3);
    expect(await tunnel.nextReport()).toEqual(["network_error error 1"]);
  });

  test("that then accepts gets no counts", async () => {
    receiver.plan({ kind: "refuse", status: 500 }, { kind: "reset" });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(3);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test.each([
    ["at each attempt's timeout", { attemptMs: 300, deadlineMs: 60_000 }, 3],
    ["at the deadline of all attempts", { attemptMs: 60_000, deadlineMs: 500 }, 1],
  ])("that never answers is abandoned %s", async (_when, limits, attempts) => {
    receiver.behave({ kind: "hang" });
    await tunnel.post(tunnel.envelope("event"), {}, limits);
    await tunnel.settled();
    expect(receiver.received.length).toBe(attempts);
    expect(await tunnel.nextReport()).toEqual(["network_error error 1"]);
  });

  test.each([
    ["talking", false],
    ["silence", true],
  ])("that accepts with endless %s has accepted, and blocks nothing", async (_how, isSilent) => {
    receiver.behave({ kind: "endless", isSilent });
    await tunnel.post(tunnel.envelope("event"), {}, { attemptMs: isSilent ? 1000 : 60_000 });
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    receiver.behave({ kind: "accept" });
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test.each([400, 403, 413])("that answers %i is not retried", async (status) => {
    receiver.behave({ kind: "refuse", status });
    await tunnel.post(tunnel.envelope("event", "transaction"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1", "send_error transaction 1", "send_error span 1"]);
  });

  test("that answers 429 has counted the loss itself, and is not retried", async () => {
    receiver.plan({ kind: "refuse", status: 429, headers: { "Retry-After": "1" } });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("that redirects is not followed", async () => {
    receiver.behave({ kind: "redirect", to: `${receiver.origin}/api/${receiver.project}/elsewhere` });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.map(({ path }) => path)).toEqual([
      `/api/${receiver.project}/envelope/?sentry_version=7&sentry_key=${RECEIVER_KEY}`,
    ]);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1"]);
  });

  test("that never answers is abandoned when the time for all attempts is up", async () => {
    receiver.behave({ kind: "hang" });
    // The deadline ends the first attempt; a pause after that would be longer than this test may last.
    await tunnel.post(tunnel.envelope("event"), {}, { attemptMs: 60_000, deadlineMs: 50, pausesMs: [60_000, 60_000] });
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual(["network_error error 1"]);
  });

  test("that accepts and breaks off its answer has accepted", async () => {
    receiver.behave({ kind: "break-off" });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("that names a pause is not called before it ends", async () => {
    receiver.behave({ kind: "refuse", status: 503, headers: { "X-Sentry-Rate-Limits": "60::organization" } });
    await tunnel.post(tunnel.envelope("event", "transaction"));
    await tunnel.settled();
    expect(receiver.received.length).toBe(1);
    expect(await tunnel.nextReport()).toEqual([
      "ratelimit_backoff error 1",
      "ratelimit_backoff transaction 1",
      "ratelimit_backoff span 1",
    ]);
  });

  test("that names limited categories is called again with the remaining items, compressed or not", async () => {
    const failing = { kind: "refuse", status: 503, headers: { "X-Sentry-Rate-Limits": "60:session:key" } } as const;
    receiver.plan(failing);
    await tunnel.post(tunnel.envelope("event", "session"));
    await tunnel.settled();
    receiver.plan(failing);
    await tunnel.post(gzipSync(tunnel.envelope("event")), { "Content-Encoding": "gzip" });
    await tunnel.settled();
    expect(receiver.received.length).toBe(4);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("has compressed envelopes unpacked again, so that their loss is counted", async () => {
    receiver.behave({ kind: "refuse", status: 400 });
    const body = `${tunnel.envelope("event")}\n{"type":"transaction"}\n{"spans":[{},{}]}`;
    await tunnel.post(gzipSync(body), { "Content-Encoding": "gzip" });
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual(["send_error error 1", "send_error transaction 1", "send_error span 3"]);
  });

  test("gets our report in another envelope if the first one has the maximum of reports", async () => {
    tunnel.queue.count("ratelimit_backoff", [{ category: "error", quantity: 2 }]);
    await tunnel.post(tunnel.envelope(...Array.from({ length: 100 }, () => "client_report")));
    expect(itemsIn(await receiver.nextEnvelope()).length).toBe(100);
    expect(await tunnel.nextReport()).toEqual(["ratelimit_backoff error 2"]);
  });

  test("that answers 429 has read our report, and doesn't get it again", async () => {
    tunnel.queue.count("queue_overflow", [{ category: "error", quantity: 2 }]);
    receiver.plan({ kind: "refuse", status: 429, headers: { "Retry-After": "1" } });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(reportIn(await receiver.nextEnvelope())).toEqual(["queue_overflow error 2"]);
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("doesn't get a count for a lost client report", async () => {
    receiver.behave({ kind: "refuse", status: 400 });
    await tunnel.post(tunnel.envelope("client_report"));
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("gets the missed counts once when it is back", async () => {
    tunnel.queue.count("ratelimit_backoff", [{ category: "error", quantity: 2 }]);
    receiver.behave({ kind: "refuse", status: 502 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(reportIn(await receiver.nextEnvelope())).toEqual(["ratelimit_backoff error 2"]);
    expect(await tunnel.nextReport()).toEqual(["send_error error 1", "ratelimit_backoff error 2"]);
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual([]);
  });

  test("doesn't get a refused report again, since the report may be the cause", async () => {
    tunnel.queue.count("ratelimit_backoff", [{ category: "error", quantity: 2 }]);
    receiver.behave({ kind: "refuse", status: 400 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(await tunnel.nextReport()).toEqual(["send_error error 1"]);
  });
});
