import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** How a receiver checks an envelope; status codes and bodies are Relay's. */
export const RECEIVER_KEY = "0123456789abcdef0123456789abcdef";

/** Relay's order: method, project and authentication, then the envelope. */
export function answerEnvelope(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  headers: Record<string, string>,
): void {
  if (request.method !== "POST") return refuse(response, 405, "method not allowed");
  const url = new URL(request.url ?? "", "http://receiver");
  const project = /^\/api\/(\d+)\/envelope\/$/.exec(url.pathname)?.[1];
  if (project === undefined) return refuse(response, 404, "no such endpoint");
  const keys = [...url.searchParams.getAll("sentry_key"), ...keysOf(request.headers["x-sentry-auth"])];
  if (keys.length !== 1)
    return refuse(response, 401, keys.length === 0 ? "missing authorization" : "multiple authorization");
  if (keys[0] !== RECEIVER_KEY) return refuse(response, 403, "key unknown");
  if (body.length === 0) return refuse(response, 400, "empty body");
  const decoded = decode(body, request.headers["content-encoding"]);
  const header = decoded === null ? null : readHeader(decoded);
  if (header === null) return refuse(response, 400, "malformed envelope");
  const id = header["event_id"];
  response.writeHead(200, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(typeof id === "string" ? { id: id.replaceAll("-", "") } : {}));
}

export function refuse(
  response: ServerResponse,
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ detail, causes: [] }));
}

/** Accepts, and never ends the answer until the other side closes. */
export function answerEndlessly(response: ServerResponse, isSilent: boolean): void {
  response.writeHead(200, { "Content-Type": "application/json" }).write("{");
  if (isSilent) return;
  const talk = (): void => {
    while (!response.destroyed && response.write(" ".repeat(1024)));
  };
  response.on("drain", talk);
  talk();
}

function keysOf(header: string | string[] | undefined): string[] {
  return [header ?? []].flat().flatMap((text) => /sentry_key=(\w+)/.exec(text)?.slice(1) ?? []);
}

function readHeader(envelope: Buffer): Record<string, unknown> | null {
  try {
    const newline = envelope.indexOf("\n");
    const header: unknown = JSON.parse(envelope.subarray(0, newline === -1 ? undefined : newline).toString("utf8"));
    // Every JSON object has string keys.
    return typeof header === "object" && header !== null ? (header as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function decode(body: Buffer, encoding: string | undefined): Buffer | null {
  try {
    if (encoding === "gzip") return gunzipSync(body);
    if (encoding === "deflate") return inflateSync(body);
    if (encoding === "br") return brotliDecompressSync(body);
    if (encoding === "zstd") return zstdDecompressSync(body);
    return body;
  } catch {
    return null;
  }
}
