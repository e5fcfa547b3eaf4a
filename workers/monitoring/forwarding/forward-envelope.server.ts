import { type LossReason, NOTHING_LOST, reportItem, type Tally } from "../envelopes/client-report.rules.ts";
import { UPSTREAM_ANSWER_BYTES_MAX } from "../constants.ts";
import { type Envelope, withItem } from "../envelopes/envelope.rules.ts";
import { allLosses, categoriesOf, type Loss } from "../envelopes/items.rules.ts";
import { isLimited } from "./rate-limits.rules.ts";
import type { DiagnosticsSettings } from "../rules.ts";
import type { SendQueue } from "./send-queue.server.ts";

/** One accepted envelope on its way to the receiver. */
export type Parcel = {
  url: string;
  headers: Headers;
  bytes: Uint8Array;
  /** Whether a client report can be attached to the bytes. */
  takesReport: boolean;
  /** Reads the envelope's items, to attach a report or to count losses. */
  read: () => Envelope | null;
};

type Outcome = { kind: "settled" } | { kind: "again" | "lost"; reason: LossReason };

/** Never throws: any failure of the receiver is counted. */
export async function forwardEnvelope(
  parcel: Parcel,
  sending: DiagnosticsSettings["sending"],
  queue: SendQueue,
  now: () => number,
): Promise<void> {
  const report = parcel.takesReport ? queue.takeLost() : NOTHING_LOST;
  const body = withReport(parcel, report, now());
  const deadline = abortAfter(sending.deadlineMs);
  const attempt = (): Promise<Outcome> => attemptOnce(parcel, body, sending.attemptMs, deadline.signal, queue, now);
  let outcome = await attempt();
  for (const pauseMs of sending.pausesMs) {
    if (outcome.kind !== "again") break;
    await pause(pauseMs, deadline.signal);
    if (deadline.signal.aborted) break;
    // The failed response, or the response to another envelope, may have set a back-off.
    outcome = isHeldBack(parcel, queue, now()) ? HELD_BACK : await attempt();
  }
  deadline.stop();
  if (outcome.kind === "settled") return;
  queue.count(outcome.reason, lossesOfParcel(parcel));
  // The receiver refused for good: the report may be the reason, and sending it again would spoil every later envelope.
  if (outcome.kind === "again") queue.restoreLost(report);
}

const HELD_BACK: Outcome = { kind: "again", reason: "ratelimit_backoff" };

/** A mixed envelope is forwarded unchanged: the receiver drops and counts its rate-limited items itself. */
function isHeldBack(parcel: Parcel, queue: SendQueue, now: number): boolean {
  if (queue.limits.size === 0) return false;
  const envelope = parcel.read();
  return envelope !== null && envelope.items.every((item) => isLimited(queue.limits, categoriesOf(item), now));
}

function lossesOfParcel(parcel: Parcel): readonly Loss[] {
  const envelope = parcel.read();
  return envelope === null ? [] : allLosses(envelope.items, envelope.bytes);
}

async function attemptOnce(
  parcel: Parcel,
  body: Uint8Array,
  attemptMs: number,
  deadline: AbortSignal,
  queue: SendQueue,
  now: () => number,
): Promise<Outcome> {
  const timeout = abortAfter(attemptMs, deadline);
  try {
    const answer = await fetch(parcel.url, {
      method: "POST",
      headers: parcel.headers,
      // TypeScript's DOM types require a buffer that isn't shared; ours never is.
      body: body as Uint8Array<ArrayBuffer>,
      redirect: "manual",
      signal: timeout.signal,
    });
    const { status, headers } = answer;
    const signal = { status, rateLimits: headers.get("X-Sentry-Rate-Limits"), retryAfter: headers.get("Retry-After") };
    queue.learn(signal, now());
    await endAnswer(answer);
    return outcomeOf(status);
  } catch {
    return { kind: "again", reason: "network_error" };
  } finally {
    timeout.stop();
  }
}

/**
 * Reads a response of unknown length; otherwise its connection is lost and each envelope opens a new one (measured: lower throughput). Only
 * the status counts, not what happens to the body.
 */
async function endAnswer({ headers, body }: Response): Promise<void> {
  if (body === null) return;
  try {
    if (headers.has("Content-Length")) return await body.cancel();
    const reader = body.getReader({ mode: "byob" });
    // With `min` set, one read continues to the end of the response or of the buffer.
    await reader.read(new Uint8Array(UPSTREAM_ANSWER_BYTES_MAX), { min: UPSTREAM_ANSWER_BYTES_MAX });
    await reader.cancel();
  } catch {
    // Connection closed, or too slow.
  }
}

/** Not AbortSignal.timeout and .any: their timers outlive an immediate answer (measured: they cost throughput). */
function abortAfter(ms: number, earlier?: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, ms);
  earlier?.addEventListener("abort", abort);
  const stop = (): void => {
    clearTimeout(timer);
    earlier?.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, stop };
}

/**
 * The receiver itself counts what a 429 drops, and a report in the same envelope has arrived (limits never apply to reports);
 * any other refusal is counted here, and only 5xx is retried.
 */
function outcomeOf(status: number): Outcome {
  if ((status >= 200 && status < 300) || status === 429) return { kind: "settled" };
  return { kind: status >= 500 ? "again" : "lost", reason: "send_error" };
}

function withReport(parcel: Parcel, report: Tally, now: number): Uint8Array {
  const envelope = report.size === 0 ? null : parcel.read();
  return envelope === null ? parcel.bytes : withItem(envelope, reportItem(report, now));
}

function pause(ms: number, deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A deadline that ended the attempt has already reported it.
    if (deadline.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    deadline.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
