import * as v from "valibot";
import type { App } from "#app/context.ts";
import { answerUnlessKnown, etagOf } from "./answers.ts";
import { type Call, describeCall } from "./call.ts";
import { jsonSchema } from "./json-schema.ts";
import { allProblems, bodyProblems, commonProblems, type ProblemCode, problems, tokenProblems } from "./problems.ts";

/** The call that describes all calls, itself among them. */
export function describeItself(calls: readonly Call[]): Call {
  const own: Call = describeCall({
    method: "GET",
    path: "/openapi.json",
    caller: "anybody",
    summary: "This document",
    body: null,
    answers: [{ status: 200, what: "All calls, as OpenAPI 3.1", body: v.looseObject({ openapi: v.literal("3.1.0") }) }],
    problems: [],
    async run(app, { request }) {
      const document = openApi(app, [...calls, own]);
      // For everybody the same: caches may keep it for a while.
      const headers = { "Cache-Control": "public, max-age=300" };
      return answerUnlessKnown(request, await etagOf(document), async () => document, headers);
    },
  });
  return own;
}

/** Everything that a call can be refused for, by what it takes and by its own rules. */
export function problemsOf(call: Call): ProblemCode[] {
  return [
    ...commonProblems,
    ...(call.body ? bodyProblems : []),
    ...(call.caller !== "anybody" ? tokenProblems : []),
    ...call.problems,
  ];
}

export function openApi({ origin, product }: Pick<App, "origin" | "product">, calls: readonly Call[]) {
  const paths = new Map<string, object>();
  for (const call of calls)
    paths.set(call.path, { ...paths.get(call.path), [call.method.toLowerCase()]: operation(call) });
  return {
    openapi: "3.1.0",
    info: { title: `${product.name} API`, version: "1" },
    servers: [{ url: `${origin}/api/v1` }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { device: { type: "http", scheme: "bearer", description: "The token of an activated device" } },
      schemas: { problem: problemSchema },
      responses: Object.fromEntries(Object.entries(problems).map(([code, { title }]) => [code, response(title, code)])),
    },
  };
}

function operation(call: Call) {
  const answers = call.answers.map(({ status, what, body }) => [
    String(status),
    { description: what, ...(body && { content: { "application/json": { schema: jsonSchema(body) } } }) },
  ]);
  return {
    summary: call.summary,
    security: call.caller === "device" ? [{ device: [] }] : [],
    ...(call.headers && { parameters: Object.entries(call.headers).map(headerParameter) }),
    ...(call.body && {
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(call.body) } } },
    }),
    responses: { ...Object.fromEntries(answers), ...refusals(call) },
  };
}

/** By status, as the format wants them: where several problems share one, their codes tell them apart. */
function refusals(call: Call) {
  const codes = problemsOf(call);
  const statuses = [...new Set(codes.map((code) => allProblems[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const alike = codes.filter((code) => allProblems[code].status === status);
      const [only] = alike;
      const shared = response(alike.map((code) => `${code}: ${allProblems[code].title}`).join("; "), ...alike);
      return [String(status), alike.length === 1 ? { $ref: `#/components/responses/${only}` } : shared];
    }),
  );
}

function response(description: string, ...codes: string[]) {
  const schema = { allOf: [{ $ref: "#/components/schemas/problem" }, { properties: { code: { enum: codes } } }] };
  return { description, content: { "application/problem+json": { schema } } };
}

function headerParameter([name, description]: [string, string]) {
  return { name, in: "header", description, schema: { type: "string" } };
}

const problemSchema = {
  type: "object",
  required: ["type", "title", "status", "code", "reference"],
  properties: {
    type: { type: "string", format: "uri" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", description: "Stays what it is: decide by this" },
    detail: { type: "string" },
    reference: { type: "string", description: "Names this answer to support" },
    current: { type: "object", description: "What stands instead, where a change came too late" },
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
