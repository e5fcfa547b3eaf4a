import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RECEIVER_KEY } from "#tests/support/sentry-protocol.ts";
import { Tunnel } from "#tests/support/tunnel.ts";

/** The rows of the tunnel table about what is taken. The others: monitoring-sending.test.ts. */
const tunnel = new Tunnel();
const { receiver } = tunnel;
beforeAll(() => tunnel.start());
afterAll(() => tunnel.stop());
beforeEach(() => receiver.reset());

/** Nothing was forwarded: the next thing that arrives is what was sent after it. */
async function expectNothingForwarded(): Promise<void> {
  await tunnel.send({ body: tunnel.envelope({ marker: true }) });
  const received = await receiver.nextEnvelope();
  expect(received.text).toContain('"marker":true');
}

describe("one destination", () => {
  test("the upstream address comes from our own DSN, with one authentication", async () => {
    await tunnel.send({ path: "/monitoring?o=1&p=2&sentry_key=forged" });
    const { method, path, body } = await receiver.nextEnvelope();
    expect(method).toBe("POST");
    expect(path).toBe(`/api/${receiver.project}/envelope/?sentry_version=7&sentry_key=${RECEIVER_KEY}`);
    expect(body.toString()).toBe(tunnel.envelope());
  });

  test("the same DSN written as key:@host is ours", async () => {
    expect((await tunnel.send({ body: tunnel.envelope({ dsn: receiver.dsn.replace("@", ":@") }) })).status).toBe(200);
    await receiver.nextEnvelope();
  });

  test.each(["https://key@evil.example/42", "not a dsn"])("a DSN of %s is refused with 403", async (dsn) => {
    expect((await tunnel.send({ body: tunnel.envelope({ dsn }) })).status).toBe(403);
    await expectNothingForwarded();
  });

  test("an envelope without a DSN is refused with 400", async () => {
    expect((await tunnel.send({ body: '{}\n{"type":"event"}\n{}' })).status).toBe(400);
    await expectNothingForwarded();
  });

  test("a redirecting receiver is not followed", async () => {
    receiver.plan({ kind: "redirect", to: `${receiver.origin}/api/${receiver.project}/elsewhere` });
    expect((await tunnel.send()).status).toBe(200);
    await receiver.nextEnvelope();
    await tunnel.send();
    await receiver.nextEnvelope();
    expect(receiver.received.map(({ path }) => path).filter((path) => path.includes("elsewhere"))).toEqual([]);
  });
});

describe("method and origin", () => {
  test.each(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])(
    "%s is refused with 405 and what is allowed",
    async (method) => {
      const response = await tunnel.send({ method });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
    },
  );

  test("a trailing slash is forgiven, anything longer is not the tunnel", async () => {
    expect((await tunnel.send({ path: "/monitoring/" })).status).toBe(200);
    await receiver.nextEnvelope();
    expect((await tunnel.send({ path: "/monitoring/x" })).status).toBe(404);
  });

  test("foreign pages are refused by Sec-Fetch-Site and by Origin, programs without either are not", async () => {
    expect((await tunnel.send({ headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
    expect((await tunnel.send({ headers: { Origin: "https://evil.example" } })).status).toBe(403);
    expect((await tunnel.send({ headers: { Origin: "null" } })).status).toBe(403);
    expect((await tunnel.send({ headers: { Origin: tunnel.origin, "Sec-Fetch-Site": "same-origin" } })).status).toBe(
      200,
    );
    expect((await tunnel.send()).status).toBe(200);
  });
});

test("off is 204 with nothing in it, and nothing is sent", async () => {
  const response = await tunnel.send({ headers: { "x-dsn": "" } });
  expect([response.status, await response.text()]).toEqual([204, ""]);
  await expectNothingForwarded();
});

describe("framing", () => {
  test.each([
    ["nothing", ""],
    ["words", "not valid envelope data{{{"],
    ["a header and no item", '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}'],
    ["a payload that is too short", '{}\n{"type":"event","length":9}\n{}'],
    ["a blank line between items", '{}\n{"type":"event","length":2}\n{}\n\n{"type":"event"}\n{}'],
  ])("%s is refused with 400", async (_name, body) => {
    expect((await tunnel.send({ body })).status).toBe(400);
  });

  test("binary payloads, carriage returns, sent_at and unknown items arrive byte for byte", async () => {
    const header = Buffer.from(
      `{"sent_at":"2026-01-01T00:00:00.000Z","dsn":"${receiver.dsn.replaceAll("/", "\\/")}" }\n`,
    );
    const replay = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
    const body = Buffer.concat([
      header,
      Buffer.from('{"type":"replay_recording","length":1024}\n'),
      replay,
      Buffer.from('\n{"type":"of_the_future","x":"ü"}\nhello\r\n'),
    ]);
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.equals(body)).toBe(true);
  });

  test("forgeable header fields are stripped, the rest stays as it was", async () => {
    const forged =
      '"forwarded_for":"8.8.8.8","remote_addr":"8.8.8.8","user_agent":"x","origin":"https://evil.example",';
    const body = tunnel.envelope().replace("{", `{${forged}"retention":1,"client":"x","no_cache":true,`);
    await tunnel.send({ body });
    expect((await receiver.nextEnvelope()).body.toString()).toBe(tunnel.envelope());
  });
});

describe("caps", () => {
  test("a chunked body is refused with 413 as soon as it is above the cap", async () => {
    const large = tunnel.envelope({}, `{"type":"attachment"}\n${"x".repeat(1024 * 1024)}`);
    const parts = [large.slice(0, 500_000), large.slice(500_000)];
    const body = new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
    });
    expect((await tunnel.send({ body })).status).toBe(413);
    await expectNothingForwarded();
  });

  test("two events in one envelope are refused with 413, as the receiver would", async () => {
    const two = '{"type":"event","length":2}\n{}\n{"type":"event","length":2}\n{}';
    expect((await tunnel.send({ body: tunnel.envelope({}, two) })).status).toBe(413);
  });
});

describe("compression", () => {
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("%s is looked into, and forwarded as it came", async (encoding, compress) => {
    const body = compress(tunnel.envelope());
    expect((await tunnel.send({ body, headers: { "Content-Encoding": encoding } })).status).toBe(200);
    const received = await receiver.nextEnvelope();
    expect(received.headers["content-encoding"]).toBe(encoding);
    expect(received.body.equals(body)).toBe(true);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("a bomb in %s is refused with 413", async (encoding, compress) => {
    const body = compress(Buffer.alloc(64 * 1024 * 1024));
    expect((await tunnel.send({ body, headers: { "Content-Encoding": encoding } })).status).toBe(413);
  });

  test("what is not what it says, or says what we don't know, is refused with 400", async () => {
    expect((await tunnel.send({ headers: { "Content-Encoding": "gzip" } })).status).toBe(400);
    expect((await tunnel.send({ headers: { "Content-Encoding": "zstd" } })).status).toBe(400);
  });

  test("a foreign DSN hides in no compression", async () => {
    const body = gzipSync(tunnel.envelope({ dsn: "https://key@evil.example/42" }));
    expect((await tunnel.send({ body, headers: { "Content-Encoding": "gzip" } })).status).toBe(403);
  });
});

describe("the order of the checks", () => {
  const foreign = { Origin: "https://evil.example" };
  test("method, off, origin, size, framing, DSN", async () => {
    expect((await tunnel.send({ method: "GET", headers: { "x-dsn": "", ...foreign } })).status).toBe(405);
    expect((await tunnel.send({ headers: { "x-dsn": "", ...foreign } })).status).toBe(204);
    expect((await tunnel.send({ headers: foreign, body: "x".repeat(1024 * 1024 + 1) })).status).toBe(403);
    expect((await tunnel.send({ body: "x".repeat(1024 * 1024 + 1) })).status).toBe(413);
    expect(
      (await tunnel.send({ body: tunnel.envelope({ dsn: "https://key@evil.example/42" }, '{"type":""}') })).status,
    ).toBe(400);
    expect((await tunnel.send({ body: tunnel.envelope({ dsn: "https://key@evil.example/42" }) })).status).toBe(403);
  });
});
