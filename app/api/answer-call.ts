import * as v from "valibot";
import type { App } from "#app/app.ts";
import { isApiRateLimited } from "#app/http/request/rate-limit.ts";
import { fieldProblems, readCapped } from "#app/http/forms/read-form.ts";
import { maintenanceRetrySeconds } from "#app/http/request/maintenance.ts";
import { readBearerToken } from "#app/http/request/bearer-token.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { apiCaller } from "./api-caller.ts";
import { refuseToken } from "./answers.ts";
import { matchesOperatorToken, readOperatorName } from "#app/modules/operators/rules.ts";
import type { Answer, BodySchema, Call, CallerFound } from "./call.ts";
import { calls as allCalls } from "./calls.ts";
import { operatorCalls } from "./operator-calls.ts";
import { allProblems, describeProblem, type Problem, problem } from "./problems.ts";

/** Two APIs behind one endpoint: the installed product's, and the operators'. */
type Api = { prefix: string; calls: readonly Call[] };

const apis: readonly Api[] = [
  { prefix: "/api/v1", calls: allCalls },
  { prefix: "/api/operator", calls: operatorCalls },
];

/** The Worker's entry routes these calls: React Router plays no part in them. */
export function isApiPath(pathname: string): boolean {
  return accessTo(pathname) !== undefined;
}

function accessTo(pathname: string): Api | undefined {
  return apis.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}

/** Largest request body: calls have only a few fields. */
const bodyBytesMax = 64 * 1024;

/** The single entry point of all API calls. Cookies are ignored, and every response except success is a problem (RFC 9457). */
export async function answerCall(app: App, request: Request, calls?: readonly Call[]): Promise<Response> {
  try {
    const { pathname } = new URL(request.url);
    const api = accessTo(pathname) ?? { prefix: "", calls: [] };
    return respond(app, request, await runCall(app, request, { ...api, ...(calls && { calls }), pathname }));
  } catch (error) {
    if (!hasLeft(request, error)) app.report(error);
    return respond(app, request, problem("broken"));
  }
}

/** The first failure wins, in this order: maintenance, rate limit, path and method, size, media type, token, body; then the call's own rules. */
async function runCall(
  app: App,
  request: Request,
  { prefix, calls, pathname }: Api & { pathname: string },
): Promise<Answer | Problem> {
  app.route.pattern = `${prefix}/*`;
  if (app.isUnderMaintenance) {
    return problem("maintenance", { headers: { "Retry-After": String(maintenanceRetrySeconds) } });
  }
  const found = findCall(request, pathname.slice(prefix.length), calls);
  const caller = !("code" in found) && found.caller === apiCaller?.name ? apiCaller : null;
  const callerId = caller && (await caller.read(app.pepper, readBearerToken(request)));
  const { ip, country } = describeVisitor(request);
  if (await isApiRateLimited(app, ip, callerId)) {
    return problem("too-many-requests", { headers: { "Retry-After": "60" } });
  }
  if ("code" in found) return found;
  app.route.pattern = prefix + found.path;
  const bytes = found.body && found.method !== "GET" ? await readBytes(request) : null;
  if (bytes && "code" in bytes) return bytes;
  const identified = await findCaller(app, request, found, callerId);
  if ("code" in identified) return identified;
  const read = found.body ? readBody(bytes ? parseJson(bytes) : queryOf(request), found.body) : { body: null };
  if (!("code" in read)) return found.run(app, { request, country, ...identified, body: read.body });
  // A body with a token that is no longer valid isn't validated: the token error comes first.
  return callerId === null || (await caller?.isActive(app.db, callerId)) ? read : refuseToken();
}

/** The caller, as far as the token identifies it; anonymous where no token is required. */
async function findCaller(
  app: App,
  request: Request,
  { caller }: Call,
  callerId: string | null,
): Promise<CallerFound | Problem> {
  const anonymous = { callerId: null, operator: null };
  switch (caller) {
    case "anyone":
      return anonymous;
    case "operator": {
      // As long as no operators' token is configured, operators' calls don't exist.
      if (app.operatorToken === null) return problem("no-such-call");
      const fits = await matchesOperatorToken(app.pepper, app.operatorToken, readBearerToken(request));
      return fits ? { ...anonymous, operator: readOperatorName(request.headers.get("Operator")) } : refuseToken();
    }
    default:
      return callerId === null ? refuseToken() : { ...anonymous, callerId };
  }
}

function findCall(request: Request, path: string, calls: readonly Call[]): Call | Problem {
  const there = calls.filter((call) => call.path === path);
  if (there.length === 0) return problem("no-such-call");
  const method = request.method === "HEAD" ? "GET" : request.method;
  const found = there.find((call) => call.method === method);
  if (found) return found;
  const allowed = there.flatMap((call) => (call.method === "GET" ? ["GET", "HEAD"] : [call.method]));
  return problem("method-not-allowed", { headers: { Allow: allowed.join(", ") } });
}

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | Problem> {
  if (Number(request.headers.get("Content-Length")) > bodyBytesMax) return problem("body-too-large");
  const read = await readCapped(request.body, bodyBytesMax);
  if (!read.ok) return problem(read.refusal.reason === "form-too-large" ? "body-too-large" : "body-too-slow");
  return /^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? "")
    ? read.value
    : problem("not-json");
}

function queryOf(request: Request): unknown {
  return Object.fromEntries(new URL(request.url).searchParams);
}

function readBody(sent: unknown, schema: BodySchema): { body: unknown } | Problem {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return problem("malformed-json");
  const parsed = v.safeParse(schema, sent);
  return parsed.success ? { body: parsed.output } : problem("invalid-fields", { errors: fieldProblems(parsed.issues) });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** A client that disconnects midway through a body isn't a bug. */
function hasLeft(request: Request, error: unknown): boolean {
  return request.signal.aborted || (error instanceof DOMException && error.name === "AbortError");
}

function respond(app: App, request: Request, outcome: Answer | Problem): Response {
  const headers = new Headers({ "Cache-Control": "no-store", ...outcome.headers });
  const isProblem = "code" in outcome;
  const status = isProblem ? allProblems[outcome.code].status : outcome.status;
  const body = isProblem ? describeProblem(outcome, app) : outcome.body;
  if (body === undefined) return new Response(null, { status, headers });
  headers.set("Content-Type", isProblem ? "application/problem+json" : "application/json");
  return new Response(request.method === "HEAD" ? null : JSON.stringify(body), { status, headers });
}
