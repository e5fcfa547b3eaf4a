import { describe, expect, onTestFinished, test } from "vitest";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";
import { startBareWorker } from "../../../bench/bare-worker.ts";
import { bundleWorker } from "../../../bench/worker-modules.ts";

/** The rows of the tunnel table about sending: headers up and down, speed, queue, back-off, rate limit. */
const tunnel = useTunnel();
const { receiver } = tunnel;

/** What the connection and wrangler's local proxy add. */
const LOCAL_HEADERS = new Set(["content-length", "content-encoding", "transfer-encoding", "date"]);

function headersOf(response: Response): string[] {
  return [...response.headers.keys()].filter((name) => !LOCAL_HEADERS.has(name));
}

describe("headers", () => {
  const hints = {
    "sec-ch-ua": '"Browser";v="1"',
    "sec-ch-ua-model": '"Model"',
    "sec-ch-ua-platform": '"Linux"',
    "sec-ch-ua-platform-version": '"6.1"',
  };

  test("of a request are forwarded as far as the receiver needs them, without cookies and authorization", async () => {
    await tunnel.send({
      headers: {
        "User-Agent": "Browser/1",
        ...hints,
        "CF-Connecting-IP": "192.0.2.7",
        Cookie: "__Host-session=secret",
        Authorization: "Bearer secret",
        "X-Sentry-Auth": "Sentry sentry_key=forged",
        "X-Forwarded-For": "8.8.8.8",
        "X-Sentry-Forwarded-For": "8.8.8.8",
        Referer: "https://foyer.example/verify?code=123456",
      },
    });
    const { headers } = await receiver.nextEnvelope();
    expect(headers).toMatchObject({
      "content-type": "application/x-sentry-envelope",
      "user-agent": "Browser/1",
      ...hints,
      "x-sentry-forwarded-for": "192.0.2.7",
    });
    for (const name of ["cookie", "authorization", "x-sentry-auth", "x-forwarded-for", "origin", "referer"]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test("of a request omit the visitor's address if configured", async () => {
    const headers = { "CF-Connecting-IP": "192.0.2.7", "X-Sentry-Forwarded-For": "8.8.8.8" };
    await tunnel.send({ headers, env: { SENTRY_TUNNEL_FORWARD_ADDRESS: "false" } });
    const received = await receiver.nextEnvelope();
    expect(JSON.stringify(received.headers)).not.toMatch(/192\.0\.2\.7|8\.8\.8\.8/);
  });

  test.each(["span", "log", "trace_metric"])(
    "of a container of %s keep their ingest settings byte for byte, with the visitor's address and without",
    async (type) => {
      const payload = '{"version":2,"ingest_settings":{"infer_ip":"auto","infer_user_agent":"auto"},"items":[{}]}';
      const header = `{"type":"${type}","item_count":1,"content_type":"application/vnd.sentry.items.${type}+json"}`;
      const body = tunnel.envelope({}, `${header}\n${payload}`);
      for (const setting of ["true", "false"]) {
        const headers = { "CF-Connecting-IP": "192.0.2.7" };
        await tunnel.send({ body, headers, env: { SENTRY_TUNNEL_FORWARD_ADDRESS: setting } });
        const received = await receiver.nextEnvelope();
        expect(received.body.toString()).toBe(body);
        // With "auto" the receiver takes the request's address: of ours, this header is all there is.
        expect(received.headers["x-sentry-forwarded-for"]).toBe(setting === "true" ? "192.0.2.7" : undefined);
      }
    },
  );

  test("of an answer are returned as far as the SDK needs them, with the receiver's media type", async () => {
    const accepted = await tunnel.send();
    expect(await accepted.json()).toEqual({ id: "9ec79c33ec9942ab8353589fcb2e04dc" });
    expect(headersOf(accepted)).toEqual(["content-type"]);
    const refused = await tunnel.send({ body: "words" });
    expect(await refused.json()).toEqual({ detail: "invalid_header" });
    expect(headersOf(refused)).toEqual(["content-type"]);
    expect(headersOf(await tunnel.send({ headers: { "x-dsn": "" } }))).toEqual([]);
  });
});

describe("the speed of the tunnel", () => {
  test("lets the browser get its answer before the receiver has answered", async () => {
    receiver.behave({ kind: "hold" });
    expect((await tunnel.send()).status).toBe(200);
    await receiver.nextEnvelope();
    receiver.release();
  });

  test("doesn't depend on a receiver that never answers", async () => {
    receiver.behave({ kind: "hang" });
    expect((await tunnel.send()).status).toBe(200);
    await receiver.nextEnvelope();
    receiver.behave({ kind: "accept" });
    expect((await tunnel.send()).status).toBe(200);
  });
});

test("benefits from one connection to the receiver for many envelopes", async () => {
  // In the bare runtime, since the tests' harness opens its own connections to the receiver.
  const modules = await bundleWorker("bench/tunnel/own-worker.ts");
  const worker = await startBareWorker(modules, { SENTRY_DSN: receiver.dsn });
  onTestFinished(() => worker.stop());
  const opened = receiver.connections;
  for (let count = 0; count < 20; count++) {
    await fetch(`http://127.0.0.1:${worker.port}/monitoring`, { method: "POST", body: tunnel.envelope() });
    await receiver.nextEnvelope();
  }
  // Nearly always one or two: an envelope may be faster than the end of the answer to the one before.
  expect(receiver.connections - opened).toBeLessThan(10);
});

describe("the queue, across requests of one isolate", () => {
  test("refuses the 65th pending envelope with 429 and a time, and counts it in a later one", async () => {
    receiver.behave({ kind: "hold" });
    const answers = await Promise.all(Array.from({ length: 64 }, () => tunnel.send()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (let index = 0; index < 64; index++) await receiver.nextEnvelope();
    const refused = await tunnel.send();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "10"]);
    expect(headersOf(refused)).toEqual(["content-type", "retry-after"]);
    receiver.behave({ kind: "accept" });
    receiver.release();
    await tunnel.sendUntil(200);
    expect((await receiver.nextEnvelope()).text).toContain('"reason":"queue_overflow","category":"error"');
  });

  test("is full at 32 MiB, however few envelopes that are; the rest is refused and counted, and nothing is truncated", async () => {
    receiver.behave({ kind: "hold" });
    const body = tunnel.sized(1024 * 1024);
    const answers = await Promise.all(Array.from({ length: 48 }, () => tunnel.send({ body })));
    const accepted = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 429).length;
    expect(accepted).toBeGreaterThan(16);
    expect(accepted).toBeLessThanOrEqual(32);
    expect(refused).toBe(48 - accepted);
    let counted = 0;
    const count = (text: string): void => {
      counted += Number(/"queue_overflow","category":"attachment_item","quantity":(\d+)/.exec(text)?.[1] ?? 0);
    };
    for (let index = 0; index < accepted; index++) {
      const { text } = await receiver.nextEnvelope();
      expect(text.startsWith(body)).toBe(true);
      count(text);
    }
    receiver.behave({ kind: "accept" });
    receiver.release();
    await tunnel.sendUntil(200);
    count((await receiver.nextEnvelope()).text);
    expect(counted).toBe(refused);
  });
});

test("too many requests from one address are refused with 429, and other addresses aren't affected", async () => {
  const from = (address: string): Promise<Response> =>
    tunnel.send({ headers: { "x-rate-limit": "1", "CF-Connecting-IP": address } });
  // The limit is five a minute, and a new minute may begin on the way.
  let answer = await from("2001:db8::1");
  for (let more = 0; more < 10 && answer.status !== 429; more++) answer = await from("2001:db8::1");
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect((await from("2001:db8::2")).status).toBe(429);
  expect((await from("2001:db8:0:1::1")).status).toBe(200);
});
