import { type RateLimit, relayEnvelope } from "#app/domain/diagnostics/relay-envelope.server.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#app/domain/diagnostics/rules.ts";
import { SendQueue } from "#app/domain/diagnostics/send-queue.server.ts";

type TunnelEnv = DiagnosticsEnv & { FLOOD_MONITORING: RateLimit };

/** As if each test had an isolate and a day of its own: `x-dsn` names the queue too, `x-later` moves the clock by seconds. */
const queues = new Map<string, SendQueue>();

/** The tunnel without the product around it. The door itself, headers included, is tested on the real site. */
export default {
  fetch(request: Request, env: TunnelEnv, ctx: ExecutionContext): Promise<Response> {
    const { headers } = request;
    const dsn = headers.get("x-dsn") ?? "";
    const queue = queues.get(dsn) ?? new SendQueue();
    queues.set(dsn, queue);
    const now = (): number => Date.now() + Number(headers.get("x-later") ?? 0) * 1000;
    const settings = settingsFromEnv({ ...env, SENTRY_DSN: dsn });
    const flood = headers.has("x-flood") ? env.FLOOD_MONITORING : undefined;
    return relayEnvelope(request, settings, ctx, now, flood, queue);
  },
};
