import type { Schema } from "ts-json-schema-generator";
import type { Definitions } from "./contract-file.ts";

/** Random numbers that are the same in every run. */
export type Chance = { below(limit: number): number; pick<Item>(items: Item[]): Item | undefined };

/** Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] };
}

/** A place in a value, and what the types allow there. */
type Site = {
  path: string[];
  value: unknown;
  types: string[];
  isEnum: boolean;
  /** Of an object: names other than those of its type are refused. */
  isClosed: boolean;
  required: string[];
};

/** Every place of a value with what is allowed there: an implementation independent of ajv's. */
export function sitesOf(definitions: Definitions, definition: Schema, value: unknown): Site[] {
  const sites: Site[] = [];
  const visit = (schema: Schema, inner: unknown, path: string[]): void => {
    const schemas = applicable(definitions, schema, inner);
    sites.push(siteOf(schemas, inner, path));
    for (const whole of schemas) {
      for (const [name, item] of Object.entries(typeof inner === "object" && inner !== null ? inner : {})) {
        const own = Array.isArray(inner) ? whole.items : (whole.properties?.[name] ?? whole.additionalProperties);
        if (typeof own === "object" && !Array.isArray(own) && isWhole(whole)) visit(own, item, [...path, name]);
      }
    }
  };
  visit(definition, value, []);
  return sites;
}

const isWhole = ({ type }: Schema): boolean => type === "object" || type === "array";

function siteOf(schemas: Schema[], value: unknown, path: string[]): Site {
  return {
    path,
    value,
    types: [schemas[0]?.type ?? []].flat(),
    isEnum: schemas.some((schema) => schema.enum !== undefined || schema.const !== undefined),
    isClosed: schemas.some((schema) => schema.type === "object" && schema.additionalProperties === false),
    required: schemas.flatMap((schema) => (schema.type === "object" ? (schema.required ?? []) : [])),
  };
}

/** The schema and what its rules (unions.ts) lead to for this value. */
function applicable(definitions: Definitions, schema: Schema, value: unknown): Schema[] {
  if (schema.$ref !== undefined)
    return applicable(definitions, definitions[schema.$ref.slice("#/definitions/".length)] ?? {}, value);
  const rules = [...(schema.allOf ?? []), ...(schema.if === undefined ? [] : [schema])];
  const led = rules.flatMap((rule) => {
    if (typeof rule !== "object" || typeof rule.if !== "object") return [];
    const branch = holds(rule.if, value) ? rule.then : rule.else;
    return typeof branch === "object" ? applicable(definitions, branch, value) : [];
  });
  return [schema, ...led];
}

function holds({ type, properties, required }: Schema, value: unknown): boolean {
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (type !== undefined && type !== kind) return false;
  if (required?.some((name) => Reflect.get(Object(value), name) === undefined)) return false;
  const wanted = properties?.["object"];
  return typeof wanted !== "object" || wanted.const === Reflect.get(Object(value), "object");
}

/** A wrong value in place of a right one. `undefined` removes it. */
type Fault = { fits(site: Site): boolean; at(site: Site, chance: Chance): { path: string[]; value: unknown } };

const replaced = (value: (site: Site) => unknown) => (site: Site) => ({ path: site.path, value: value(site) });
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

export const faults: Record<string, Fault> = {
  "a required field is missing": {
    fits: ({ required, value }) => required.length > 0 && isObject(value),
    at: ({ path, required }, chance) => ({ path: [...path, chance.pick(required) ?? ""], value: undefined }),
  },
  "a field that isn't known": {
    fits: ({ isClosed, value }) => isClosed && isObject(value),
    at: ({ path }) => ({ path: [...path, "made_up"], value: "1" }),
  },
  "null where there is always a value": {
    fits: ({ types, path }) => path.length > 0 && !types.includes("null"),
    at: replaced(() => null),
  },
  "a number for a text": {
    fits: ({ types, value }) => typeof value === "string" && !types.includes("number"),
    at: replaced(() => 7),
  },
  "a text for a number": {
    fits: ({ types, value }) => typeof value === "number" && !types.includes("string"),
    at: replaced(() => "7"),
  },
  "a text for a boolean": {
    fits: ({ types, value }) => typeof value === "boolean" && !types.includes("string"),
    at: replaced(({ value }) => String(value)),
  },
  "a value that the enum hasn't": {
    fits: ({ isEnum, value }) => isEnum && typeof value === "string",
    at: replaced(() => "made_up"),
  },
  "an object for a text": {
    fits: ({ types, value }) => typeof value === "string" && !types.includes("object"),
    at: replaced(({ value }) => ({ id: value })),
  },
  "a list for an object": {
    fits: ({ types, value }) => isObject(value) && !types.includes("array"),
    at: replaced(({ value }) => [value]),
  },
  "an object for a list": {
    fits: ({ types, value }) => Array.isArray(value) && !types.includes("object"),
    at: replaced(({ value }) => ({ data: value })),
  },
  "an object one level too deep": {
    fits: ({ isClosed, required, value }) => isClosed && required.length > 0 && isObject(value),
    at: replaced(({ value }) => ({ nested: value })),
  },
};

/** The value with the fault in it, and where it is. */
export function withFault(fault: Fault, sites: Site[], value: unknown, chance: Chance) {
  const site = chance.pick(sites.filter((candidate) => fault.fits(candidate)));
  if (site === undefined) return null;
  const { path, value: wrong } = fault.at(site, chance);
  return { pointer: `/${path.join("/")}`, value: put(structuredClone(value), path, wrong) };
}

function put(root: unknown, path: string[], value: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  let holder = root;
  for (const name of path.slice(0, -1)) holder = Reflect.get(Object(holder), name);
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
  return root;
}
