import { type LossReason, NOTHING_LOST, reportItem, type Tally } from "./client-report.rules.ts";
import { joinLines } from "./envelope.rules.ts";
import type { Loss } from "./items.rules.ts";
import type { DiagnosticsSettings } from "./rules.ts";
import type { SendQueue } from "./send-queue.server.ts";

/** One accepted envelope on its way up. */
export type Parcel = {
  url: string;
  headers: Headers;
  bytes: Uint8Array;
  /** Compressed bytes travel as they came: nothing can be joined to them. */
  isCompressed: boolean;
  losses: () => readonly Loss[];
};

type Outcome = { kind: "settled" } | { kind: "again" | "lost"; reason: LossReason };

/** Never throws: whatever happens to the receiver ends in a count. */
export async function forwardEnvelope(
  parcel: Parcel,
  sending: DiagnosticsSettings["sending"],
  queue: SendQueue,
  now: () => number,
): Promise<void> {
  const report = parcel.isCompressed ? NOTHING_LOST : queue.takeLost();
  const body = withReport(parcel.bytes, report, now());
  const deadline = abortAfter(sending.deadlineMs);
  const attempt = (): Promise<Outcome> => attemptOnce(parcel, body, sending.attemptMs, deadline.signal, queue, now);
  let outcome = await attempt();
  for (const pauseMs of sending.pausesMs) {
    if (outcome.kind !== "again") break;
    await pause(pauseMs, deadline.signal);
    if (deadline.signal.aborted) break;
    outcome = await attempt();
  }
  deadline.stop();
  if (outcome.kind === "settled") return;
  queue.count(outcome.reason, parcel.losses());
  // Refused for good, the report may be the cause: told again, it would spoil every later envelope.
  if (outcome.kind === "again") queue.restoreLost(report);
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
    await answer.body?.cancel();
    return outcomeOf(status);
  } catch {
    return { kind: "again", reason: "network_error" };
  } finally {
    timeout.stop();
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

/** What a 429 drops the receiver has counted itself; any other refusal is ours to count, and only 5xx is worth repeating. */
function outcomeOf(status: number): Outcome {
  if ((status >= 200 && status < 300) || status === 429) return { kind: "settled" };
  return { kind: status >= 500 ? "again" : "lost", reason: "send_error" };
}

function withReport(bytes: Uint8Array, report: Tally, now: number): Uint8Array {
  if (report.size === 0) return bytes;
  const hasNewline = bytes.at(-1) === NEWLINE;
  return joinLines([hasNewline ? bytes.subarray(0, -1) : bytes, reportItem(report, now)]);
}

const NEWLINE = 0x0a;

function pause(ms: number, deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    deadline.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
