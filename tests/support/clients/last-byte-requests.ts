import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Prepared } from "./visitor.ts";

/** Long enough for everything that a site does before it waits for a body. */
const headStartMs = 150;

/** An answer as it came over its own connection. */
export type RawAnswer = { status: number; headers: Headers; text: string; ms: number };

/**
 * Requests that arrive at the same moment: each is sent on its own connection except for its last byte, and the last
 * bytes of all are sent in one tick. Threads and promises that start together arrive one after the other.
 */
export async function releaseTogether(origin: string, requests: Prepared[]): Promise<RawAnswer[]> {
  const held = await Promise.all(requests.map((request) => hold(origin, request)));
  // Answered after what came before it: by then the site waits for the others.
  await (await fetch(`${origin}/healthz`)).text();
  const releasedAt = performance.now();
  for (const { socket, lastByte } of held) socket.write(lastByte);
  return Promise.all(held.map(({ answer }) => answer.then((bytes) => readAnswer(bytes, releasedAt))));
}

/** One request, of which the site has everything but the last byte until it is released. */
export async function holdBack(origin: string, request: Prepared): Promise<{ release: () => Promise<RawAnswer> }> {
  const { socket, lastByte, answer } = await hold(origin, request);
  // By then the site has read its headers and waits for the rest.
  await (await fetch(`${origin}/healthz`)).text();
  await pause(headStartMs);
  return {
    release: async () => {
      const releasedAt = performance.now();
      socket.write(lastByte);
      return readAnswer(await answer, releasedAt);
    },
  };
}

async function hold(origin: string, request: Prepared) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const bytes = bytesOf(origin, request);
  await flush(socket, bytes.subarray(0, -1));
  return { socket, lastByte: bytes.subarray(-1), answer: readToItsEnd(socket) };
}

/** A request of any bytes, and what comes back until the other side has ended. */
export async function sendRaw(origin: string, bytes: Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const startedAt = performance.now();
  const answer = readToItsEnd(socket);
  socket.write(bytes);
  return readAnswer(await answer, startedAt);
}

/** The request's bytes, on a connection that ends with its answer. */
export function bytesOf(origin: string, { method, path, headers, body }: Prepared): Buffer {
  const { host } = new URL(origin);
  const length = method === "GET" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: host, Connection: "close", ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const target = path.startsWith(origin) ? path.slice(origin.length) : path;
  // Bytes of a header are what they are: latin1 keeps each.
  const head = Buffer.from([`${method} ${target.split("#")[0]} HTTP/1.1`, ...lines, "", ""].join("\r\n"), "latin1");
  return Buffer.concat([head, Buffer.from(body)]);
}

function flush(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.write(bytes, () => resolve());
  });
}

/** If the connection was cut, what came before it is everything. */
async function readToItsEnd(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of socket) parts.push(part);
  } catch {
    // Cut off.
  }
  return Buffer.concat(parts);
}

async function readAnswer(bytes: Buffer, startedAt: number): Promise<RawAnswer> {
  const ms = performance.now() - startedAt;
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  const body = bytes.subarray(end + 4);
  const isChunked = headers.get("Transfer-Encoding") === "chunked";
  const whole = isChunked ? unchunk(body) : body;
  const text = headers.has("Content-Encoding") ? "" : whole.toString("utf8");
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers, text, ms };
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16);
    if (end < 0 || !length) break;
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
