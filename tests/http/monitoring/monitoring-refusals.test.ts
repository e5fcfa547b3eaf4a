import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DRAINED_BYTES_MAX, DRAIN_MS } from "#workers/monitoring/constants.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { type BareWorker, startBareWorker } from "../../../bench/bare-worker.ts";
import { bundleWorker } from "../../../bench/worker-modules.ts";

/**
 * Refusals that are known before the body has arrived. In the bare runtime: wrangler's local proxy reads each body to
 * its end before a Worker sees the request. A connection that is closed on unread bytes is reset, and the client
 * never sees the answer.
 */
const receiver = useReceiver();
let worker: BareWorker;
beforeAll(async () => {
  worker = await startBareWorker(await bundleWorker("bench/tunnel/own-worker.ts"), { SENTRY_DSN: receiver.dsn });
});
afterAll(() => worker.stop());

const MIB = 1024 * 1024;

/**
 * A client that reads the answer only when all of its body was sent, and gives up at the first error; returns the
 * status of the answer, or the error.
 */
async function writeThenRead(
  bytes: number,
  { framing = "declared", headers = "", method = "POST" } = {},
): Promise<string> {
  const socket = connect(worker.port, "127.0.0.1").pause();
  const failed = once(socket, "error").then(([error]) => `error ${(error as NodeJS.ErrnoException).code}`);
  const write = async (data: string | Uint8Array): Promise<unknown> => socket.write(data) || once(socket, "drain");
  const length = framing === "declared" ? `Content-Length: ${bytes}` : "Transfer-Encoding: chunked";
  const run = async (): Promise<string> => {
    await write(`${method} /monitoring HTTP/1.1\r\nHost: 127.0.0.1:${worker.port}\r\n${headers}${length}\r\n\r\n`);
    for (let left = bytes; left > 0; left -= PIECE.length) {
      const piece = PIECE.subarray(0, left);
      if (framing === "chunked") await write(`${piece.length.toString(16)}\r\n`);
      await write(piece);
      if (framing === "chunked") await write("\r\n");
      await pause(1);
    }
    if (framing === "chunked") await write("0\r\n\r\n");
    // What a closed connection still sends back has arrived by then, also if it is a reset.
    await pause(50);
    const [answer] = (await Promise.race([
      once(socket.resume(), "data"),
      once(socket, "close").then(() => ["closed"]),
    ])) as [Buffer];
    return /^HTTP\/1\.1 (\d+)/.exec(answer.toString())?.[1] ?? answer.toString();
  };
  try {
    return await Promise.race([run(), failed]);
  } finally {
    socket.destroy();
  }
}

const PIECE = Buffer.alloc(64 * 1024, "x");

describe("a client that sends its whole body before it reads sees the answer instead of a reset:", () => {
  test.each([1 * MIB + 1, 3 * MIB, DRAINED_BYTES_MAX - MIB])("413 for %i bytes, declared or chunked", async (bytes) => {
    expect(await writeThenRead(bytes)).toBe("413");
    expect(await writeThenRead(bytes, { framing: "chunked" })).toBe("413");
  });

  test("405 for another method, 403 for a foreign page", async () => {
    expect(await writeThenRead(3 * MIB, { method: "PUT" })).toBe("405");
    expect(await writeThenRead(3 * MIB, { headers: "Origin: https://evil.example\r\n" })).toBe("403");
  });
});

describe("a refused body is not waited for", () => {
  test("above DRAINED_BYTES_MAX, and the answer is sent immediately", async () => {
    const { answer, ms } = await answerTo(`Content-Length: ${DRAINED_BYTES_MAX + 1}`);
    expect(answer).toContain("HTTP/1.1 413");
    expect(ms).toBeLessThan(DRAIN_MS);
  });

  test("for longer than DRAIN_MS if it stalls", async () => {
    const { answer, ms } = await answerTo(`Content-Length: ${2 * MIB}`);
    expect(answer).toContain("HTTP/1.1 413");
    expect(ms).toBeGreaterThan(DRAIN_MS - 100);
    expect(ms).toBeLessThan(DRAIN_MS * 3);
  });

  /** To a request whose body begins and never continues. */
  async function answerTo(header: string): Promise<{ answer: string; ms: number }> {
    const socket = connect(worker.port, "127.0.0.1");
    const started = performance.now();
    socket.write(`POST /monitoring HTTP/1.1\r\nHost: 127.0.0.1:${worker.port}\r\n${header}\r\n\r\n{`);
    const [answer] = await once(socket, "data");
    socket.destroy();
    return { answer: String(answer), ms: performance.now() - started };
  }
});
