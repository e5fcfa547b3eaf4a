import { type Finding, type StripeContract, stripeContract, type Violation } from "./contract.ts";
import { readForm } from "./form.ts";
import { isKnown } from "./known-differences.ts";
import type { Call, Delivery, Recording } from "./recording.ts";

/**
 * Which tests sent these requests. Those of the product must always be correct. The emulator's own tests also send
 * wrong ones, which have to be refused: there a request counts only if the emulator accepted it.
 */
export type Senders = "product" | "emulator-tests";

export function checkRecording({ calls, deliveries, events }: Recording, senders: Senders): Finding[] {
  const contract = stripeContract();
  const delivered = new Set(deliveries.map(({ body }) => idOf(parse(body))));
  return [
    ...calls.flatMap((call) => [
      ...(senders === "product" || call.status < 300 ? checkRequest(contract, call) : []),
      ...checkAnswer(contract, call),
    ]),
    ...deliveries.flatMap((delivery) => checkDelivery(contract, delivery)),
    ...events.filter((event) => !delivered.has(idOf(event))).flatMap((event) => checkEvent(contract, event, "event")),
  ].filter((finding) => !isKnown(finding));
}

export function checkRequest(contract: StripeContract, call: Call): Finding[] {
  const endpoint = contract.endpointOf(call.method, call.path);
  const where = `${endpoint?.name ?? `${call.method} ${call.path}`} request`;
  if (endpoint === null)
    return [{ where, path: "/", expected: "an endpoint of the SDK", got: "none with this address" }];
  const params = readForm(call.method === "POST" ? call.body : call.query);
  const misplaced = call.method === "POST" ? call.query : call.body;
  const version = call.requestHeaders["stripe-version"] ?? "nothing";
  const findings: Violation[] = [
    ...(version === contract.apiVersion
      ? []
      : [{ path: "header Stripe-Version", expected: contract.apiVersion, got: version }]),
    ...(misplaced === "" ? [] : [{ path: "/", expected: "parameters in one place", got: "a query and a body" }]),
    ...(endpoint.params === null ? [] : contract.check(endpoint.params, params)),
    ...checkKey(call),
  ];
  return findings.map((finding) => ({ where, ...finding }));
}

function checkKey({ method, requestHeaders }: Call): Violation[] {
  const key = requestHeaders["idempotency-key"];
  if (key === undefined || (method === "POST" && key.length <= 255)) return [];
  return [{ path: "header Idempotency-Key", expected: "at most 255 characters, on a POST", got: `${method} ${key}` }];
}

export function checkAnswer(contract: StripeContract, call: Call): Finding[] {
  const endpoint = contract.endpointOf(call.method, call.path);
  const where = `${endpoint?.name ?? `${call.method} ${call.path}`} answer ${call.status}`;
  // A proxy or load balancer between Stripe and its callers fails in its own format; tests simulate that, too.
  if (call.status >= 500 && !call.headers["content-type"]?.startsWith("application/json")) return [];
  const value = parse(call.answer);
  if (value === undefined) return [{ where, path: "/", expected: "JSON", got: call.answer.slice(0, 80) }];
  if (call.status >= 400) return checkError(contract, value).map((violation) => ({ where, ...violation }));
  if (endpoint === null) return [{ where, path: "/", expected: "404: the SDK has no such endpoint", got: "an answer" }];
  const violations = contract.check(endpoint.answer, value).map((violation) => ({ where, ...violation }));
  return [
    ...violations,
    ...checkHeaders(contract, call, where),
    ...eventsIn(value).flatMap((event) => checkEvent(contract, event, "listed")),
  ];
}

function checkHeaders(contract: StripeContract, { headers }: Call, where: string): Finding[] {
  const version = headers["stripe-version"] ?? "nothing";
  return [
    ...(version === contract.apiVersion
      ? []
      : [{ where, path: "header Stripe-Version", expected: contract.apiVersion, got: version }]),
    ...(headers["request-id"]?.startsWith("req_")
      ? []
      : [{ where, path: "header Request-Id", expected: "req_…", got: headers["request-id"] ?? "nothing" }]),
  ];
}

function checkError(contract: StripeContract, value: unknown): Violation[] {
  const error = fieldOf(value, "error");
  const { type: _, ...rest } = Object(error);
  const code = fieldOf(error, "code");
  const within = (path: string, violations: Violation[]): Violation[] =>
    violations.map((violation) => ({ ...violation, path: violation.path === "/" ? path : path + violation.path }));
  return [
    ...within("/error/type", contract.check("RawErrorType", fieldOf(error, "type"))),
    ...within("/error", contract.check("StripeRawError", rest)),
    ...within("/error/code", code === undefined ? [] : contract.check("ErrorCode", code)),
  ];
}

function checkDelivery(contract: StripeContract, { headers, body }: Delivery): Finding[] {
  const event = parse(body);
  const signature = headers["stripe-signature"] ?? "nothing";
  const where = `${String(fieldOf(event, "type"))} webhook`;
  return [
    ...checkEvent(contract, event, "webhook"),
    ...(/^t=\d+(,v1=[0-9a-f]{64})+$/.test(signature)
      ? []
      : [{ where, path: "header Stripe-Signature", expected: "t=…,v1=…", got: signature }]),
  ];
}

export function checkEvent(contract: StripeContract, event: unknown, origin: string): Finding[] {
  const type = String(fieldOf(event, "type"));
  const where = `${type} ${origin}`;
  const definition = contract.eventOf(type);
  if (definition === null) return [{ where, path: "/type", expected: "one of Stripe's types of events", got: type }];
  const version = fieldOf(event, "api_version");
  return [
    ...contract.check(definition, event).map((violation) => ({ where, ...violation })),
    ...(version === contract.apiVersion
      ? []
      : [{ where, path: "/api_version", expected: contract.apiVersion, got: String(version) }]),
  ];
}

function eventsIn(answer: unknown): unknown[] {
  if (fieldOf(answer, "object") === "event") return [answer];
  const data = fieldOf(answer, "data");
  return Array.isArray(data) ? data.filter((item) => fieldOf(item, "object") === "event") : [];
}

const idOf = (value: unknown): unknown => fieldOf(value, "id");
const fieldOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
