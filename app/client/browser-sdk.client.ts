import * as Sentry from "@sentry/react";
import {
  type CaughtError,
  currentRoute,
  reportEarlyErrors,
  isReportedByServer,
  referenceIdOf,
} from "./early-errors.ts";
import {
  LINKED_ERRORS_MAX,
  LOG_FLUSH_IDLE_MS,
  REMEMBERED_EVENTS_MAX,
  SEND_QUEUE_EVENTS_MAX,
  TRACE_CHILD_SPAN_MS,
  TRACE_FINAL_MS,
  TRACE_IDLE_MS,
  TUNNEL_PATH,
} from "#workers/monitoring/constants.ts";
import {
  asError,
  eventKey,
  isNoPage,
  isRepeated,
  isReportable,
  NOISY_ERRORS,
  withErrorMessage,
} from "#app/integrations/sentry/filters.rules.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import { scrubText, withoutPersonalData } from "#app/integrations/sentry/scrub.rules.ts";

/** The browser's part of error reporting, in a separate chunk that no page needs. */
export function startSdk(settings: ClientSettings, page: PageFacts): void {
  Sentry.init(browserSdkOptions(settings, page.isMissing || isMissingAnswer()));
  namePage(page);
  reportEarlyErrors(report);
}

/** Name of a trace until its page has rendered: the SDK would use the path, which can't be grouped and may be private. */
const UNNAMED = "unknown";
const STATUS = "http.response.status_code";

/** A trace starts before its page has rendered; it is named here afterwards. */
export function namePage({ isMissing }: PageFacts): void {
  const span = Sentry.getActiveSpan();
  if (span === undefined) return;
  const trace = Sentry.getRootSpan(span);
  trace.updateName(currentRoute());
  trace.setAttribute("sentry.segment.name.source", "route");
  if (isMissing) trace.setAttribute(STATUS, 404);
}

/** Replaced by our own, or unwanted: a session costs one more request per page, and the time zone is private. */
const LEFT_OUT = new Set(["Dedupe", "LinkedErrors", "BrowserSession", "CultureContext"]);

export function browserSdkOptions(settings: ClientSettings, isMissing: boolean): Sentry.BrowserOptions {
  const recent: string[] = [];
  return {
    dsn: settings.dsn,
    tunnel: TUNNEL_PATH,
    release: settings.release || undefined,
    environment: settings.environment,
    tracesSampleRate: settings.tracesSampleRate,
    transportOptions: { bufferSize: SEND_QUEUE_EVENTS_MAX, fetchOptions: { credentials: "omit" } },
    _flushInterval: LOG_FLUSH_IDLE_MS,
    // Strings that pages may show or compare keep the browser's original text.
    enhanceFetchErrorMessages: false,
    integrations: (defaults) => [
      ...defaults.filter(({ name }) => !LEFT_OUT.has(name)),
      Sentry.linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX }),
      Sentry.consoleLoggingIntegration({ levels: ["warn", "error"] }),
      tracing(isMissing),
    ],
    ignoreErrors: [...NOISY_ERRORS],
    // One page load is one event that the filters below see whole; streamed spans would bypass them.
    traceLifecycle: "static",
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    },
    beforeSend(event, hint) {
      if (!isReportable(hint.originalException)) return null;
      const worded = withErrorMessage(event, hint.originalException);
      // What the SDK catches itself (event handlers, promises) isn't tagged with our route yet.
      const tags = { route: currentRoute(), reference_id: referenceIdOf(hint.originalException), ...event.tags };
      if (isRepeated(recent, eventKey(worded), REMEMBERED_EVENTS_MAX)) return null;
      return withoutPersonalData({ ...worded, tags, transaction: String(tags.route) });
    },
    beforeSendTransaction: (event) => (isOfNoPage(event) ? null : withoutPersonalData(event)),
    beforeSendSpan: Sentry.withStaticSpan((span) => withoutPersonalData(span)),
    beforeSendLog(log) {
      const message = String(log.message);
      if (NOISY_ERRORS.some((pattern) => pattern.test(message))) return null;
      return { ...log, message: scrubText(message), attributes: withoutPersonalData(log.attributes) };
    },
    beforeBreadcrumb: (crumb) => withoutPersonalData(crumb),
  };
}

type Traced = { transaction?: string; contexts?: { trace?: { data?: Record<string, unknown> } } };

/** A 404 page, or one that was left for another before it rendered. */
function isOfNoPage({ transaction, contexts }: Traced): boolean {
  return transaction === UNNAMED || isNoPage(contexts?.trace?.data?.[STATUS]);
}

/** A 404 page sends no trace: scanners must not use up the quota. */
function tracing(isMissing: boolean): ReturnType<typeof Sentry.browserTracingIntegration> {
  return Sentry.browserTracingIntegration({
    idleTimeout: TRACE_IDLE_MS,
    finalTimeout: TRACE_FINAL_MS,
    childSpanTimeout: TRACE_CHILD_SPAN_MS,
    instrumentPageLoad: !isMissing,
    // Would be sent as a standalone span whenever a page is left, bypassing the filters above.
    webVitals: { ignore: ["inp"] },
    beforeStartSpan: (span) => ({ ...span, name: UNNAMED }),
  });
}

/** Known before the first span, because the SDK starts after hydration. Safari doesn't report the status; there the root does. */
function isMissingAnswer(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation instanceof PerformanceNavigationTiming && navigation.responseStatus === 404;
}

function report({ error, caughtBy, routePattern }: CaughtError): void {
  if (!isReportable(error) || isReportedByServer(error)) return;
  Sentry.withScope((scope) => {
    scope.setTags({ reference_id: referenceIdOf(error), route: routePattern });
    Sentry.captureException(asError(error), {
      mechanism: { handled: caughtBy === "router", type: `foyer.${caughtBy}` },
    });
  });
}

/** What the root knows about the rendered page, and the SDK doesn't. */
export type PageFacts = { isMissing: boolean };
