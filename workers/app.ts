import { createRequestHandler, RouterContextProvider } from "react-router";
import { newNonce } from "#app/core/id.ts";
import { answerCall, isApiPath } from "#app/api/answer-call.ts";
import { configurationProblems, trimVariables } from "#app/configuration.ts";
import type { App } from "#app/app.ts";
import { createApp, randomBytes, withCatalogue } from "#app/create-app.ts";
import { appContext, visitorZoneContext } from "#app/http/request/contexts.ts";
import { isSafeMethod } from "#app/http/request/visitor.ts";
import { addPlainCookies, isLocalHttp, readPlainCookies } from "#app/http/request/plain-cookies.ts";
import { rateLimitOfMonitoring } from "#app/http/request/rate-limit.ts";
import { relayEnvelope } from "./monitoring/forwarding/relay-envelope.server.ts";
import { relayViolations } from "./monitoring/policy-reports/relay-violations.server.ts";
import { isTunnelPath, isViolationsPath, settingsFromEnv } from "./monitoring/rules.ts";
import { parseCloudflareEvent } from "#app/integrations/email/returns/parse-cloudflare-event.ts";
import { recordReturns } from "#app/modules/email/commands/record-returns.server.ts";
import { isTestKey } from "#app/integrations/stripe/keys.ts";
import { nameTrace } from "#app/integrations/sentry/report-bug.server.ts";
import { withErrorReporting } from "#app/integrations/sentry/with-error-reporting.server.ts";
import { type CachedPages, withPageCache } from "./page-cache.ts";
import {
  refuseDuringMaintenance,
  refuseForeignOrigin,
  refuseMethod,
  refuseMisconfigured,
  refusePlainHttp,
  refuseUnmigrated,
  withErrorPage,
  withAllowHeader,
} from "./error-responses.ts";
import { answerFixed } from "./fixed-answers.ts";
import { withSecurityHeaders } from "./security-headers.ts";
import { runCronJobs } from "./cron.ts";

type PageHandler = ReturnType<typeof createRequestHandler>;

let pageHandler: PageHandler | undefined;

/**
 * Created once, on the first page request: given a function, React Router would assemble all routes for every request. Only the handler
 * is cached, never its promise, which would end with the request that created it.
 */
async function pages(): Promise<PageHandler> {
  const load = () => import("virtual:react-router/server-build");
  if (import.meta.env.DEV) return createRequestHandler(load, import.meta.env.MODE);
  return (pageHandler ??= createRequestHandler(await load(), import.meta.env.MODE));
}

async function answerPage(app: App, request: Request): Promise<Response> {
  const refusal =
    refuseDuringMaintenance(request, app) ?? refuseMethod(request, app) ?? refuseForeignOrigin(request, app);
  if (refusal) return refusal;
  const context = new RouterContextProvider();
  context.set(appContext, app);
  // React Router passes on a copy of the request without Cloudflare's `cf` data. A local run uses an invented location.
  if (!app.isLocal && typeof request.cf?.timezone === "string") context.set(visitorZoneContext, request.cf.timezone);
  const answer = await (await pages())(request, context);
  return withErrorPage(withAllowHeader(answer, app), app);
}

/** Everything but the tunnel: the product API and the pages. */
const site = withErrorReporting<Env, { nonce: string }>({
  async fetch(request, env, ctx, { nonce }) {
    const made = createApp(env, ctx, { request, nonce });
    const unmigrated = made.isUnderMaintenance ? null : await refuseUnmigrated(made);
    const isCall = isApiPath(new URL(request.url).pathname);
    // Only customers have a former plan, and a visit without a cookie isn't signed in.
    const isSignedOut = !isCall && isSafeMethod(request) && !request.headers.has("Cookie");
    const isPlain = unmigrated !== null || made.isUnderMaintenance || isSignedOut;
    const app = isPlain ? made : await withCatalogue(made, env);
    const answer = unmigrated ?? (await (isCall ? answerCall : answerPage)(app, request));
    nameTrace(`${request.method} ${app.route.pattern}`);
    const secured = withSecurityHeaders(answer, request, env, nonce, app.embeds);
    const { toDatabase, inARow } = app.trips;
    if (app.isLocal) secured.headers.set("Server-Timing", `d1;desc="${toDatabase}", d1-in-a-row;desc="${inARow}"`);
    return secured;
  },
  async scheduled(controller, env, ctx) {
    await runCronJobs(await withCatalogue(createApp(env, ctx, { scheduledAt: controller.scheduledTime }), env));
  },
  /** What Cloudflare's Email Sending says of our emails. A batch that fails arrives again. */
  async queue(batch, env, ctx) {
    const app = createApp(env, ctx, { scheduledAt: Date.now() });
    await recordReturns(
      app,
      batch.messages.flatMap(({ body }) => parseCloudflareEvent(body)),
    );
  },
});

/** What browsers post for the error receiver without the SDK. With no receiver configured, policy reports have no endpoint. */
async function relay(request: Request, env: Env, ctx: ExecutionContext): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const isRateLimited = rateLimitOfMonitoring(env.RATE_LIMIT_MONITORING);
  if (isTunnelPath(pathname)) return relayEnvelope(request, settingsFromEnv(env), ctx, Date.now, isRateLimited);
  if (!isViolationsPath(pathname)) return null;
  const settings = settingsFromEnv(env);
  if (settings.dsn === null) return null;
  const newEventId = () => crypto.randomUUID().replaceAll("-", "");
  return relayViolations(request, settings, ctx, { now: Date.now, newEventId, isRateLimited });
}

const cachedPages: CachedPages = new Map();

function pageCache({ VERSION }: Env, ctx: ExecutionContext, nonce: string) {
  const later = (work: Promise<unknown>) => ctx.waitUntil(work);
  return { clock: Date.now, nonce, pages: cachedPages, cache: caches.default, version: VERSION.id, later };
}

/** Variables don't change during the lifetime of this Worker. */
let known: { problems: string[]; variables: Env; mode: { isTestMode: boolean } } | undefined;

function readVariables(env: Env) {
  if (known) return known;
  const variables = trimVariables(env);
  const mode = { isTestMode: isTestKey(variables.STRIPE_SECRET_KEY ?? "") };
  return (known = { problems: configurationProblems(env), variables, mode });
}

export default {
  async fetch(request, env, ctx) {
    const { problems, variables, mode } = readVariables(env);
    const refusal =
      problems.length > 0
        ? refuseMisconfigured(request, problems, env, mode)
        : refusePlainHttp(request, variables.PUBLIC_ORIGIN, mode);
    if (refusal) return withSecurityHeaders(refusal, request, variables);
    const relayed = await relay(request, variables, ctx);
    if (relayed) return withSecurityHeaders(relayed, request, variables);
    const fixed = answerFixed(request);
    if (fixed) return withSecurityHeaders(fixed, request, variables);
    const nonce = newNonce(randomBytes);
    const answer = (sent: Request) => site.fetch(sent, variables, ctx, { nonce });
    const isLocal = isLocalHttp(request.url, variables.PUBLIC_ORIGIN);
    const render = async () => (isLocal ? addPlainCookies(await answer(readPlainCookies(request))) : answer(request));
    // During development, each change shows at once.
    return import.meta.env.DEV ? render() : withPageCache(pageCache(variables, ctx, nonce), request, render);
  },
  async scheduled(controller, env, ctx) {
    const { problems, variables } = readVariables(env);
    if (problems.length === 0 && !variables.MAINTENANCE) await site.scheduled(controller, variables, ctx);
  },
  async queue(batch, env, ctx) {
    const { problems, variables } = readVariables(env);
    if (problems.length > 0 || variables.MAINTENANCE) batch.retryAll();
    else await site.queue(batch, variables, ctx);
  },
} satisfies ExportedHandler<Env>;
