import {
  captureException,
  type CloudflareOptions,
  getActiveSpan,
  getRootSpan,
  linkedErrorsIntegration,
  logger,
  startSpan,
  withScope,
  withSentry,
  withStaticSpan,
} from "@sentry/cloudflare";
import type { Watch } from "#app/db/watch-trips.server.ts";
import { LINKED_ERRORS_MAX, SEND_QUEUE_EVENTS_MAX } from "#workers/monitoring/constants.ts";
import { asError, isNoPage, isReportable, withMessages } from "#workers/monitoring/filters.rules.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { scrubText, withoutPersonalData } from "#workers/monitoring/scrub.rules.ts";

/** What a Worker of ours answers to. */
type Handler<Bindings> = {
  fetch(request: Request, env: Bindings, ctx: ExecutionContext): Promise<Response>;
  scheduled(controller: ScheduledController, env: Bindings, ctx: ExecutionContext): Promise<void>;
};

/**
 * The Worker's side of error reporting: Sentry's SDK around the app, never around the tunnel. Without a DSN the handler
 * is called as it is, and the SDK is not even initialised.
 */
export function withErrorReporting<Bindings extends DiagnosticsEnv>(handler: Handler<Bindings>): Handler<Bindings> {
  /** Of each request or strike of the clock, as the platform gave them. */
  const given = new WeakMap<object, Bindings>();
  // withSentry replaces the methods of the object it is given, and hands on bindings that it watches. Ours are watched where it pays.
  const reporting: Handler<Bindings> = {
    fetch: (request, env, ctx) => handler.fetch(request, given.get(request) ?? env, ctx),
    scheduled: (controller, env, ctx) => handler.scheduled(controller, given.get(controller) ?? env, ctx),
  };
  withSentry<Bindings>(workerSdkOptions, reporting);
  const choose = (env: Bindings, cause: object): Handler<Bindings> => {
    if (settingsFromEnv(env).dsn === null) return handler;
    given.set(cause, env);
    return reporting;
  };
  return {
    fetch: (request, env, ctx) => choose(env, request).fetch(request, env, ctx),
    scheduled: (controller, env, ctx) => choose(env, controller).scheduled(controller, env, ctx),
  };
}

/**
 * A span for each trip to the database, where the request is traced. The SDK's own watch takes each statement apart three times,
 * whether somebody will read it or not (decision 0040).
 */
export function tripWatch(): Watch | null {
  if (!getActiveSpan()?.isRecording()) return null;
  return (statements, makeTrip) => {
    const queries = statements.map((sql) => sql.replaceAll(/\s+/g, " "));
    const [query = "", ...others] = queries;
    const name = others.length === 0 ? query : "D1 batch";
    const attributes = { "db.system.name": "cloudflare-d1", "db.query.text": queries.join("\n") };
    return startSpan({ name, op: "db.query", attributes }, makeTrip);
  };
}

export function workerSdkOptions(env: DiagnosticsEnv): CloudflareOptions {
  const settings = settingsFromEnv(env);
  return {
    dsn: settings.dsn === null ? undefined : env.SENTRY_DSN,
    enabled: settings.dsn !== null,
    release: settings.release || undefined,
    environment: settings.environment,
    tracesSampleRate: settings.tracesSampleRate,
    transportOptions: { bufferSize: SEND_QUEUE_EVENTS_MAX, fetchOptions: { redirect: "manual" } },
    // Each visitor's reference id must be found: the same bug again is reported again.
    enableDedupe: false,
    integrations: [linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX })],
    // One request is one event that the filters below see whole; streamed spans pass them by.
    traceLifecycle: "static",
    // Nothing of ours speaks the trace headers to others (Stripe).
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      databaseQueryData: false,
      stackFrameVariables: false,
    },
    beforeSend(event, hint) {
      if (!isReportable(hint.originalException)) return null;
      return withoutVisitor(withMessages(event, hint.originalException));
    },
    beforeSendTransaction: (event) => (isIdle(event) ? null : withoutVisitor(event)),
    beforeSendSpan: withStaticSpan((span) => withoutPersonalData(span)),
    beforeSendLog: (log) => ({
      ...log,
      message: scrubText(String(log.message)),
      attributes: withoutPersonalData(log.attributes),
    }),
    beforeBreadcrumb: (crumb) => withoutPersonalData(crumb),
  };
}

export type BugPlace = { routePattern: string; referenceId: string };

const reported = new WeakSet<object>();

/** A bug, once: in the Worker's log, and at the receiver if there is one. Whatever is no bug is passed over. */
export function reportBug(error: unknown, { routePattern, referenceId }: BugPlace): void {
  if (!isReportable(error)) return;
  // React Router and React tell of the same error on its way up.
  if (typeof error === "object" && error !== null) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  dropQueryValues(error);
  console.error(scrubText(`bug ${referenceId} at ${routePattern}: ${inWords(error)}`));
  withScope((scope) => {
    scope.setTags({ reference_id: referenceId, route: routePattern });
    scope.setTransactionName(routePattern);
    captureException(asError(error), { mechanism: { handled: false, type: "react_router.handle_error" } });
  });
}

/**
 * drizzle tells a failed query with its values: addresses, names, hashes of tokens. What was asked is enough, and the
 * causes say why it failed.
 */
function dropQueryValues(error: unknown, depth = 0): void {
  if (!(error instanceof Error) || depth > LINKED_ERRORS_MAX) return;
  if ("query" in error && "params" in error) {
    const messages = `Failed query: ${String(error.query)}`;
    error.stack = error.stack?.replace(error.message, () => messages);
    error.message = messages;
    delete error.params;
  }
  dropQueryValues(error.cause, depth + 1);
}

/** As text, so that it can be scrubbed: logs are kept elsewhere, and read by more people than reports. */
function inWords(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, message, cause } = error;
  const messages = stack ?? message;
  return cause === undefined || depth === LINKED_ERRORS_MAX
    ? messages
    : `${messages}\ncaused by ${inWords(cause, depth + 1)}`;
}

/** Traces are grouped by route pattern: paths hold ids, which are no groups and nobody's business. */
export function nameTrace(name: string): void {
  const span = getActiveSpan();
  if (span === undefined) return;
  const root = getRootSpan(span);
  root.updateName(name);
  root.setAttribute("sentry.segment.name.source", "route");
}

/** The line of an act that failed without being a bug (a neighbour is down, a retry is due): a log, not an event. */
export function reportFailedAct(act: string, reason: string): void {
  const line = scrubText(`act ${act} failed: ${reason}`);
  console.warn(line);
  logger.warn(line, { act });
}

type Traced = {
  transaction?: string;
  contexts?: { trace?: { op?: string; data?: Record<string, unknown> }; culture?: unknown };
};

/** No page, the router asking for its own route table, or a leftover of a request that has been answered. */
function isIdle({ transaction, contexts }: Traced): boolean {
  const { op = "", data } = contexts?.trace ?? {};
  // The SDK holds on to a trace weakly: after the answer (mails) it may be gone, and a query would be a trace of its own.
  const isLeftOver = op.startsWith("db") || op === "http.client";
  return isLeftOver || isNoPage(data?.["http.response.status_code"]) || transaction === "GET /__manifest";
}

type Visited = Pick<Traced, "contexts"> & {
  user?: unknown;
  request?: { url?: string; method?: string };
  sdk?: { settings?: { infer_ip?: "auto" | "never" } };
};

/** Who and from where is nobody's business here: no user, no address, no browser, no headers, no place on earth. */
function withoutVisitor<T extends Visited>(event: T): T {
  const scrubbed = withoutPersonalData(event);
  delete scrubbed.user;
  // Cloudflare adds the visitor's CF-Connecting-IP to what a Worker sends while it serves them. Without this setting Relay
  // stores that address with every event whose platform is "javascript", as this SDK's is.
  scrubbed.sdk = { ...scrubbed.sdk, settings: { ...scrubbed.sdk?.settings, infer_ip: "never" } };
  delete scrubbed.contexts?.culture;
  delete scrubbed.contexts?.trace?.data?.["user_agent.original"];
  if (scrubbed.request) scrubbed.request = { url: scrubbed.request.url, method: scrubbed.request.method };
  return scrubbed;
}
