import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";

/** The rows of the tunnel table about bodies: caps and compression. */
const tunnel = useTunnel();
const { receiver } = tunnel;

const MIB = 1024 * 1024;

/**
 * Refusals by Content-Length alone are tested in relay-envelope.server.test.ts and monitoring-refusals.test.ts: wrangler's local proxy
 * reads a body to its end before any Worker sees the request.
 */
describe("body limits", () => {
  test("a body of 1 MiB arrives byte for byte, and one more byte is refused with 413", async () => {
    const body = tunnel.sized(MIB);
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.toString()).toBe(body);
    const refused = await tunnel.send({ body: tunnel.sized(MIB + 1) });
    expect([refused.status, await refused.json()]).toEqual([413, { detail: "body too large" }]);
    await tunnel.nextAfterNothing();
  });

  test.each(["8388608", "99999999"])(
    "the default of 8 MiB applies with a configured limit of %s bytes",
    async (text) => {
      const env = { SENTRY_TUNNEL_BODY_BYTES_MAX: text };
      const body = tunnel.sized(8 * MIB);
      expect((await tunnel.send({ env, body })).status).toBe(200);
      expect((await receiver.nextEnvelope()).body.toString()).toBe(body);
      expect((await tunnel.send({ env, body: tunnel.sized(8 * MIB + 1) })).status).toBe(413);
    },
  );

  test("a smaller limit can be configured", async () => {
    const env = { SENTRY_TUNNEL_BODY_BYTES_MAX: "2000" };
    expect((await tunnel.send({ env, body: tunnel.sized(2000) })).status).toBe(200);
    expect((await tunnel.send({ env, body: tunnel.sized(2001) })).status).toBe(413);
  });

  test("a chunked body is refused with 413 as soon as it exceeds the limit", async () => {
    const large = tunnel.sized(MIB + 1);
    const parts = [large.slice(0, 500_000), large.slice(500_000)];
    const body = new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
    });
    expect((await tunnel.send({ body })).status).toBe(413);
    await tunnel.nextAfterNothing();
  });

  test.each([
    ["two events", '{"type":"event"}', 2],
    ["31 attachments", '{"type":"attachment"}', 31],
    ["101 sessions", '{"type":"session"}', 101],
    ["1,001 items of an unknown kind", '{"type":"of_the_future"}', 1001],
  ])("%s in one envelope are refused with 413, as by the receiver", async (_name, header, count) => {
    const items = Array.from({ length: count }, () => `${header}\n{}`);
    expect((await tunnel.send({ body: tunnel.envelope({}, items.join("\n")) })).status).toBe(413);
    await tunnel.nextAfterNothing();
    expect((await tunnel.send({ body: tunnel.envelope({}, items.slice(1).join("\n")) })).status).toBe(200);
  });

  test("an item's malicious header is forwarded, and doesn't cost the queue anything", async () => {
    const trap = '{"toString":1,"valueOf":1}';
    const body = tunnel.envelope({}, `{"type":"profile_chunk","platform":${trap},"item_count":${trap}}\n{}`);
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.toString()).toBe(body);
  });
});

describe.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
])("compression by %s", (encoding, compress) => {
  const headers = { "Content-Encoding": encoding };

  test("is inspected, and forwarded unchanged", async () => {
    const body = compress(tunnel.envelope());
    expect((await tunnel.send({ body, headers })).status).toBe(200);
    const received = await receiver.nextEnvelope();
    expect(received.headers["content-encoding"]).toBe(encoding);
    expect(received.body.equals(body)).toBe(true);
  });

  test("can't hide a foreign DSN", async () => {
    const body = compress(tunnel.envelope({ dsn: "https://key@evil.example/42" }));
    expect((await tunnel.send({ body, headers })).status).toBe(403);
    await tunnel.nextAfterNothing();
  });

  test("can't hide a forged address: a changed envelope is forwarded uncompressed", async () => {
    const body = compress(tunnel.envelope({ forwarded_for: "8.8.8.8" }));
    expect((await tunnel.send({ body, headers })).status).toBe(200);
    const received = await receiver.nextEnvelope();
    expect(received.headers).not.toHaveProperty("content-encoding");
    expect(received.body.toString()).toBe(tunnel.envelope());
  });

  test("is refused with 400 if it breaks off", async () => {
    const body = compress(tunnel.envelope());
    expect((await tunnel.send({ body: body.subarray(0, -1), headers })).status).toBe(400);
    await tunnel.nextAfterNothing();
  });

  test("is refused with 400 if the body isn't compressed", async () => {
    expect((await tunnel.send({ headers })).status).toBe(400);
  });

  test.each([
    ["many bytes", () => Buffer.alloc(64 * MIB)],
    ["many items", () => tunnel.envelope({}, '{"type":"x"}\n\n'.repeat(500_000))],
  ])("is refused with 413 if it expands like a bomb of %s", async (_name, unfolded) => {
    expect((await tunnel.send({ body: compress(unfolded()), headers })).status).toBe(413);
  });
});

test("an unknown compression is refused with the known ones, and an empty name means none", async () => {
  for (const encoding of ["compress", "gzip, gzip", "chunked"]) {
    const { status, headers } = await tunnel.send({ headers: { "Content-Encoding": encoding } });
    expect([status, headers.get("Accept-Encoding")]).toEqual([415, "gzip, deflate, br, zstd"]);
  }
  expect((await tunnel.send({ headers: { "Content-Encoding": "identity" } })).status).toBe(200);
  expect((await receiver.nextEnvelope()).headers).not.toHaveProperty("content-encoding");
});
