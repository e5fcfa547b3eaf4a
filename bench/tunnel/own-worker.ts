import { relayEnvelope } from "#workers/monitoring/forwarding/relay-envelope.server.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#workers/monitoring/rules.ts";

export default {
  fetch: (request: Request, env: DiagnosticsEnv, ctx: ExecutionContext): Promise<Response> =>
    relayEnvelope(request, settingsFromEnv(env), ctx, Date.now),
};
