/**
 * The Worker that benches run in front of the built site to measure it without two of the local runtime's stand-ins. Its rate limiter is a
 * database with a write per call, where Cloudflare's is a counter in the same machine. Its Cache API is another Worker with a database, which
 * starts with the first question to it. Here neither does anything, and the cache never has a page.
 */
type Handler = { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> };

const built = "./index.js";
const { default: site } = (await import(built)) as { default: Handler };

const cache = { match: () => Promise.resolve(undefined), put: () => Promise.resolve() };
Object.assign(globalThis, { caches: { default: cache } });

let given: Env | undefined;

export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    given ??= { ...env, RATE_LIMIT_API: { limit: () => Promise.resolve({ success: true }) } };
    return site.fetch(request, given, ctx);
  },
};
