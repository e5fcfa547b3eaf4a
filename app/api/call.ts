import type * as v from "valibot";
import type { App } from "#app/app.ts";
import type { AnswerHeader, Problem, ProblemCode } from "./problems.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The callers that features give tokens to, each with its id; declared in the feature's folder. */
// oxlint-disable-next-line no-empty-interface
export interface FeatureCallers {}
type FeatureCaller = keyof FeatureCallers;

/** A feature's caller sends its token, an operator the operators' token; public calls need none. */
type Caller = FeatureCaller | "operator" | "anyone";

/** The caller: the id that its token has, or the operator's name. */
export type CallerFound = { callerId: string | null; operator: string | null };

export type BodySchema = v.GenericSchema<Record<string, unknown>, unknown> & { entries: Record<string, unknown> };

export type Answer = { status: 200 | 201 | 204 | 304; body?: unknown; headers?: Record<string, string> };

type CallInput<Who extends Caller, Body extends BodySchema | null> = {
  request: Request;
  /** Of the request, for the activity log. Null if it isn't known. */
  country: string | null;
  body: Body extends BodySchema ? v.InferOutput<Body> : null;
  /** The token is one that we issued; whether it is still valid is checked by the call's own query. */
  callerId: Who extends FeatureCaller ? FeatureCallers[Who] : null;
  operator: Who extends "operator" ? string : null;
};

type Description<Who extends Caller, Body extends BodySchema | null> = {
  method: Method;
  /** Path below `/api/v1` or `/api/operator`, without parameters. */
  path: `/${string}`;
  caller: Who;
  /** One line, for the OpenAPI document. */
  summary: string;
  /** Input: the body, or for GET the query. Its messages are codes like `name-missing`. */
  body: Body;
  /** The response on success. */
  answers: {
    status: Answer["status"];
    what: string;
    body: v.GenericSchema | null;
    headers?: readonly AnswerHeader[];
  }[];
  /** Refusals by its own rules; the others follow from method, body and caller. */
  problems: ProblemCode[];
  /** Headers that it reads, for the OpenAPI document. */
  headers?: { name: string; what: string; required: boolean }[];
};

type Described<Who extends Caller, Body extends BodySchema | null> = Description<Who, Body> & {
  run: (app: App, input: CallInput<Who, Body>) => Promise<Answer | Problem>;
};

/** A call as stored in the table, with its body type erased: `answerCall` has parsed the body with the call's own schema. */
export type Call = Description<Caller, BodySchema | null> & {
  run: (
    app: App,
    input: CallerFound & { request: Request; country: string | null; body: unknown },
  ) => Promise<Answer | Problem>;
};

export function describeCall<const Who extends Caller, Body extends BodySchema | null>(
  described: Described<Who, Body>,
): Call {
  // `answerCall` is the only caller: it has parsed the body with this schema, and read the token of a caller where one is required.
  return { ...described, run: (app, input) => described.run(app, input as CallInput<Who, Body>) };
}
