import { handleTunnelRequest } from "@sentry/core";

export default {
  fetch: (request: Request, env: { SENTRY_DSN: string }): Promise<Response> =>
    handleTunnelRequest({ request, allowedDsns: [env.SENTRY_DSN] }),
};
