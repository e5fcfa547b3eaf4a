import { captureException, withSentry } from "@sentry/cloudflare";
import { invariant } from "#app/core/invariant.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { isSkippedBySdk, isToBeTraced, reportedRequests } from "./reported-requests.server.ts";
import { workerSdkOptions } from "./sdk-options.server.ts";

/** The handlers of one of our Workers. `scope` is what the outermost handler made for this request. */
type Handler<Bindings, Scope> = {
  fetch(request: Request, env: Bindings, ctx: ExecutionContext, scope: Scope): Promise<Response>;
  scheduled(controller: ScheduledController, env: Bindings, ctx: ExecutionContext): Promise<void>;
  queue(batch: MessageBatch, env: Bindings, ctx: ExecutionContext): Promise<void>;
};

/**
 * The Worker's side of error reporting, around the app and never around the tunnel. Without a DSN the handler is called directly, and the
 * SDK isn't initialised; a request that isn't traced is handled without it, and reports its errors through it.
 */
export function withErrorReporting<Bindings extends DiagnosticsEnv, Scope = void>(
  handler: Handler<Bindings, Scope>,
): Handler<Bindings, Scope> {
  /** The bindings and the scope that the handler was called with, by request, and the bindings by event. */
  const given = new WeakMap<Request, { env: Bindings; scope: Scope }>();
  const events = new WeakMap<ScheduledController | MessageBatch, Bindings>();
  // withSentry replaces the methods of the object it is given, passes on the platform's arguments only, and instruments all bindings.
  // Ours are instrumented selectively.
  const traced = {
    fetch(request: Request, _env: Bindings, ctx: ExecutionContext) {
      const call = given.get(request);
      invariant(call, "Sentry's SDK passed on another request than it was given");
      return handler.fetch(request, call.env, ctx, call.scope);
    },
    scheduled: (controller: ScheduledController, env: Bindings, ctx: ExecutionContext) =>
      handler.scheduled(controller, events.get(controller) ?? env, ctx),
    queue: (batch: MessageBatch, env: Bindings, ctx: ExecutionContext) =>
      handler.queue(batch, events.get(batch) ?? env, ctx),
  };
  withSentry<Bindings>(workerSdkOptions, traced);
  return {
    fetch(request, env, ctx, scope) {
      const { dsn, tracesSampleRate } = settingsFromEnv(env);
      if (dsn === null) return handler.fetch(request, env, ctx, scope);
      const isTraced = isToBeTraced(request, tracesSampleRate, chance());
      return reportedRequests.run({ request, env, ctx, isTraced }, async () => {
        if (!isTraced) return handler.fetch(request, env, ctx, scope).catch(reportAndThrow);
        given.set(request, { env, scope });
        return traced.fetch(request, env, ctx);
      });
    },
    scheduled(controller, env, ctx) {
      if (settingsFromEnv(env).dsn === null) return handler.scheduled(controller, env, ctx);
      events.set(controller, env);
      return traced.scheduled(controller, env, ctx);
    },
    queue(batch, env, ctx) {
      if (settingsFromEnv(env).dsn === null) return handler.queue(batch, env, ctx);
      events.set(batch, env);
      return traced.queue(batch, env, ctx);
    },
  };
}

/** A random number from 0 to below 1. */
function chance(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number / 2 ** 32;
}

function reportAndThrow(error: unknown): never {
  const mechanism = { handled: false, type: "auto.http.cloudflare" };
  throughSdk(() => captureException(error, { mechanism }));
  throw error;
}

/** Calls `send` where the SDK has a client. For a request that isn't traced, the client is set up now. */
export function throughSdk(send: () => void): void {
  const call = reportedRequests.getStore();
  if (!call || call.isTraced) return send();
  const { request, env, ctx } = call;
  const reporter = {
    fetch: (_request: Request, _env: DiagnosticsEnv, _ctx: ExecutionContext) => {
      send();
      return Promise.resolve(new Response());
    },
  };
  withSentry<DiagnosticsEnv>(workerSdkOptions, reporter);
  const shown = isSkippedBySdk(request) ? new Request(request.url, { headers: request.headers }) : request;
  ctx.waitUntil(reporter.fetch(shown, env, ctx));
}
