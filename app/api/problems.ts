import { operatorProblems } from "./operator-problems.ts";

/** Response headers that tell the caller how to proceed. */
export const answerHeaders = {
  ETag: "Identifies this version of the response; send it in If-None-Match or If-Match",
  "Retry-After": "Seconds to wait before trying again",
  Allow: "The methods this path accepts",
  "WWW-Authenticate": "Bearer",
};

export type AnswerHeader = keyof typeof answerHeaders;
type ProblemKind = { status: number; title: string; headers?: readonly AnswerHeader[] };

/**
 * Every problem a call of the product API can return. A code never changes: installed products depend on it. The texts are for readers of
 * the product's log.
 */
export const problems = {
  maintenance: { status: 503, title: "The site is under maintenance", headers: ["Retry-After"] },
  "too-many-requests": {
    status: 429,
    title: "Too many requests of this device, or from this network",
    headers: ["Retry-After"],
  },
  "no-such-call": { status: 404, title: "This path doesn't exist" },
  "method-not-allowed": { status: 405, title: "This path doesn't accept that method", headers: ["Allow"] },
  "body-too-large": { status: 413, title: "The body is too large" },
  "body-too-slow": { status: 408, title: "The body took too long to arrive" },
  "not-json": { status: 415, title: "The body must be application/json" },
  "token-refused": { status: 401, title: "The token isn't valid", headers: ["WWW-Authenticate"] },
  "malformed-json": { status: 400, title: "The body is not a JSON object" },
  "invalid-fields": { status: 422, title: "A field is missing or can't be used" },
  "licence-key-refused": { status: 401, title: "The licence key isn't valid", headers: ["WWW-Authenticate"] },
  "plan-required": { status: 402, title: "The account has no plan" },
  "seats-full": { status: 409, title: "Every seat of the plan is in use" },
  "activations-used-up": { status: 429, title: "Too many activations within a day", headers: ["Retry-After"] },
  "report-from-future": { status: 422, title: "The report is from the future: the device's clock is wrong" },
  "if-match-missing": { status: 428, title: "If-Match must name the version of the settings to change" },
  "changed-elsewhere": {
    status: 412,
    title: 'The settings have been changed since then; "current" has them as they are now',
    headers: ["ETag"],
  },
  broken: { status: 500, title: "Something went wrong on our side" },
} as const satisfies Record<string, ProblemKind>;

export const allProblems = { ...problems, ...operatorProblems };
export type ProblemCode = keyof typeof allProblems;

export function headersOf(codes: readonly ProblemCode[]): AnswerHeader[] {
  const kinds: ProblemKind[] = codes.map((code) => allProblems[code]);
  return [...new Set(kinds.flatMap(({ headers = [] }) => headers))];
}

/** Problems that any call can return. */
export const commonProblems = [
  "maintenance",
  "too-many-requests",
  "method-not-allowed",
  "broken",
] as const satisfies ProblemCode[];

/** Additional problems of a call with a body, or one by a device. */
export const bodyProblems = [
  "body-too-large",
  "body-too-slow",
  "not-json",
  "malformed-json",
  "invalid-fields",
] as const satisfies ProblemCode[];
export const tokenProblems = ["token-refused"] as const satisfies ProblemCode[];

export type Problem = {
  code: ProblemCode;
  /** One sentence about this occurrence, where there is more to say than the title. */
  detail?: string;
  /** The invalid fields of the body, and the problem of each. */
  errors?: { field: string; problem: string }[];
  /** The current value, to be checked before trying again. */
  current?: unknown;
  /** The page where the account's owner can resolve it. */
  url?: string;
  headers?: Record<string, string>;
};

export function problem(code: ProblemCode, facts: Omit<Problem, "code"> = {}): Problem {
  return { code, ...facts };
}

/** RFC 9457. Its `type` links to the OpenAPI document, which describes the problem. */
export function describeProblem(
  { code, detail, errors, current, url }: Problem,
  site: { origin: string; referenceId: string },
) {
  const { status, title } = allProblems[code];
  const type =
    code in problems ? `${site.origin}/api/v1/openapi.json#/components/schemas/problem-${code}` : "about:blank";
  return {
    type,
    title,
    status,
    code,
    ...(detail && { detail }),
    ...(errors && { errors }),
    ...(current !== undefined && { current }),
    ...(url && { url }),
    reference: site.referenceId,
  };
}
