/**
 * Between the first byte of script and the SDK's chunk: errors are kept here, and handed over once. Tiny, since it is part
 * of what every page loads first. Without diagnostics nothing is ever handed over, and at most 64 errors are remembered.
 */
import { EARLY_ERRORS_MAX } from "#app/domain/diagnostics/constants.ts";

export type CaughtError = {
  error: unknown;
  /** Who caught it: the window (nobody else did), or React Router on its way to an error boundary. */
  caughtBy: "window" | "promise" | "router";
  routePattern?: string;
};

const kept: CaughtError[] = [];
let reporter: ((caught: CaughtError) => void) | null = null;

export function keepEarlyErrors(): void {
  window.addEventListener("error", keepError);
  window.addEventListener("unhandledrejection", keepRejection);
}

export function reportCaught(caught: CaughtError): void {
  if (reporter !== null) reporter(caught);
  else if (kept.length < EARLY_ERRORS_MAX) kept.push(caught);
}

/** The SDK listens to the window itself from here on. */
export function handOverErrors(report: (caught: CaughtError) => void): void {
  window.removeEventListener("error", keepError);
  window.removeEventListener("unhandledrejection", keepRejection);
  reporter = report;
  for (const caught of kept.splice(0)) report(caught);
}

/** Errors of the server arrive without a stack, and without their words in production; the server has reported them. */
export function isReportedByServer(error: unknown): boolean {
  return error instanceof Error && !error.stack && serverReferenceId() !== null;
}

const references = new WeakMap<object, string>();

/** What the visitor can tell us of a bug: the same for the boundary that shows it and for the report, wherever it was made. */
export function referenceIdOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return newReferenceId();
  const isFromServer = error instanceof Error && !error.stack;
  const referenceId = references.get(error) ?? (isFromServer ? serverReferenceId() : null) ?? newReferenceId();
  references.set(error, referenceId);
  return referenceId;
}

/** Left by our server with its answer (app/entry.server.tsx), readable for a minute. */
function serverReferenceId(): string | null {
  if (typeof document === "undefined") return null;
  return /(?:^|; )__Host-reference=(\w+)/.exec(document.cookie)?.[1] ?? null;
}

function newReferenceId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keepError(event: ErrorEvent): void {
  // Cross-origin scripts give no error, only words that say nothing.
  reportCaught({ error: event.error ?? event.message, caughtBy: "window" });
}

function keepRejection(event: PromiseRejectionEvent): void {
  reportCaught({ error: event.reason, caughtBy: "promise" });
}
