import * as v from "valibot";
import type { App } from "#app/context.ts";
import { entitlementSchema } from "#app/domain/devices/entitlement.rules.ts";
import { answerUnlessKnown, describeUnlessKnown, etagOf } from "./answers.ts";
import { type Call, describeCall } from "./call.ts";
import { jsonSchema } from "./json-schema.ts";
import {
  allProblems,
  type AnswerHeader,
  answerHeaders,
  bodyProblems,
  commonProblems,
  headersOf,
  type ProblemCode,
  problems,
  tokenProblems,
} from "./problems.ts";

/** The call that describes all calls, itself among them. */
export function describeItself(calls: readonly Call[]): Call {
  const own: Call = describeCall({
    method: "GET",
    path: "/openapi.json",
    caller: "anybody",
    summary: "This document",
    body: null,
    ...describeUnlessKnown(
      "All calls, as OpenAPI 3.1",
      v.looseObject({ openapi: v.literal("3.1.0") }),
      "The document that is there still stands",
    ),
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
  // The table's own keys.
  const codes = Object.keys(problems) as (keyof typeof problems)[];
  return {
    openapi: "3.1.0",
    info: { title: `${product.name} API`, version: "1" },
    servers: [{ url: `${origin}/api/v1` }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { device: { type: "http", scheme: "bearer", description: "The token of an activated device" } },
      schemas: { problem: problemSchema, entitlement: jsonSchema(entitlementSchema) },
      headers: Object.fromEntries(
        Object.entries(answerHeaders).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
      ),
      responses: Object.fromEntries(codes.map((code) => [code, response(problems[code].title, [code])])),
    },
  };
}

function operation(call: Call) {
  const answers = call.answers.map(({ status, what, body, headers = [] }) => [
    String(status),
    {
      description: what,
      ...describeHeaders(headers),
      ...(body && { content: { "application/json": { schema: jsonSchema(body) } } }),
    },
  ]);
  return {
    operationId: operationId(call),
    summary: call.summary,
    security: call.caller === "device" ? [{ device: [] }] : [],
    ...(call.headers && { parameters: call.headers.map(headerParameter) }),
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
      const shared = response(alike.map((code) => `${code}: ${allProblems[code].title}`).join("; "), alike);
      return [String(status), alike.length === 1 ? { $ref: `#/components/responses/${only}` } : shared];
    }),
  );
}

function response(description: string, codes: ProblemCode[]) {
  const schema = { allOf: [{ $ref: "#/components/schemas/problem" }, { properties: { code: { enum: codes } } }] };
  return { description, ...describeHeaders(headersOf(codes)), content: { "application/problem+json": { schema } } };
}

function describeHeaders(names: readonly AnswerHeader[]) {
  const entries = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return names.length > 0 && { headers: Object.fromEntries(entries) };
}

function headerParameter({ name, what, required }: NonNullable<Call["headers"]>[number]) {
  return { name, in: "header", description: what, required, schema: { type: "string" } };
}

/** `putSettings`: what generated clients call it. */
function operationId({ method, path }: Call): string {
  return method.toLowerCase() + path.replaceAll(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
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
