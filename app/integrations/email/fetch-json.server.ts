import { secondMs } from "#app/core/time/time.ts";

/** `body` is empty unless the answer is a JSON object; `isMarkup` if it's a page, or XML. `cause` is the answer's status and text, for the log. */
export type JsonAnswer = {
  isOk: boolean;
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  isMarkup: boolean;
  cause: string;
};

/** Characters of an answer that the log repeats. */
const causeLengthMax = 300;

/** A redirect isn't followed, because the key or the email would go with it. It counts as a refusal. */
export async function fetchJson(request: Request, signal: AbortSignal): Promise<JsonAnswer> {
  const response = await fetch(request, { signal, redirect: "manual" });
  const text = await response.text();
  const { ok: isOk, status, headers } = response;
  const isMarkup = /^\s*</.test(text);
  return { isOk, status, headers, body: objectIn(text), isMarkup, cause: `${status} ${text.slice(0, causeLengthMax)}` };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export function textIn(body: Record<string, unknown>, name: string): string | null {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The delay that Retry-After states in seconds. Null without the header, or for a date, which these services don't send. */
export function retryAfterMs(headers: Headers): number | null {
  const seconds = headers.get("Retry-After") ?? "";
  return /^\d+$/.test(seconds) ? Number(seconds) * secondMs : null;
}
