import { invariant } from "#app/core/invariant.ts";
import {
  captureException,
  type CloudflareOptions,
  getActiveSpan,
  getRootSpan,
  linkedErrorsIntegration,
  logger,
  withScope,
  withSentry,
  withStaticSpan,
} from "@sentry/cloudflare";
import { LINKED_ERRORS_MAX, SEND_QUEUE_EVENTS_MAX } from "#workers/monitoring/constants.ts";
import { asError, isNoPage, isReportable, withErrorMessage } from "#workers/monitoring/filters.rules.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { scrubText, withoutPersonalData } from "#workers/monitoring/envelopes/scrub.rules.ts";

/** The handlers of one of our Workers. `scope`: what the outermost handler made for this request. */
type Handler<Bindings, Scope> = {
  fetch(request: Request, env: Bindings, ctx: ExecutionContext, scope: Scope): Promise<Response>;
  scheduled(controller: ScheduledController, env: Bindings, ctx: ExecutionContext): Promise<void>;
};

/**
 * The Worker's side of error reporting: Sentry's SDK around the app, never around the tunnel. Without a DSN the handler is called directly,
 * and the SDK isn't initialised.
 */
export function withErrorReporting<Bindings extends DiagnosticsEnv, Scope = void>(
  handler: Handler<Bindings, Scope>,
): Handler<Bindings, Scope> {
  /** By request: the bindings and the scope that the handler was called with. */
  const given = new WeakMap<Request, { env: Bindings; scope: Scope }>();
  const crons = new WeakMap<ScheduledController, Bindings>();
  // withSentry replaces the methods of the object it is given, passes on the platform's arguments only, and instruments all bindings.
  // Ours are instrumented selectively.
  const reporting = {
    fetch(request: Request, _env: Bindings, ctx: ExecutionContext) {
      const call = given.get(request);
      invariant(call, "Sentry's SDK passed on another request than it was given");
      return handler.fetch(request, call.env, ctx, call.scope);
    },
    scheduled: (controller: ScheduledController, env: Bindings, ctx: ExecutionContext) =>
      handler.scheduled(controller, crons.get(controller) ?? env, ctx),
  };
  withSentry<Bindings>(workerSdkOptions, reporting);
  const isReported = (env: Bindings) => settingsFromEnv(env).dsn !== null;
  return {
    fetch(request, env, ctx, scope) {
      if (!isReported(env)) return handler.fetch(request, env, ctx, scope);
      given.set(request, { env, scope });
      return reporting.fetch(request, env, ctx);
    },
    scheduled(controller, env, ctx) {
      if (!isReported(env)) return handler.scheduled(controller, env, ctx);
      crons.set(controller, env);
      return reporting.scheduled(controller, env, ctx);
    },
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
    // Every visitor's reference id must be found, so the same bug is reported again for each.
    enableDedupe: false,
    integrations: [linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX })],
    // One request is one event that the filters below see whole; streamed spans would bypass them.
    traceLifecycle: "static",
    // No third-party service uses our trace headers (Stripe).
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
      return withoutVisitor(withErrorMessage(event, hint.originalException));
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
  withScope((scope) => {
    scope.setTags({ reference_id: referenceId, route: routePattern });
    scope.setTransactionName(routePattern);
    captureException(asError(error), { mechanism: { handled: false, type: "react_router.handle_error" } });
  });
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

/** As text, so that it can be scrubbed: logs are stored elsewhere, and read by more people than reports. */
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
  logger.warn(line, { act: command });
}

type Traced = {
  transaction?: string;
  contexts?: { trace?: { op?: string; data?: Record<string, unknown> }; culture?: unknown };
};

/** No page: the router requesting its own manifest, or work left over from a finished request. */
function isIdle({ transaction, contexts }: Traced): boolean {
  const { op = "", data } = contexts?.trace ?? {};
  // The SDK references a trace weakly: after the response (sending emails) it may be collected, and a query would become a separate trace.
  const isLeftOver = op.startsWith("db") || op === "http.client";
  return isLeftOver || isNoPage(data?.["http.response.status_code"]) || transaction === "GET /__manifest";
}

type Visited = Pick<Traced, "contexts"> & {
  user?: unknown;
  request?: { url?: string; method?: string };
  sdk?: { settings?: { infer_ip?: "auto" | "never" } };
};

/** Events carry no personal data: no user, address, browser, headers or location. */
function withoutVisitor<T extends Visited>(event: T): T {
  const scrubbed = withoutPersonalData(event);
  delete scrubbed.user;
  // Cloudflare adds the visitor's CF-Connecting-IP to a Worker's outgoing requests while it serves them. Without this setting Relay
  // stores that address with every event whose platform is "javascript", as this SDK's is.
  scrubbed.sdk = { ...scrubbed.sdk, settings: { ...scrubbed.sdk?.settings, infer_ip: "never" } };
  delete scrubbed.contexts?.culture;
  delete scrubbed.contexts?.trace?.data?.["user_agent.original"];
  if (scrubbed.request) scrubbed.request = { url: scrubbed.request.url, method: scrubbed.request.method };
  return scrubbed;
}
