import type { Call } from "./call.ts";
import {
  allProblems,
  type AnswerHeader,
  bodyProblems,
  commonProblems,
  headersOf,
  type ProblemCode,
  problems,
  tokenProblems,
} from "./problems.ts";

/** Every problem a call can return, by its input and its own rules. */
export function problemsOf(call: Call): ProblemCode[] {
  return [
    ...commonProblems,
    ...(call.body ? bodyProblems : []),
    ...(call.caller !== "anyone" ? tokenProblems : []),
    ...call.problems,
  ];
}

/** The schemas of all problems, to be referenced by name. */
export function problemSchemas() {
  return {
    problem: problemSchema,
    anyProblem: { anyOf: problemCodes.map(sharedProblem) },
    ...Object.fromEntries(problemCodes.map((code) => [`problem-${code}`, problemOf(code)])),
  };
}

// `Object.keys` returns strings; these are the table's own keys.
const problemCodes = Object.keys(problems) as (keyof typeof problems)[];

/** What a call can return besides its listed problems. */
export const problemResponses = {
  anyProblem: refusal("Anything else: decide by its code", { $ref: "#/components/schemas/anyProblem" }),
};

/** Grouped by status, as OpenAPI requires: problems that share one are distinguished by their codes. */
export function refusals(call: Call) {
  const codes = problemsOf(call);
  const statuses = [...new Set(codes.map((code) => allProblems[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const alike = codes.filter((code) => allProblems[code].status === status);
      const description = alike.map((code) => `${code}: ${allProblems[code].title}`).join("; ");
      const schemas = alike.map(sharedProblem);
      const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
      return [String(status), { ...refusal(description, schema), ...describeHeaders(headersOf(alike)) }];
    }),
  );
}

function refusal(description: string, schema: unknown) {
  return { description, content: { "application/problem+json": { schema } } };
}

/** One problem by its code, by which generated clients distinguish it from the others. */
function problemOf(code: keyof typeof problems) {
  const own = { type: "object", required: ["code"], properties: { code: { type: "string", const: code } } };
  return { description: problems[code].title, allOf: [{ $ref: "#/components/schemas/problem" }, own] };
}

function sharedProblem(code: ProblemCode) {
  return { $ref: `#/components/schemas/problem-${code}` };
}

export function describeHeaders(names: readonly AnswerHeader[]) {
  const entries = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return names.length > 0 && { headers: Object.fromEntries(entries) };
}

const problemSchema = {
  type: "object",
  required: ["type", "title", "status", "code", "reference"],
  properties: {
    type: { type: "string", format: "uri" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", description: "Never changes: decide by this" },
    detail: { type: "string" },
    reference: { type: "string", description: "Identifies this answer to support" },
    url: { type: "string", format: "uri", description: "The page where the account's owner can solve it" },
    current: { type: "object", description: "The current values, if they have changed since" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["field", "problem"],
        properties: { field: { type: "string" }, problem: { type: "string" } },
      },
    },
  },
};
