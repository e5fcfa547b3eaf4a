import { readFileSync } from "node:fs";
import { zstdCompressSync } from "node:zlib";
import * as Sentry8 from "sentry-browser-8";
import { afterEach, describe, expect, test } from "vitest";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";

/** Clients that a site doesn't have of itself, with their own code: an SDK of an older major version, and one that compresses with zstd. */
const tunnel = useTunnel();
const { receiver } = tunnel;

describe("@sentry/browser 8.0", () => {
  afterEach(() => Sentry8.close());

  /** Outside a browser, so without its integrations; the transport and the envelopes are the SDK's. */
  function start(): void {
    const client = new Sentry8.BrowserClient({
      dsn: receiver.dsn,
      tunnel: `${tunnel.origin}/monitoring`,
      // The Worker under test reads its own DSN from this header.
      transport: (options) => Sentry8.makeFetchTransport({ ...options, headers: { "x-dsn": receiver.dsn } }, fetch),
      stackParser: Sentry8.defaultStackParser,
      integrations: [],
      tracesSampleRate: 1,
    });
    Sentry8.getCurrentScope().setClient(client);
    client.init();
  }

  test("sends spans of their own without a DSN, which arrive", async () => {
    start();
    Sentry8.startInactiveSpan({ name: "click", op: "ui.interaction.click", experimental: { standalone: true } }).end();
    const { text } = await receiver.nextEnvelope();
    const [header = "", item = ""] = text.split("\n");
    expect(JSON.parse(header)).not.toHaveProperty("dsn");
    expect(JSON.parse(item)).toMatchObject({ type: "span" });
  });

  test("sends errors with a DSN, which arrive", async () => {
    start();
    Sentry8.captureException(new Error("of an older page"));
    const { text } = await receiver.nextEnvelope();
    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ dsn: receiver.dsn, sdk: { version: "8.0.0" } });
    expect(text).toContain("of an older page");
  });
});

test("an envelope that a client compressed with zstd arrives as it was sent", async () => {
  const body = zstdCompressSync(tunnel.envelope({}, `{"type":"event"}\n{"message":"${"x".repeat(50_000)}"}`));
  expect((await tunnel.send({ body, headers: { "Content-Encoding": "zstd" } })).status).toBe(200);
  const received = await receiver.nextEnvelope();
  expect([received.headers["content-encoding"], received.body.equals(body)]).toEqual(["zstd", true]);
});

test("one by the library that others use, with a frame of known size, is read", async () => {
  // Recorded from a client with libzstd; its DSN names another receiver.
  const body = readFileSync("tests/vectors/zstd-envelope.bin");
  const answer = await tunnel.send({ body, headers: { "Content-Encoding": "zstd" } });
  expect([answer.status, await answer.json()]).toEqual([403, { detail: "foreign dsn" }]);
});
