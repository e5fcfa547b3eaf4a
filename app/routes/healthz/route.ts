import { spellInstants } from "#app/core/time/time.ts";
import { readBearerToken } from "#app/http/request/bearer-token.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { isApiRateLimited } from "#app/http/request/rate-limit.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { shownPrices } from "#app/modules/catalogue/shown-prices.rules.ts";
import { readHealth } from "#app/modules/operators/reads/read-health.server.ts";
import { matchesOperatorToken } from "#app/modules/operators/rules.ts";
import type { App } from "#app/app.ts";
import type { Route } from "./+types/route";

/**
 * Answers 200 when this Worker can serve: the database has this build's schema and, on a local run, the Stripe emulator has the catalogue.
 * With the operators' token the answer says more.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const isAsked = request.headers.has("Authorization");
  const refusal = isAsked ? await refuse(app, request) : null;
  if (refusal) return refusal;
  const isMigrated = await app.isMigrated();
  const isReady = isMigrated && (await hasCatalogue(app));
  const status = isReady ? "ok" : "starting";
  // Tables of an older schema can't be read.
  const health = isAsked && isMigrated ? spellInstants(await readHealth(app)) : null;
  return Response.json(health === null ? { status } : { status, ...health }, {
    status: isReady ? 200 : 503,
    ...(isAsked && { headers: { "Cache-Control": "no-store" } }),
  });
}

/** Guesses at the token count towards the same limit as the operators' other calls. */
async function refuse(app: App, request: Request): Promise<Response | null> {
  if (await isApiRateLimited(app, describeVisitor(request).ip)) {
    return Response.json({ status: "too-many-requests" }, { status: 429, headers: { "Retry-After": "60" } });
  }
  if (await matchesOperatorToken(app.pepper, app.operatorToken, readBearerToken(request))) return null;
  return Response.json({ status: "token-refused" }, { status: 401, headers: { "WWW-Authenticate": "Bearer" } });
}

async function hasCatalogue({ product, isLocal, payments }: App): Promise<boolean> {
  if (!isLocal || !payments) return true;
  const differences = await payments.comparePrices(shownPrices(product));
  return differences.ok && differences.value.length === 0;
}
