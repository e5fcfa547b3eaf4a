import * as Sentry from "@sentry/react";
import {
  type CaughtError,
  currentRoute,
  gettingStartedErrors,
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
  withMessages,
} from "#workers/monitoring/filters.rules.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import { scrubText, withoutPersonalData } from "#workers/monitoring/scrub.rules.ts";

/** The browser's side of error reporting, a chunk of its own: nothing that a page needs stands here. */
export function startSdk(settings: ClientSettings, page: PageFacts): void {
  Sentry.init(browserSdkOptions(settings, page.isMissing || isMissingAnswer()));
  namePage(page);
  gettingStartedErrors(report);
}

/** Of a trace until its page stands: the SDK would name it by the path, which is no group and may be somebody's business. */
const UNNAMED = "unknown";
const STATUS = "http.response.status_code";

/** A trace begins before the page that it is of has been drawn, and is named here once it stands. */
export function namePage({ isMissing }: PageFacts): void {
  const span = Sentry.getActiveSpan();
  if (span === undefined) return;
  const trace = Sentry.getRootSpan(span);
  trace.updateName(currentRoute());
  trace.setAttribute("sentry.segment.name.source", "route");
  if (isMissing) trace.setAttribute(STATUS, 404);
}

/** Replaced by ours, or not wanted: a session is one request more for each page, and the time zone nobody's business. */
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
    // Words that pages may show or compare stay as the browser said them.
    enhanceFetchErrorMessages: false,
    integrations: (defaults) => [
      ...defaults.filter(({ name }) => !LEFT_OUT.has(name)),
      Sentry.linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX }),
      Sentry.consoleLoggingIntegration({ levels: ["warn", "error"] }),
      tracing(isMissing),
    ],
    ignoreErrors: [...NOISY_ERRORS],
    // One page load is one event that the filters below see whole; streamed spans pass them by.
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
      const worded = withMessages(event, hint.originalException);
      // What the SDK catches itself (event handlers, promises) has no place of ours yet.
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

/** A page that isn't there, or that was left for another before it was drawn. */
function isOfNoPage({ transaction, contexts }: Traced): boolean {
  return transaction === UNNAMED || isNoPage(contexts?.trace?.data?.[STATUS]);
}

/** A page that isn't there leaves no trace at all: whoever tries addresses must not fill the quota. */
function tracing(isMissing: boolean): ReturnType<typeof Sentry.browserTracingIntegration> {
  return Sentry.browserTracingIntegration({
    idleTimeout: TRACE_IDLE_MS,
    finalTimeout: TRACE_FINAL_MS,
    childSpanTimeout: TRACE_CHILD_SPAN_MS,
    instrumentPageLoad: !isMissing,
    // Would leave by itself, as a span outside of any trace, whenever a page is left, past the filters above.
    webVitals: { ignore: ["inp"] },
    beforeStartSpan: (span) => ({ ...span, name: UNNAMED }),
  });
}

/** Known before the first span starts, since the SDK starts after hydration. Safari doesn't tell; there the root does. */
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

/** What the root knows of the page that stands, and the SDK doesn't. */
export type PageFacts = { isMissing: boolean };
