import { type LossReason, NOTHING_LOST, reportItem, type Tally } from "./client-report.rules.ts";
import { UPSTREAM_ANSWER_BYTES_MAX } from "./constants.ts";
import { type Envelope, withItem } from "./envelope.rules.ts";
import { allLosses, categoriesOf, type Loss } from "./items.rules.ts";
import { isLimited } from "./rate-limits.rules.ts";
import type { DiagnosticsSettings } from "./rules.ts";
import type { SendQueue } from "./send-queue.server.ts";

/** One accepted envelope on its way up. */
export type Parcel = {
  url: string;
  headers: Headers;
  bytes: Uint8Array;
  /** Whether a client report can be joined to the bytes. */
  takesReport: boolean;
  /** What the bytes are: to join a report, and to count what was lost. */
  read: () => Envelope | null;
};

type Outcome = { kind: "settled" } | { kind: "again" | "lost"; reason: LossReason };

/** Never throws: whatever happens to the receiver ends in a count. */
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
    // The answer that failed, or one to another envelope, may have told us to wait.
    outcome = isHeldBack(parcel, queue, now()) ? HELD_BACK : await attempt();
  }
  deadline.stop();
  if (outcome.kind === "settled") return;
  queue.count(outcome.reason, lossesOfParcel(parcel));
  // Refused for good, the report may be the cause: told again, it would spoil every later envelope.
  if (outcome.kind === "again") queue.restoreLost(report);
}

const HELD_BACK: Outcome = { kind: "again", reason: "ratelimit_backoff" };

/** A mixed envelope goes on as it is: what is limited in it the receiver drops, and counts, itself. */
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
      // TypeScript's DOM types want to know that the buffer is not shared; ours never is.
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
 * An answer of unknown length is read, or its connection is lost and each envelope opens one of its own (measured: they
 * cost throughput). Whatever becomes of it, its status was heard.
 */
async function endAnswer({ headers, body }: Response): Promise<void> {
  if (body === null) return;
  try {
    if (headers.has("Content-Length")) return await body.cancel();
    const reader = body.getReader({ mode: "byob" });
    // Told its least, one read goes on to the end of the answer or of the room.
    await reader.read(new Uint8Array(UPSTREAM_ANSWER_BYTES_MAX), { min: UPSTREAM_ANSWER_BYTES_MAX });
    await reader.cancel();
  } catch {
    // Broken off, or too slow.
  }
}

/** Not AbortSignal.timeout and .any: their timers outlive an answer that came at once (measured: they cost throughput). */
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
 * What a 429 drops the receiver has counted itself, and a report beside it has arrived (limits are never on reports);
 * any other refusal is ours to count, and only 5xx is worth repeating.
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
    // A deadline that ended the attempt has told so already.
    if (deadline.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    deadline.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
