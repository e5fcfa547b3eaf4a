import { randomBytes } from "node:crypto";
import { TUNNEL_PATH } from "#workers/monitoring/constants.ts";
import type { Answered, Browsers } from "../browsers.ts";

/** An envelope framed like the browser SDK's, in exactly this many bytes. */
export function eventEnvelope(dsn: string, bytes: number): Buffer {
  const frame = (message: string): string => `${header(dsn)}\n{"type":"event"}\n${JSON.stringify({ message })}`;
  return Buffer.from(frame("x".repeat(bytes - frame("").length)));
}

export function replayEnvelope(dsn: string, bytes: number): Buffer {
  const event = JSON.stringify({ type: "replay_event", replay_id: EVENT_ID, segment_id: 0 });
  const frame = (length: string): string =>
    `${header(dsn)}\n{"type":"replay_event"}\n${event}\n{"type":"replay_recording","length":${length}}\n`;
  // Written with as many digits as the total has, which is right unless the total is just above a power of ten.
  const length = bytes - frame(String(bytes)).length;
  const start = frame(String(length));
  // Random bytes, since the SDK compresses recordings and so leaves no repetition.
  return Buffer.concat([Buffer.from(start), randomBytes(bytes - start.length)]);
}

const EVENT_ID = "9ec79c33ec9942ab8353589fcb2e04dc";

function header(dsn: string): string {
  const sdk = { name: "sentry.javascript.react", version: "11.0.0" };
  return JSON.stringify({ event_id: EVENT_ID, sent_at: "2026-01-01T00:00:00.000Z", sdk, dsn });
}

/** Posts an envelope as a browser sends it and Cloudflare passes it on. */
export function postEnvelope(browsers: Browsers, port: number, body: Buffer): Promise<Answered> {
  const origin = `http://127.0.0.1:${port}`;
  const headers = {
    "Content-Type": "text/plain;charset=UTF-8",
    "Content-Length": body.length,
    Origin: origin,
    "Sec-Fetch-Site": "same-origin",
    "User-Agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "CF-Connecting-IP": "192.0.2.7",
  };
  return browsers.post(origin + TUNNEL_PATH, headers, body);
}
