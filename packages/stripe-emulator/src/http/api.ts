import { answerUnderFaults } from "./faults.ts";
import { disorderOf, takeFault } from "./disorder.ts";
import { API_VERSION } from "../events/events.ts";
import { expand } from "./expand.ts";
import { type Branch, fingerprintOf, parseFormParams } from "./form-params.ts";
import { requireFreeKey, type SavedAnswer } from "./idempotency.ts";
import { newId } from "../ids.ts";
import { RATE_LIMITED } from "./rate-limit.ts";
import { matchRoute } from "./routes.ts";
import { errorBody, errorResponse, invalid, StripeRefusal, unknownUrl } from "./stripe-errors.ts";
import type { Account } from "../account.ts";

type ApiAccount = Pick<Account, "transact" | "clock" | "keys" | "rateLimit" | "store">;

interface Call {
  method: string;
  path: string;
  origin: string;
  params: Branch;
  idempotencyKey: string | null;
  requestId: string;
}

/** The API's entry point: authentication, routing, idempotency, and every refusal in Stripe's format. */
export async function answerApi(account: ApiAccount, request: Request): Promise<Response> {
  const requestId = newId("req", 14);
  const headers = { "request-id": requestId, "stripe-version": API_VERSION };
  const idempotencyKey = request.method === "POST" ? request.headers.get("idempotency-key") : null;
  // From its arrival on, so that of two calls at the same time one is refused, as at Stripe.
  const isInUse = idempotencyKey !== null && account.keys.isInUse(idempotencyKey);
  const letGo = idempotencyKey === null || isInUse ? () => undefined : account.keys.hold(idempotencyKey);
  try {
    return await answerCall(account, request, { requestId, idempotencyKey, isInUse }, headers);
  } finally {
    letGo();
  }
}

async function answerCall(
  account: ApiAccount,
  request: Request,
  { isInUse, ...caller }: Pick<Call, "requestId" | "idempotencyKey"> & { isInUse: boolean },
  headers: Record<string, string>,
): Promise<Response> {
  const url = new URL(request.url);
  const call: Call = {
    ...caller,
    method: request.method,
    path: url.pathname.replace(/\/$/, ""),
    origin: url.origin,
    params: parseFormParams(url.search.slice(1), await request.text()),
  };
  const once = (work: () => SavedAnswer): Response => {
    try {
      requireKey(request.headers.get("authorization"));
      requireVersion(request.headers.get("stripe-version"));
      if (caller.idempotencyKey !== null) requireFreeKey(caller.idempotencyKey, isInUse);
      return answerOnce(account, call, headers, work);
    } catch (error) {
      if (error instanceof StripeRefusal) return errorResponse(error, headers);
      throw error;
    }
  };
  const limited = account.rateLimit.take(disorderOf(account.store).rateLimit, Date.now());
  if (limited !== null) return errorResponse(limited, { ...headers, ...RATE_LIMITED });
  return answerUnderFaults(takeFault(account.store), {
    answer: () => once(() => execute(account, call)),
    fail: (refusal) => once(() => answerOf(refusal)),
  });
}

function answerOnce(
  account: ApiAccount,
  call: Call,
  headers: Record<string, string>,
  work: () => SavedAnswer,
): Response {
  const key = call.idempotencyKey;
  if (key === null) return respond(work(), headers);
  const identity = `${call.method} ${call.path} ${fingerprintOf(call.params)}`;
  const now = account.clock.now();
  const saved = account.keys.replay(key, identity, now);
  if (saved !== null) return respond(saved, { ...headers, "idempotency-key": key, "idempotent-replayed": "true" });
  const answer = work();
  account.keys.save(key, identity, answer, now);
  return respond(answer, { ...headers, "idempotency-key": key });
}

/**
 * A refusal before the work began is thrown and doesn't use the idempotency key, as at Stripe. After that every response is
 * saved, refusals included.
 */
function execute(account: ApiAccount, call: Call): SavedAnswer {
  const route = matchRoute(call.method, call.path);
  if (route === null) throw unknownUrl(call.method, call.path);
  const { paths, params } = takeExpand(call.params);
  const run = route.prepare(params);
  try {
    const { result } = account.transact(
      { origin: call.origin, requestId: call.requestId, idempotencyKey: call.idempotencyKey },
      (tx) => expand(tx, run(tx, route.ids), paths),
    );
    return { status: 200, body: JSON.stringify(result) };
  } catch (error) {
    if (!(error instanceof StripeRefusal) || error.body.code?.startsWith("parameter_")) throw error;
    return answerOf(error);
  }
}

const answerOf = (refusal: StripeRefusal): SavedAnswer => ({
  status: refusal.status,
  body: JSON.stringify(errorBody(refusal)),
});

const respond = ({ status, body }: SavedAnswer, headers: Record<string, string>): Response =>
  new Response(body, { status, headers: { ...headers, "content-type": "application/json" } });

function takeExpand(all: Branch): { paths: string[]; params: Branch } {
  const params = new Map(all);
  const expand = params.get("expand");
  params.delete("expand");
  if (expand === undefined) return { paths: [], params };
  if (!(expand instanceof Map)) throw invalid("Invalid array", { param: "expand" });
  return { paths: [...expand.values()].filter((path) => typeof path === "string"), params };
}

/** Stripe has every version that it ever published; this emulator has one, and nothing to answer in another. */
function requireVersion(version: string | null): void {
  if (version === null || version === API_VERSION) return;
  throw invalid(`Invalid Stripe API version: ${version}. This emulator answers in ${API_VERSION} alone.`);
}

function requireKey(authorization: string | null): void {
  const [, key] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? [];
  if (key === undefined) {
    throw new StripeRefusal(401, {
      type: "invalid_request_error",
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.",
    });
  }
  if (!key.startsWith("local-"))
    throw new StripeRefusal(401, {
      type: "invalid_request_error",
      message: `Invalid API Key provided: ${key.slice(0, 3)}***`,
    });
}
