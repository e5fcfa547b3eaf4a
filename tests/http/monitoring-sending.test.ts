import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Tunnel } from "#tests/support/tunnel.ts";

/** The rows of the tunnel table about sending: headers up and down, speed, queue, back-off, honest counting, failures, flood. */
const tunnel = new Tunnel();
const { receiver } = tunnel;
beforeAll(() => tunnel.start());
afterAll(() => tunnel.stop());
beforeEach(() => receiver.reset());

/** What the connection and wrangler's local proxy add. */
const LOCAL_HEADERS = new Set(["content-length", "content-encoding", "transfer-encoding", "date"]);

describe("headers", () => {
  test("go up as far as the receiver needs them, without cookies and authorization", async () => {
    await tunnel.send({
      headers: {
        "User-Agent": "Browser/1",
        "Sec-CH-UA-Platform": '"Linux"',
        "CF-Connecting-IP": "192.0.2.7",
        Cookie: "__Host-session=secret",
        Authorization: "Bearer secret",
        "X-Sentry-Auth": "Sentry sentry_key=forged",
        "X-Forwarded-For": "8.8.8.8",
      },
    });
    const { headers } = await receiver.nextEnvelope();
    expect(headers).toMatchObject({
      "content-type": "application/x-sentry-envelope",
      "user-agent": "Browser/1",
      "sec-ch-ua-platform": '"Linux"',
      "x-sentry-forwarded-for": "192.0.2.7",
    });
    for (const name of ["cookie", "authorization", "x-sentry-auth", "x-forwarded-for", "origin", "referer"]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test("come down as far as the SDK needs them", async () => {
    const response = await tunnel.send();
    expect(await response.json()).toEqual({ id: "9ec79c33ec9942ab8353589fcb2e04dc" });
    expect([...response.headers.keys()].filter((name) => !LOCAL_HEADERS.has(name))).toEqual(["content-type"]);
  });
});

describe("speed", () => {
  test("the browser is answered while the receiver still holds the envelope", async () => {
    receiver.behave({ kind: "hold" });
    expect((await tunnel.send()).status).toBe(200);
    await receiver.nextEnvelope();
    receiver.release();
  });

  test("a receiver that never answers holds nobody", async () => {
    receiver.behave({ kind: "hang" });
    expect((await tunnel.send()).status).toBe(200);
    await receiver.nextEnvelope();
    receiver.behave({ kind: "accept" });
    expect((await tunnel.send()).status).toBe(200);
  });
});

describe("queue and back-off across requests of one isolate", () => {
  test("the 65th envelope in flight is refused with 429 and a time, and counted in a later one", async () => {
    receiver.behave({ kind: "hold" });
    const answers = await Promise.all(Array.from({ length: 64 }, () => tunnel.send()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (let index = 0; index < 64; index++) await receiver.nextEnvelope();
    const refused = await tunnel.send();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "10"]);
    receiver.behave({ kind: "accept" });
    receiver.release();
    await tunnel.sendUntil(200);
    expect((await receiver.nextEnvelope()).text).toContain('"reason":"queue_overflow","category":"error"');
  });

  test("a limit is learnt from the receiver, told to the browser, and ends by itself", async () => {
    receiver.plan({
      kind: "refuse",
      status: 429,
      headers: { "X-Sentry-Rate-Limits": "30:error:key", "Retry-After": "30" },
    });
    expect((await tunnel.send()).status).toBe(200);
    await receiver.nextEnvelope();
    const refused = await tunnel.sendUntil(429);
    expect(refused.headers.get("X-Sentry-Rate-Limits")).toMatch(/^(30|29):error:organization$/);
    expect(refused.headers.get("Retry-After")).toMatch(/^(30|29)$/);
    expect((await tunnel.send({ headers: { "x-later": "31" } })).status).toBe(200);
    const later = await tunnel.nextReport();
    expect(later).toContain('"reason":"ratelimit_backoff","category":"error"');
  });

  test("a receiver that is down is asked again, and what was lost is told when it is back", async () => {
    receiver.plan(...Array.from({ length: 3 }, () => ({ kind: "refuse", status: 503 }) as const));
    await tunnel.send();
    for (let index = 0; index < 3; index++) await receiver.nextEnvelope();
    expect(await tunnel.nextReport(() => tunnel.send())).toContain(
      '"reason":"send_error","category":"error","quantity":1',
    );
  });
});

test("a flood from one address is refused with 429, other addresses are not", async () => {
  const from = (address: string): Promise<Response> =>
    tunnel.send({ headers: { "x-flood": "1", "CF-Connecting-IP": address } });
  const answers = [];
  for (let index = 0; index < 8; index++) answers.push(await from("2001:db8::1"));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get("Retry-After")).toBe("60");
  expect((await from("2001:db8::2")).status).toBe(429);
  expect((await from("2001:db8:0:1::1")).status).toBe(200);
});
