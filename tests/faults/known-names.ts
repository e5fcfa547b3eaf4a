import { readdirSync, readFileSync } from "node:fs";
import { calls } from "#app/api/calls.ts";
import { operatorCalls } from "#app/api/operator-calls.ts";

/**
 * Names in the code: a field, query or cookie that is added later is one more. Our own source, where it says which
 * fields and queries it reads.
 */
const sources = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => readFileSync(`app/${name}`, "utf8"));

function found(pattern: RegExp): string[] {
  return [...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))];
}

/** Every query that a page reads, by the page's own code. */
export const queryNames = found(/searchParams\.(?:get|has|getAll)\("(\w+)"\)/g);

type Schema = {
  entries?: Record<string, unknown>;
  options?: unknown[];
  pipe?: unknown[];
  wrapped?: unknown;
  literal?: unknown;
};

const rules = import.meta.glob<Record<string, unknown>>(
  ["/{app/modules,app/features,workers/monitoring}/**/*rules.ts", "/app/routes/**/form.ts"],
  {
    eager: true,
  },
);

/**
 * Every form and body that rules and pages export: `signUpForm`, `activationBody`. A new one is one more of them.
 */
export const forms = Object.values(rules).flatMap((module) =>
  Object.entries(module).flatMap(([name, schema]) => (/(Form|Body)$/.test(name) && isSchema(schema) ? [schema] : [])),
);

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

/** Fields of a schema, however it is wrapped, and the values that it accepts. */
function partsOf(schema: unknown): { fields: string[]; values: string[] } {
  if (typeof schema !== "object" || schema === null) return { fields: [], values: [] };
  // What valibot's objects are made of.
  const { entries, options, pipe, wrapped, literal } = schema as Schema;
  const below = [...Object.values(entries ?? {}), ...(options ?? []), ...(pipe ?? []), wrapped].map(partsOf);
  const values = [...(options ?? []), literal].filter((word) => typeof word === "string");
  return {
    fields: [...Object.keys(entries ?? {}), ...below.flatMap(({ fields }) => fields)],
    values: [...values, ...below.flatMap((part) => part.values)],
  };
}

const bodies = [...calls, ...operatorCalls].flatMap(({ body }) => (body ? [body] : []));
const parts = [...forms, ...bodies].map(partsOf);
export const fieldNames = [...new Set([...parts.flatMap(({ fields }) => fields), ...found(/\bname="(\w+)"/g)])];
export const knownTexts = [...new Set(parts.flatMap(({ values }) => values))];

export const cookieNames = found(/(__Host-[a-z]+)/g);
