import type { Schema } from "ts-json-schema-generator";
import type { Definitions } from "./contract-file.ts";

const prefix = "#/definitions/";

/** Names of definitions, and of what they become in a form-encoded body. */
export const wireName = (name: string): string => `wire:${name}`;

/**
 * Adds the types of parameters as a form-encoded body has them: numbers and booleans are texts, null is the empty
 * one. `names` are the properties of the root definition that are parameters.
 */
export function withWireForms(definitions: Definitions, root: string, names: string[]): Definitions {
  const made: Definitions = {};
  const convert = (schema: Schema): Schema => {
    if (schema.$ref !== undefined) return { $ref: prefix + include(schema.$ref.slice(prefix.length)) };
    if (schema.anyOf !== undefined) return { anyOf: inner(schema.anyOf) };
    if (schema.type === "array") return { type: "array", items: convert(schemaOf(schema.items)) };
    if (schema.type === "object") return objectOf(schema);
    const texts = textsOf(schema);
    return texts.length === 1 ? (texts[0] ?? {}) : { anyOf: texts };
  };
  const inner = (schemas: unknown[]): Schema[] => schemas.map((schema) => convert(schemaOf(schema)));
  const objectOf = (schema: Schema): Schema => ({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, convert(schemaOf(property))]),
      ),
    }),
    ...(typeof schema.additionalProperties === "object" && {
      additionalProperties: convert(schema.additionalProperties),
    }),
  });
  const include = (name: string): string => {
    if (made[wireName(name)] === undefined) {
      // Added before its content, which may refer back to it.
      made[wireName(name)] = {};
      made[wireName(name)] = convert(schemaOf(definitions[name]));
    }
    return wireName(name);
  };
  const contract = schemaOf(definitions[root]);
  const params = names.map((name) => [wireName(name), convert(schemaOf(contract.properties?.[name]))]);
  return { ...definitions, ...made, [root]: { properties: { ...contract.properties, ...Object.fromEntries(params) } } };
}

/** The generator writes objects only: `true` and lists of items are other programs' JSON Schema. */
function schemaOf(value: unknown): Schema {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("Not the schema of a type");
  return value;
}

function textsOf({ type, enum: values, const: value }: Schema): Schema[] {
  const listed = values ?? (value === undefined ? null : [value]);
  if (listed !== null) return [{ type: "string", enum: listed.map((one) => (one === null ? "" : String(one))) }];
  return [type ?? []].flat().map((one) => {
    if (one === "number" || one === "integer") return { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" };
    if (one === "boolean") return { type: "string", enum: ["true", "false"] };
    if (one === "null") return { type: "string", enum: [""] };
    return { type: one };
  });
}
