import { captureException, getActiveSpan, getRootSpan, logger, withScope } from "@sentry/cloudflare";
import { LINKED_ERRORS_MAX } from "#workers/monitoring/constants.ts";
import { asError, isReportable } from "./filters.rules.ts";
import { scrubText } from "./scrub.rules.ts";
import { throughSdk } from "./with-error-reporting.server.ts";

type BugPlace = { routePattern: string; referenceId: string };

const reported = new WeakSet<object>();

/** Reports a bug once: in the Worker's log, and to the receiver if there is one. Errors that aren't bugs are ignored. */
export function reportBug(error: unknown, { routePattern, referenceId }: BugPlace): void {
  if (!isReportable(error)) return;
  // React Router and React report the same error on its way up.
  if (typeof error === "object" && error !== null) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  dropQueryValues(error);
  console.error(scrubText(`bug ${referenceId} at ${routePattern}: ${inWords(error)}`));
  throughSdk(() =>
    withScope((scope) => {
      scope.setTags({ reference_id: referenceId, route: routePattern });
      scope.setTransactionName(routePattern);
      captureException(asError(error), { mechanism: { handled: false, type: "react_router.handle_error" } });
    }),
  );
}

/**
 * drizzle's error for a failed query contains its values: addresses, names, token hashes. The SQL is enough, and the causes say why it
 * failed.
 */
function dropQueryValues(error: unknown, depth = 0): void {
  if (!(error instanceof Error) || depth > LINKED_ERRORS_MAX) return;
  if ("query" in error && "params" in error) {
    const text = `Failed query: ${String(error.query)}`;
    error.stack = error.stack?.replace(error.message, () => text);
    error.message = text;
    delete error.params;
  }
  dropQueryValues(error.cause, depth + 1);
}

/** The error as text, so that it can be scrubbed: logs are stored elsewhere, and read by more people than reports. */
function inWords(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, message, cause } = error;
  const text = stack ?? message;
  return cause === undefined || depth === LINKED_ERRORS_MAX ? text : `${text}\ncaused by ${inWords(cause, depth + 1)}`;
}

/** Traces are grouped by route pattern: paths contain ids, which don't group and are private. */
export function nameTrace(name: string): void {
  const span = getActiveSpan();
  if (span === undefined) return;
  const root = getRootSpan(span);
  root.updateName(name);
  root.setAttribute("sentry.segment.name.source", "route");
}

/** Logs a command that failed without being a bug (a third-party service is down, a retry is due): a log line, not an event. */
export function reportFailedCommand(command: string, reason: string): void {
  const line = scrubText(`act ${command} failed: ${reason}`);
  console.warn(line);
  throughSdk(() => logger.warn(line, { act: command }));
}
