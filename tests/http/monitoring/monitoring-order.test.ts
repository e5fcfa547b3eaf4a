import { describe, expect, test } from "vitest";
import { type TunnelRequest, useTunnel } from "#tests/support/monitoring/tunnel.ts";

/**
 * The row of the tunnel table about the order of the checks: each request fails two checks, and the earlier one
 * answers.
 */
const tunnel = useTunnel();
const { receiver } = tunnel;

const off = { "x-dsn": "" };
const foreign = { Origin: "https://evil.example" };
const foreignDsn = { dsn: "https://key@evil.example/42" };
const transaction = () => tunnel.envelope({}, '{"type":"transaction"}\n{}');

async function answerTo(request: TunnelRequest): Promise<unknown> {
  const response = await tunnel.send(request);
  const text = await response.text();
  return text === "" ? response.status : [response.status, JSON.parse(text).detail];
}

describe("the order of checks is", () => {
  test("path before method", async () => {
    expect(await answerTo({ method: "PUT", path: "/monitoring/x" })).toEqual([404, "not the tunnel"]);
  });

  test("method before off", async () => {
    expect(await answerTo({ method: "PUT", headers: off })).toEqual([405, "POST only"]);
  });

  test("off before origin", async () => {
    expect(await answerTo({ headers: { ...off, ...foreign } })).toBe(204);
  });

  test("origin before rate limit, and rate limit before size", async () => {
    const limiting = { "x-rate-limit": "1", "CF-Connecting-IP": "192.0.2.55" };
    await tunnel.sendUntil(429, { headers: limiting });
    expect(await answerTo({ headers: { ...limiting, ...foreign } })).toEqual([403, "foreign origin"]);
    const body = tunnel.sized(1024 * 1024 + 1);
    expect(await answerTo({ headers: limiting, body })).toEqual([429, "too many requests"]);
    expect(await answerTo({ body })).toEqual([413, "body too large"]);
  });

  test("size before framing", async () => {
    expect(await answerTo({ body: "x".repeat(1024 * 1024 + 1) })).toEqual([413, "body too large"]);
  });

  test("framing before DSN", async () => {
    const body = tunnel.envelope(foreignDsn, '{"type":""}');
    expect(await answerTo({ body })).toEqual([400, "invalid_item_header"]);
  });

  test("DSN before back-off, and back-off before the queue", async () => {
    receiver.plan({ kind: "refuse", status: 429, headers: { "X-Sentry-Rate-Limits": "600:error:key" } });
    await tunnel.send();
    await tunnel.sendUntil(429);
    expect(await answerTo({ body: tunnel.envelope(foreignDsn) })).toEqual([403, "foreign dsn"]);

    receiver.behave({ kind: "hold" });
    const full = await Promise.all(Array.from({ length: 64 }, () => tunnel.send({ body: transaction() })));
    expect(full.map(({ status }) => status)).toEqual(full.map(() => 200));
    expect(await answerTo({ body: transaction() })).toEqual([429, "queue full"]);
    expect(await answerTo({ body: tunnel.envelope(foreignDsn) })).toEqual([403, "foreign dsn"]);
    expect(await answerTo({})).toEqual([429, "rate limited"]);
    receiver.release();
  });

  test("the queue before acceptance, so that a refused envelope never arrives", async () => {
    receiver.behave({ kind: "hold" });
    await Promise.all(Array.from({ length: 64 }, () => tunnel.send()));
    for (let index = 0; index < 64; index++) await receiver.nextEnvelope();
    expect(await answerTo({ body: tunnel.envelope({ one: "too many" }) })).toEqual([429, "queue full"]);
    receiver.behave({ kind: "accept" });
    receiver.release();
    await tunnel.sendUntil(200);
    expect(receiver.received.filter(({ text }) => text.includes("too many"))).toEqual([]);
  });
});
