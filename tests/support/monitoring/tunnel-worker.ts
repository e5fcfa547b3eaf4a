import { relayEnvelope } from "#workers/monitoring/forwarding/relay-envelope.server.ts";
import { relayViolations, SeenViolations } from "#workers/monitoring/policy-reports/relay-violations.server.ts";
import {
  type DiagnosticsEnv,
  type DiagnosticsSettings,
  isViolationsPath,
  settingsFromEnv,
} from "#workers/monitoring/rules.ts";
import { SendQueue } from "#workers/monitoring/forwarding/send-queue.server.ts";
import type { RateLimiter } from "#app/core/rate-limiter.ts";
import { rateLimitOfMonitoring } from "#app/http/request/rate-limit.ts";

type TunnelEnv = DiagnosticsEnv & { RATE_LIMIT_MONITORING: RateLimiter };

/**
 * Gives each test its own isolate state, time and environment: `x-dsn` names the queue too, `x-later` moves the clock
 * by seconds, `x-env` contains more variables and `x-sending` other times for sending, both as JSON. `x-peek` returns
 * the contents of the queue, and nothing else.
 */
const queues = new Map<string, SendQueue>();
const violations = new Map<string, SeenViolations>();

/** The tunnel without the product around it. The Worker's entry, headers included, is tested on the real site. */
export default {
  fetch(request: Request, env: TunnelEnv, ctx: ExecutionContext): Promise<Response> {
    const { headers } = request;
    const dsn = headers.get("x-dsn") ?? "";
    const queue = queues.get(dsn) ?? new SendQueue();
    queues.set(dsn, queue);
    if (headers.has("x-peek")) return Promise.resolve(Response.json({ events: queue.events, bytes: queue.bytes }));
    const now = (): number => Date.now() + Number(headers.get("x-later") ?? 0) * 1000;
    const settings = settingsFromEnv({ ...env, ...read<DiagnosticsEnv>(headers, "x-env"), SENTRY_DSN: dsn });
    settings.sending = { ...settings.sending, ...read<DiagnosticsSettings["sending"]>(headers, "x-sending") };
    const isRateLimited = headers.has("x-rate-limit") ? rateLimitOfMonitoring(env.RATE_LIMIT_MONITORING) : undefined;
    if (!isViolationsPath(new URL(request.url).pathname))
      return relayEnvelope(request, settings, ctx, now, isRateLimited, queue);
    const newEventId = (): string => crypto.randomUUID().replaceAll("-", "");
    const seen = violations.get(dsn) ?? new SeenViolations();
    violations.set(dsn, seen);
    return relayViolations(request, settings, ctx, { now, newEventId, isRateLimited, queue, seen });
  },
};

/** Only tests send these, and they know what is in them. */
function read<Part>(headers: Headers, name: string): Partial<Part> {
  return JSON.parse(headers.get(name) ?? "{}") as Partial<Part>;
}
