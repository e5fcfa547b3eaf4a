import { relayEnvelope } from "#app/domain/diagnostics/relay-envelope.server.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#app/domain/diagnostics/rules.ts";

export default {
  fetch: (request: Request, env: DiagnosticsEnv, ctx: ExecutionContext): Promise<Response> =>
    relayEnvelope(request, settingsFromEnv(env), ctx, Date.now),
};
