import { pagePaths } from "#app/core/page-paths.ts";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { App } from "#app/app.ts";
import { entitlementToken } from "#app/modules/billing/entitlements/entitlement.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { apiCaller } from "./api-caller.ts";
import type { ApiCaller } from "#app/feature-server.ts";
import type { Call } from "./call.ts";
import { describeHeaders, problemResponses, problemSchemas, refusals } from "./problem-schemas.ts";
import { answerHeaders } from "./problems.ts";

/** The OpenAPI document of all calls, generated from their validation schemas. Loaded on demand. */
export function openApi({ origin, product }: Pick<App, "origin" | "product">, calls: readonly Call[]) {
  const caller = calls.length > 0 ? apiCaller : null;
  const paths = new Map<string, object>();
  for (const call of calls)
    paths.set(call.path, { ...paths.get(call.path), [call.method.toLowerCase()]: operation(call) });
  return {
    openapi: "3.1.0",
    info: {
      title: `${product.name} API`,
      version: "1",
      description: caller
        ? `What ${product.name} asks about a customer: ${caller.asks}.`
        : `${product.name} has no call but this description.`,
      contact: { name: `${product.name} support`, email: product.support },
      license: { name: "Terms of service", url: origin + pagePaths.terms },
    },
    tags: tagsOf(calls),
    servers: [{ url: `${origin}/api/v1` }],
    paths: Object.fromEntries(paths),
    components: {
      ...(caller && {
        securitySchemes: { [caller.name]: { type: "http", scheme: "bearer", description: caller.token } },
      }),
      schemas: { ...problemSchemas(), ...(caller && entitlementSchemas(caller, product)) },
      headers: Object.fromEntries(
        Object.entries(answerHeaders).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
      ),
      responses: problemResponses,
    },
  };
}

function entitlementSchemas(caller: ApiCaller, product: ProductConfig) {
  return {
    entitlement: jsonSchema(caller.entitlement(product)),
    entitlementToken: {
      ...jsonSchema(entitlementToken),
      contentMediaType: "application/jwt",
      contentSchema: { $ref: "#/components/schemas/entitlement" },
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
    tags: [tagOf(call)],
    description: call.summary,
    summary: call.summary,
    security: call.caller === apiCaller?.name ? [{ [call.caller]: [] }] : [],
    ...(call.headers && { parameters: call.headers.map(headerParameter) }),
    ...(call.body && {
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(call.body) } } },
    }),
    responses: {
      ...Object.fromEntries(answers),
      ...refusals(call),
      default: { $ref: "#/components/responses/anyProblem" },
    },
  };
}

/**
 * Inputs and outputs as JSON Schema. Checks beyond it (one of our own parsers, for example) are reported in the field's problem. Shared
 * schemas are referenced by name.
 */
export function jsonSchema(schema: v.GenericSchema): Record<string, unknown> {
  const isShared = schema === entitlementToken;
  const {
    $schema: _dialect,
    $defs: _shared,
    ...described
  } = toJsonSchema(schema, {
    typeMode: "input",
    errorMode: "ignore",
    ...(!isShared && { definitions: { entitlementToken } }),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return described;
}

/** The first segment of the path, by which generated clients group calls. */
function tagOf({ path }: Call): string {
  return path.split("/")[1]?.replace(/\.\w+$/, "") ?? "";
}

function tagsOf(calls: readonly Call[]): { name: string; description: string }[] {
  return [...new Set(calls.map(tagOf))].map((name) => ({
    name,
    description: calls.flatMap((call) => (tagOf(call) === name ? call.summary : [])).join(". "),
  }));
}

function headerParameter({ name, what, required }: NonNullable<Call["headers"]>[number]) {
  return { name, in: "header", description: what, required, schema: { type: "string" } };
}

/** `putSettings`: the operation id for generated clients. */
function operationId({ method, path }: Call): string {
  return method.toLowerCase() + path.replaceAll(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
