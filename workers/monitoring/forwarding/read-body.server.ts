import { brotliDecompressSync, constants, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { startDeadline } from "../deadline.ts";
import {
  BODY_BYTES_SMALL,
  BODY_READ_MS,
  DECODED_TIMES_MAX,
  SEND_QUEUE_BYTES_MAX,
  DRAIN_MS,
  DRAINED_BYTES_MAX,
  ZSTD_WINDOW_LOG_MAX,
} from "../constants.ts";
import type { SendQueue } from "./send-queue.server.ts";

export type BodyRefusal = "too-large" | "queue-full" | "broken";
export type DecodeRefusal = "too-large" | "broken" | "unknown-encoding";

/** Bytes that were read are reserved in the queue. The caller that gets them releases them. */
type Body =
  | { ok: true; bytes: Uint8Array }
  /** `seen` is the beginning of what was refused. */
  | { ok: false; refusal: BodyRefusal; seen: Uint8Array };

export async function readBody(request: Request, bytesMax: number, queue: SendQueue): Promise<Body> {
  const declared = declaredLength(request.headers);
  if (declared !== null && declared > bytesMax) {
    return { ok: false, refusal: "too-large", seen: await drainBody(request) };
  }
  if (request.body === null) return { ok: true, bytes: NOTHING };
  if (declared !== null && declared <= BODY_BYTES_SMALL) return readSmallBody(request, bytesMax, queue);
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const growing = new GrowingBytes(Math.min(declared ?? BODY_BYTES_SMALL, BODY_BYTES_SMALL), declared ?? bytesMax);
  const refusal = await readInto(growing, reader, bytesMax, queue);
  if (refusal === null) return { ok: true, bytes: growing.finish() };
  queue.releaseBytes(growing.size - growing.unheld);
  if (refusal !== "broken") await drain(reader);
  // Not awaited: the rest doesn't matter.
  reader.cancel().catch(() => undefined);
  return { ok: false, refusal, seen: growing.finish() };
}

/**
 * For a request that is refused independently of its body: the client sees the response instead of a connection reset.
 * Returns the body's beginning, enough to count what was refused.
 */
export async function drainBody({ body, headers }: Request): Promise<Uint8Array> {
  // Too much to wait for: a client that reads while it sends sees the response, others see a reset.
  if (body === null || (declaredLength(headers) ?? 0) > DRAINED_BYTES_MAX) return NOTHING;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const beginning = new GrowingBytes(0, BODY_BYTES_SMALL);
  await drain(reader, beginning);
  reader.cancel().catch(() => undefined);
  return beginning.finish();
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, beginning?: GrowingBytes): Promise<void> {
  const late = startDeadline(DRAIN_MS);
  try {
    for (let bytes = 0; bytes < DRAINED_BYTES_MAX;) {
      const part = await Promise.race([reader.read(), late.over]);
      if (part === "over" || part.done) return;
      bytes += part.value.length;
      const wanted = BODY_BYTES_SMALL - (beginning?.size ?? BODY_BYTES_SMALL);
      if (wanted > 0) beginning?.append(part.value.subarray(0, wanted));
    }
  } catch {
    // The client disconnected.
  } finally {
    late.stop();
  }
}

/** Most envelopes: read in one go. Until the body is complete, the runtime holds only what has arrived. */
async function readSmallBody(request: Request, bytesMax: number, queue: SendQueue): Promise<Body> {
  const late = startDeadline(BODY_READ_MS);
  try {
    const whole = await Promise.race([request.arrayBuffer(), late.over]);
    if (whole === "over") return { ok: false, refusal: "broken", seen: NOTHING };
    const bytes = new Uint8Array(whole);
    if (bytes.length > bytesMax) return { ok: false, refusal: "too-large", seen: bytes };
    return queue.holdBytes(bytes.length) ? { ok: true, bytes } : { ok: false, refusal: "queue-full", seen: bytes };
  } catch {
    return { ok: false, refusal: "broken", seen: NOTHING };
  } finally {
    late.stop();
  }
}

async function readInto(
  growing: GrowingBytes,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
  queue: SendQueue,
): Promise<BodyRefusal | null> {
  const late = startDeadline(BODY_READ_MS);
  try {
    for (;;) {
      const part = await Promise.race([reader.read(), late.over]);
      // Too slow counts as broken: part of an envelope must not pass for a whole one.
      if (part === "over") return "broken";
      if (part.done) return null;
      if (growing.size + part.value.length > bytesMax) {
        // Only to count what is refused.
        const beginning = part.value.subarray(0, Math.max(0, BODY_BYTES_SMALL - growing.size));
        growing.append(beginning);
        growing.unheld = beginning.length;
        return "too-large";
      }
      const isHeld = queue.holdBytes(part.value.length);
      growing.append(part.value);
      if (!isHeld) {
        growing.unheld = part.value.length;
        return "queue-full";
      }
    }
  } catch {
    // The browser disconnected, or its framing was broken.
    return "broken";
  } finally {
    late.stop();
  }
}

const NOTHING = new Uint8Array();

type Decoded = { ok: true; bytes: Uint8Array } | { ok: false; refusal: DecodeRefusal };

/**
 * Used only to inspect the envelope: the original bytes are forwarded. Synchronous on purpose, so that one isolate decompresses
 * one body at a time, and never further than `maxOutputLength`, however small the compressed bomb.
 */
export function decodeBody(bytes: Uint8Array, encoding: string | null, bytesMax: number): Decoded {
  if (encoding === null) return { ok: true, bytes };
  const decode = DECODERS.get(encoding);
  if (decode === undefined) return { ok: false, refusal: "unknown-encoding" };
  try {
    const maxOutputLength = Math.min(bytesMax * DECODED_TIMES_MAX, SEND_QUEUE_BYTES_MAX);
    return { ok: true, bytes: decode(bytes, { maxOutputLength }) };
  } catch (error) {
    // Node and workerd name the reached limit differently, and both by this class; broken data is a plain Error.
    return { ok: false, refusal: error instanceof RangeError ? "too-large" : "broken" };
  }
}

/** By zlib, since the runtime's DecompressionStream knows neither br nor zstd. */
const DECODERS: ReadonlyMap<string, (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array> = new Map([
  ["gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["zstd", (bytes, limit) => zstdDecompressSync(bytes, { ...limit, params: ZSTD_PARAMS })],
  ["x-gzip", gunzipSync],
]);

const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX };

/** What a client may compress with, for `Accept-Encoding`; x-gzip is the old name of gzip. */
export const ACCEPTED_ENCODINGS = [...DECODERS.keys()].filter((name) => name !== "x-gzip").join(", ");

/** Null if the body isn't compressed. */
export function contentEncoding(headers: Headers): string | null {
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() ?? "";
  return encoding === "" || encoding === "identity" ? null : encoding;
}

function declaredLength(headers: Headers): number | null {
  const text = headers.get("Content-Length");
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Grows with the bytes that actually arrive: a declared megabyte that never comes costs nothing. */
class GrowingBytes {
  size = 0;
  /** Bytes of the last chunk that the queue doesn't hold, because the body is refused. */
  unheld = 0;
  #buffer: Uint8Array;
  readonly #sizeMax: number;

  constructor(capacity: number, sizeMax: number) {
    this.#buffer = new Uint8Array(capacity);
    this.#sizeMax = sizeMax;
  }

  append(part: Uint8Array): void {
    const needed = this.size + part.length;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(needed, Math.min(this.#buffer.length * 2, this.#sizeMax)));
      grown.set(this.#buffer.subarray(0, this.size));
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.size);
    this.size = needed;
  }

  finish(): Uint8Array {
    return this.#buffer.length === this.size ? this.#buffer : this.#buffer.slice(0, this.size);
  }
}
