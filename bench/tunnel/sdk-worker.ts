import { handleTunnelRequest } from "sentry-core-for-bench";

export default {
  fetch: (request: Request, env: { SENTRY_DSN: string }): Promise<Response> =>
    handleTunnelRequest({ request, allowedDsns: [env.SENTRY_DSN] }),
};
