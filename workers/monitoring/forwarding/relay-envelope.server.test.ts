import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { itemsIn, reportIn, useLoneTunnel } from "#tests/support/monitoring/in-process-tunnel.ts";
import { BODY_BYTES_CEILING, DRAINED_BYTES_MAX, SEND_QUEUE_BYTES_MAX } from "../constants.ts";
import { parseDsn } from "../envelopes/dsn.rules.ts";
import { decodeBody } from "./read-body.server.ts";
import { relayEnvelope } from "./relay-envelope.server.ts";
import { settingsFromEnv } from "../rules.ts";

const tunnel = useLoneTunnel();
const { receiver } = tunnel;

describe("the queue", () => {
  test("accepts 64 envelopes, refuses and counts the 65th, and accepts another when one has left", async () => {
    receiver.behave({ kind: "hold" });
    const patient = { attemptMs: 20_000, deadlineMs: 25_000 };
    const ask = () => tunnel.post(tunnel.envelope("event"), {}, patient);
    for (let index = 0; index < 64; index++) expect((await ask()).status).toBe(200);
    const refused = await tunnel.post(tunnel.envelope("event"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("10");
    for (let index = 0; index < 64; index++) await receiver.nextEnvelope();
    receiver.behave({ kind: "accept" });
    receiver.release();
    await tunnel.settled();
    expect((await tunnel.post(tunnel.envelope("event"))).status).toBe(200);
    expect(reportIn(await receiver.nextEnvelope())).toEqual(["queue_overflow error 1"]);
  });

  test("contains 32 MiB at most, including bodies still being read, and counts everything refused", async () => {
    receiver.behave({ kind: "hold" });
    const header = `{"dsn":"${receiver.dsn}"}\n{"type":"replay_recording","length":${1_000_000}}\n`;
    const body = Buffer.concat([Buffer.from(header), Buffer.alloc(1_000_000, 7)]);
    const patient = { attemptMs: 20_000, deadlineMs: 25_000 };
    const answers = await Promise.all(Array.from({ length: 60 }, () => tunnel.post(body, {}, patient)));
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(tunnel.queue.bytes).toBeLessThanOrEqual(SEND_QUEUE_BYTES_MAX);
    expect(accepted).toBeLessThanOrEqual(33);
    expect(accepted).toBeGreaterThan(20);
    expect(answers.filter(({ status }) => status === 429).length).toBe(60 - accepted);
    // The envelopes accepted last carry the report of what had been refused by then.
    const reports: string[] = [];
    for (let index = 0; index < accepted; index++) {
      const received = await receiver.nextEnvelope();
      expect(received.body.subarray(0, body.length).equals(body)).toBe(true);
      reports.push(...reportIn(received));
    }
    receiver.behave({ kind: "accept" });
    receiver.release();
    await tunnel.settled();
    reports.push(...(await tunnel.nextReport()));
    const counted = reports.map((line) => /^queue_overflow replay (\d+)$/.exec(line)?.[1]);
    expect(counted.reduce((sum, quantity) => sum + Number(quantity), 0)).toBe(60 - accepted);
  });

  test("answers before the receiver does", async () => {
    receiver.behave({ kind: "hold" });
    expect((await tunnel.post(tunnel.envelope("event"))).status).toBe(200);
    await receiver.nextEnvelope();
    expect(tunnel.queue.events).toBe(1);
  });
});

describe("the back-off", () => {
  test("pauses everything for 60 seconds after a 429 without details, and counts each item", async () => {
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
      "ratelimit_backoff attachment_item 1",
      "ratelimit_backoff attachment 2",
    ]);
  });

  test("drops the limited items of a mixed envelope, and forwards the rest byte for byte", async () => {
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

  test("forwards a compressed envelope uncompressed if part of it was dropped", async () => {
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

describe("the destination", () => {
  test("of an envelope without a DSN is our own, and the envelope is forwarded unchanged", async () => {
    // A span of @sentry/browser 8.0 to 8.2.
    const span = '{"sent_at":"2026-11-28T22:25:13.489Z"}\n{"type":"span"}\n{"op":"ui.interaction.click"}';
    expect((await tunnel.post(span)).status).toBe(200);
    const received = await receiver.nextEnvelope();
    expect([received.text, received.path]).toEqual([
      span,
      expect.stringContaining(String(parseDsn(receiver.dsn)?.publicKey)),
    ]);
  });

  test.each(["https://key@evil.example/42", 42, null, {}])("is refused when the DSN is %j", async (dsn) => {
    const answer = await tunnel.post(`${JSON.stringify({ dsn })}\n{"type":"event"}\n{}`);
    expect([answer.status, await answer.json()]).toEqual([403, { detail: "foreign dsn" }]);
  });
});

describe("what is refused for its size", () => {
  const screenshot = (header = {}) =>
    [
      JSON.stringify({ dsn: receiver.dsn, ...header }),
      '{"type":"feedback"}',
      "{}",
      '{"type":"attachment","length":3000000}',
      "x".repeat(3_000_000),
    ].join("\n");
  const counted = ["send_error feedback 1", "send_error attachment_item 1", "send_error attachment 3000000"];

  test.each([
    ["declared", { "Content-Length": "3000100" }],
    ["chunked", {}],
  ])("is reported by category, %s", async (_name, headers) => {
    expect((await tunnel.post(screenshot(), headers)).status).toBe(413);
    expect(await tunnel.nextReport()).toEqual(counted);
  });

  test("is left to SDKs that report it themselves", async () => {
    const by = (version: string) => screenshot({ sdk: { name: "sentry.javascript.react", version } });
    expect((await tunnel.post(by("10.39.0"))).status).toBe(413);
    expect(await tunnel.nextReport()).toEqual([]);
    expect((await tunnel.post(by("10.38.0"))).status).toBe(413);
    expect(await tunnel.nextReport()).toEqual(counted);
  });

  test("is reported as one of unknown kind if nothing of it can be read", async () => {
    await tunnel.post("x", { "Content-Length": String(DRAINED_BYTES_MAX + 1) });
    await tunnel.post(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { "Content-Encoding": "gzip" });
    expect(await tunnel.nextReport()).toEqual(["send_error default 2"]);
  });

  test("is reported when there are too many items, too", async () => {
    expect((await tunnel.post(tunnel.envelope("event", "event"))).status).toBe(413);
    expect(await tunnel.nextReport()).toEqual(["send_error error 2"]);
  });

  test("isn't reported about a client report", async () => {
    expect((await tunnel.post(`{}\n{"type":"client_report"}\n${"x".repeat(2_000_000)}`)).status).toBe(413);
    expect(await tunnel.nextReport()).toEqual([]);
  });
});

describe("bodies", () => {
  test("that break off are refused, not mistaken for complete envelopes", async () => {
    const start = new TextEncoder().encode(tunnel.envelope("event"));
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(start),
      pull: (controller) => controller.error(new Error("gone")),
    });
    expect((await tunnel.post(broken)).status).toBe(400);
  });

  test("that are declared above the cap are discarded as they arrive, and take no bytes of the queue", async () => {
    const held: number[] = [];
    let left = 1024 * 1024 + 1;
    const pull = (controller: ReadableStreamDefaultController): void => {
      held.push(tunnel.queue.bytes);
      controller.enqueue(new Uint8Array(Math.min(left, 256 * 1024)));
      left -= 256 * 1024;
      if (left <= 0) controller.close();
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const response = await tunnel.post(body, { "Content-Length": String(left) });
    expect([response.status, held]).toEqual([413, [0, 0, 0, 0, 0]]);
  });

  test("that are declared above the discard limit are refused before any byte is read", async () => {
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const response = await tunnel.post(body, { "Content-Length": String(DRAINED_BYTES_MAX + 1) });
    expect([response.status, pulled]).toEqual([413, 0]);
  });

  test.each([
    ["large", {}],
    ["small", { "Content-Length": "500" }],
  ])(
    "that are slow, %s ones, are abandoned after 10 seconds, and take no bytes of the queue",
    async (_name, headers) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const start = new TextEncoder().encode(tunnel.envelope("event"));
      const answer = tunnel.post(new ReadableStream({ start: (controller) => controller.enqueue(start) }), headers);
      await vi.advanceTimersByTimeAsync(10_000);
      vi.useRealTimers();
      expect((await answer).status).toBe(400);
      expect(tunnel.queue.bytes).toBe(0);
    },
  );

  test("in zstd are read with the largest window of the standard, and refused with a larger one", () => {
    // A frame by hand, as no encoder declares a window that it doesn't need: one raw block, "hello".
    const frame = (windowLog: number) =>
      Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, (5 << 3) | 1, 0, 0, 0x68, 0x65, 0x6c, 0x6c, 0x6f);
    expect(decodeBody(frame(23), "zstd", 100)).toMatchObject({ ok: true });
    expect(decodeBody(frame(24), "zstd", 100)).toEqual({ ok: false, refusal: "broken" });
  });

  test("that expand to more than eight times the cap are refused before that", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect((await tunnel.post(bomb, { "Content-Encoding": "gzip" })).status).toBe(413);
  });

  test("expand to no more than the queue's size, whatever the configured cap", () => {
    const isTaken = (bytes: number) => decodeBody(gzipSync(Buffer.alloc(bytes)), "gzip", BODY_BYTES_CEILING).ok;
    expect([isTaken(SEND_QUEUE_BYTES_MAX), isTaken(SEND_QUEUE_BYTES_MAX + 1)]).toEqual([true, false]);
  });

  test("that consist of half a million empty items in a few kilobytes are refused after the first thousand", async () => {
    const bomb = gzipSync(`${tunnel.envelope()}${'\n{"type":"x"}\n'.repeat(500_000)}`);
    expect(bomb.length).toBeLessThan(20_000);
    const answer = await tunnel.post(bomb, { "Content-Encoding": "gzip" });
    expect([answer.status, await answer.json()]).toEqual([413, { detail: "too many items" }]);
  });
});

test("the queue's bytes are released after any error between the body and the answer", async () => {
  const request = new Request("https://foyer.example/monitoring", { method: "POST", body: tunnel.envelope("event") });
  const noClock = (): number => {
    throw new Error("no clock");
  };
  const settings = settingsFromEnv({ SENTRY_DSN: receiver.dsn });
  const relayed = relayEnvelope(request, settings, { waitUntil: () => undefined }, noClock, undefined, tunnel.queue);
  await expect(relayed).rejects.toThrow("no clock");
  expect(tunnel.queue.bytes).toBe(0);
});

test("a network above the rate limit gets 429, and other networks are answered", async () => {
  const ask = (isLimited: boolean) => tunnel.post(tunnel.envelope("event"), {}, {}, () => Promise.resolve(isLimited));
  expect((await ask(false)).status).toBe(200);
  const refused = await ask(true);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
});
