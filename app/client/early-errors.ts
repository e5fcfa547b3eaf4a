/**
 * Buffers errors between the first script and the SDK's chunk, and hands them over once. Tiny, since it is part of what every page loads
 * first. Without diagnostics nothing is ever handed over, and at most 64 errors are buffered.
 */
import { isRouteErrorResponse } from "react-router";
import { EARLY_ERRORS_MAX } from "#workers/monitoring/constants.ts";
import { routeName } from "#workers/monitoring/policy-reports/route-name.rules.ts";

export type CaughtError = {
  error: unknown;
  /** What caught it: the window (uncaught), or React Router on its way to an error boundary. */
  caughtBy: "window" | "promise" | "router";
  routePattern: string;
};

const buffered: CaughtError[] = [];
let reporter: ((caught: CaughtError) => void) | null = null;

export function keepEarlyErrors(): void {
  window.addEventListener("error", keepError);
  window.addEventListener("unhandledrejection", keepRejection);
}

export function reportCaught(caught: CaughtError): void {
  if (reporter !== null) reporter(caught);
  else if (buffered.length < EARLY_ERRORS_MAX) buffered.push(caught);
}

/** From here on the SDK listens to the window itself. */
export function reportEarlyErrors(report: (caught: CaughtError) => void): void {
  window.removeEventListener("error", keepError);
  window.removeEventListener("unhandledrejection", keepRejection);
  reporter = report;
  for (const caught of buffered.splice(0)) report(caught);
}

/** Server errors arrive as a 5xx response, or without a stack and with this message of React Router's in production. */
export function isReportedByServer(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status >= 500;
  return error instanceof Error && !error.stack && error.message === "Unexpected Server Error";
}

/**
 * The id a visitor can quote for a bug: the same for the boundary that shows it and for the report, wherever it was made. The same bug
 * again in the same page has the same id, since it isn't reported again. Null where the server's id can't be known, in a browser without
 * cookies: no id is better than one that can't be found.
 */
export function referenceIdOf(error: unknown): string | null {
  const isServers = isReportedByServer(error);
  const key = !isServers && error instanceof Error ? error.stack : error;
  if (!references.has(key)) references.set(key, isServers ? serverReferenceId() : newReferenceId());
  return references.get(key) ?? null;
}

const references = new Map<unknown, string | null>();

/** The current route. React Router exposes its router there for its own tools, and Sentry's SDK for it reads it as well. */
export function currentRoute(): string {
  const matches = globalThis.__reactRouterDataRouter?.state.matches;
  return matches ? routeName(matches.flatMap(({ route }) => route.path || []).join("/")) : "none";
}

declare global {
  var __reactRouterDataRouter: { state: { matches: { route: { path?: string } }[] } } | undefined;
}

/** Our server sets this cookie with its response (app/entry.server.tsx). Scripts can read it, for a minute. */
function serverReferenceId(): string | null {
  return /(?:^|; )(?:__Host-)?reference=(\w+)/.exec(document.cookie)?.[1] ?? null;
}

function newReferenceId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keepError(event: ErrorEvent): void {
  // Cross-origin scripts give no error object, only a message without details.
  reportCaught({ error: event.error ?? event.message, caughtBy: "window", routePattern: currentRoute() });
}

function keepRejection(event: PromiseRejectionEvent): void {
  reportCaught({ error: event.reason, caughtBy: "promise", routePattern: currentRoute() });
}
