import type * as v from "valibot";
import type { App } from "#app/app.ts";
import type { AnswerHeader, Problem, ProblemCode } from "./problems.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A device shows its token, an operator the operators'; anybody shows none. */
type Caller = "device" | "operator" | "anybody";

/** Who calls: the device whose token it is, or what an operator is called. */
export type CallerFound = { deviceId: string | null; operator: string | null };

export type BodySchema = v.GenericSchema<Record<string, unknown>, unknown> & { entries: Record<string, unknown> };

export type Answer = { status: 200 | 201 | 204 | 304; body?: unknown; headers?: Record<string, string> };

type Asked<Who extends Caller, Body extends BodySchema | null> = {
  request: Request;
  body: Body extends BodySchema ? v.InferOutput<Body> : null;
  /** The token is one of ours; whether its device still stands is for the call's own query. */
  deviceId: Who extends "device" ? string : null;
  operator: Who extends "operator" ? string : null;
};

type Description<Who extends Caller, Body extends BodySchema | null> = {
  method: Method;
  /** Below `/api/v1` or `/api/operator`, without parameters. */
  path: `/${string}`;
  caller: Who;
  /** One line, for the document of all calls. */
  summary: string;
  /** What it takes, in its body; a GET in its query. Its messages are words like `name-missing`. */
  body: Body;
  /** What it answers where all is well. */
  answers: {
    status: Answer["status"];
    what: string;
    body: v.GenericSchema | null;
    headers?: readonly AnswerHeader[];
  }[];
  /** What its own rules can refuse; the rest follows from method, body and caller. */
  problems: ProblemCode[];
  /** Headers that it reads, for the document. */
  headers?: { name: string; what: string; required: boolean }[];
};

type Described<Who extends Caller, Body extends BodySchema | null> = Description<Who, Body> & {
  run: (app: App, asked: Asked<Who, Body>) => Promise<Answer | Problem>;
};

/** A call as the table holds it: whatever its body is, `answerCall` has read it by the call's own schema. */
export type Call = Description<Caller, BodySchema | null> & {
  run: (app: App, asked: CallerFound & { request: Request; body: unknown }) => Promise<Answer | Problem>;
};

export function describeCall<const Who extends Caller, Body extends BodySchema | null>(
  described: Described<Who, Body>,
): Call {
  // `answerCall` is the one caller: it has parsed the body by this schema, and found a device where one is demanded.
  return { ...described, run: (app, asked) => described.run(app, asked as Asked<Who, Body>) };
}
