import { RATE_LIMIT_RETRY_AFTER_S } from "./constants.ts";
import { type DiagnosticsSettings, isForeign } from "./rules.ts";

/** Whether the request's network exceeds the rate limit. Without this function there is no limit. */
export type IsRateLimited = (request: Request, counted: string) => Promise<boolean>;

export type Background = { waitUntil(promise: Promise<unknown>): void };

/**
 * Checks on a post from one of our pages before any of its body is read. `counted` names what the rate limiter counts, separately
 * from other endpoints.
 */
export async function refuseUnread(
  request: Request,
  settings: DiagnosticsSettings,
  isRateLimited: IsRateLimited | undefined,
  counted: string,
): Promise<Response | null> {
  if (request.method !== "POST") return refuse(405, "POST only", { Allow: "POST" });
  if (settings.dsn === null) return new Response(null, { status: 204 });
  if (isForeign(request.headers, new URL(request.url).origin)) return refuse(403, "foreign origin");
  if (!(await isRateLimited?.(request, counted))) return null;
  return refuse(429, "too many requests", { "Retry-After": String(RATE_LIMIT_RETRY_AFTER_S) });
}

/** The shape of the receiver's own refusals. */
export function refuse(status: number, detail: string, headers: HeadersInit = {}): Response {
  return answerJson(status, JSON.stringify({ detail }), headers);
}

export function answerJson(status: number, body: string, headers: HeadersInit): Response {
  return new Response(body, { status, headers: { ...headers, "Content-Type": "application/json" } });
}
