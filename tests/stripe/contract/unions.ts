import type { Schema } from "ts-json-schema-generator";
import type { Definitions } from "./contract-file.ts";

const prefix = "#/definitions/";

/**
 * Rewrites each `anyOf` as a choice by JSON type, and among objects by the field that distinguishes them. A violation
 * is then reported where it is, and not once for each alternative.
 */
export function closeUnions(definitions: Definitions): Definitions {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== "object" || value === null) return value;
    const closed: Schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, close(inner)]));
    return Array.isArray(closed.anyOf) ? choice(closed, definitions) : closed;
  };
  return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, close(schema) as Schema]));
}

function choice(union: Schema, definitions: Definitions): Schema {
  const branches = flatten(union, definitions);
  const byType = new Map<string, Schema[]>();
  for (const branch of branches) {
    const types = typesOf(resolve(branch, definitions));
    // A type that allows any value: nothing to choose by.
    if (types.length === 0) return union;
    for (const type of types) byType.set(type, [...(byType.get(type) ?? []), branch]);
  }
  const rules = [...byType].flatMap(([type, own]) => {
    const then = type === "object" ? choiceOfObjects(own, definitions) : simple(type, own, definitions);
    return then === null ? [] : [{ if: { type }, then }];
  });
  return { type: [...byType.keys()] as Schema["type"], ...(rules.length > 0 && { allOf: rules as Schema[] }) };
}

/** An alternative that is a union itself counts as its alternatives. */
function flatten(schema: Schema, definitions: Definitions): Schema[] {
  const whole = resolve(schema, definitions);
  return Array.isArray(whole.anyOf)
    ? whole.anyOf.flatMap((branch) => (typeof branch === "object" ? flatten(branch, definitions) : []))
    : [schema];
}

function resolve(schema: Schema, definitions: Definitions): Schema {
  const named = schema.$ref === undefined ? schema : definitions[schema.$ref.slice(prefix.length)];
  return named === undefined ? {} : named.$ref === undefined ? named : resolve(named, definitions);
}

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : Array.isArray(type) ? type : [type]);

/** The rules for a text, a number or a list in addition to its type; null: none. */
function simple(type: string, branches: Schema[], definitions: Definitions): Schema | null {
  if (type === "array") return branches.length === 1 ? (branches[0] ?? null) : { anyOf: branches };
  const whole = branches.map((branch) => resolve(branch, definitions));
  if (whole.some(({ enum: values, const: value, pattern }) => !values && value === undefined && !pattern)) return null;
  const values = whole.flatMap(({ enum: listed, const: value }) => listed ?? (value === undefined ? [] : [value]));
  const patterns = whole.flatMap(({ pattern }) => (pattern === undefined ? [] : [{ pattern }]));
  const all = [...(values.length > 0 ? [{ enum: values }] : []), ...patterns];
  return all.length === 1 ? (all[0] ?? null) : { anyOf: all };
}

function choiceOfObjects(branches: Schema[], definitions: Definitions): Schema {
  if (branches.length === 1) return branches[0] ?? {};
  const kinds = new Map<string, Schema[]>();
  for (const branch of branches) {
    const kind = constOf(branch, "object", definitions);
    if (typeof kind !== "string") return { anyOf: branches };
    kinds.set(kind, [...(kinds.get(kind) ?? []), branch]);
  }
  return {
    properties: { object: { enum: [...kinds.keys()] } },
    required: ["object"],
    allOf: [...kinds].map(([kind, own]) => ({
      if: { properties: { object: { const: kind } } },
      then: own.length === 1 ? own[0] : byDeletion(own, definitions),
    })),
  };
}

/** An object and what remains of it when it is deleted. */
function byDeletion(branches: Schema[], definitions: Definitions): Schema {
  const gone = branches.filter((branch) => constOf(branch, "deleted", definitions) === true);
  const there = branches.filter((branch) => !gone.includes(branch));
  if (gone.length !== 1 || there.length !== 1) return { anyOf: branches };
  return { if: { required: ["deleted"] }, then: gone[0], else: there[0] };
}

function constOf(branch: Schema, field: string, definitions: Definitions): unknown {
  const property = resolve(branch, definitions).properties?.[field];
  return typeof property === "object" ? resolve(property, definitions).const : undefined;
}
