/**
 * The Worker that benches run in front of the built site to measure it without wrangler's rate limiter, which is a database with a write
 * per call. Cloudflare's is a counter in the same machine.
 */
type Handler = { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> };

const built = "./index.js";
const { default: site } = (await import(built)) as { default: Handler };

let unlimited: Env | undefined;

export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    unlimited ??= { ...env, FLOOD_API: { limit: () => Promise.resolve({ success: true }) } };
    return site.fetch(request, unlimited, ctx);
  },
};
