import { featureTools } from "../../features.ts";

/** The part of a valibot schema that is read here. */
export type Schema = Record<string, unknown> & { entries?: Record<string, Schema>; options?: unknown[] };

export type Field = { name: string; accepts: string; problems: string[] };

/** The forms that a schema describes: one, or one per variant of its `intent`. */
export function variantsOf(schema: Schema): Field[][] {
  if (schema.entries) {
    return [foldNamed(Object.entries(schema.entries).map(([name, node]) => describeField(name, node)))];
  }
  return (schema.options ?? []).flatMap((option) => variantsOf(option as Schema));
}

/** Fields that a product's config names: one row describes what any of them accepts. */
function foldNamed(fields: readonly Field[]): Field[] {
  const named = fields.filter(({ name }) => name.startsWith("{"));
  const folded = featureTools.map(({ docs }) => docs?.namedField).find((field) => field !== undefined);
  if (named.length === 0 || !folded) return [...fields];
  const problems = [...new Set(named.flatMap((field) => field.problems))].toSorted();
  return [{ ...folded, problems }, ...fields.filter((field) => !named.includes(field))];
}

function describeField(name: string, node: Schema): Field {
  const values = [...new Set(wordsOf(node))];
  const longest = requirementOf(node, "max_length");
  const [least, most] = [requirementOf(node, "min_value"), requirementOf(node, "max_value")];
  const accepts = [
    ...(isOptional(node) ? ["optional"] : []),
    values.length > 0 ? values.map((word) => `\`${word}\``).join(", ") : kindOf(node),
    ...(longest === null ? [] : [`up to ${longest.toLocaleString("en-GB")} characters`]),
    ...(least === null ? [] : [`at least ${least.toLocaleString("en-GB")}`]),
    ...(most === null ? [] : [`at most ${most.toLocaleString("en-GB")}`]),
  ].join(", ");
  const description = find(node, (part) => (part["type"] === "description" ? part["description"] : null));
  return { name, accepts: description ? `${accepts}. ${String(description)}` : accepts, problems: problemsOf(node) };
}

/** The value as sent, before it is transformed. */
function kindOf(node: Schema): string {
  const { type, options = [], pipe = [], wrapped } = node;
  const [first] = pipe as Schema[];
  if (first && first !== node) return problemsOf(node).includes("email-malformed") ? "an email address" : kindOf(first);
  if (wrapped) return kindOf(wrapped as Schema);
  if (type === "union") return options.map((option) => kindOf(option as Schema)).join(" or ");
  const kinds: Record<string, string> = { number: "a number", boolean: "true or false", undefined: "absent" };
  return kinds[String(type)] ?? "text";
}

function isOptional(node: Schema): boolean {
  return find(node, (part) => (part["type"] === "optional" ? true : null)) ?? false;
}

/** The enumerated values of a field; none where it accepts others. */
function wordsOf(node: Schema | undefined): string[] {
  if (!node) return [];
  const { type, literal, options = [], wrapped, pipe = [] } = node;
  if (type === "literal") return [String(literal)];
  if (type === "picklist") return options as string[];
  const inner = type === "union" ? options : [wrapped, ...(pipe as unknown[])];
  return inner.flatMap((part) => (part === node ? [] : wordsOf(part as Schema | undefined)));
}

function requirementOf(node: Schema, action: string): number | null {
  return find(node, (part) =>
    part["type"] === action && typeof part["requirement"] === "number" ? part["requirement"] : null,
  );
}

/** Every validation reason anywhere in a schema. */
export function problemsOf(node: unknown): string[] {
  const problems = new Set<string>();
  walk(node, (part) => {
    if (typeof part["message"] === "string") problems.add(part["message"]);
  });
  return [...problems].toSorted();
}

function find<Found>(node: unknown, ask: (part: Record<string, unknown>) => Found | null): Found | null {
  let found: Found | null = null;
  walk(node, (part) => {
    found ??= ask(part);
  });
  return found;
}

function walk(node: unknown, see: (part: Record<string, unknown>) => void, seen = new Set<unknown>()): void {
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  // An object is read as a record of unknown properties.
  if (!Array.isArray(node)) see(node as Record<string, unknown>);
  for (const part of Object.values(node)) walk(part, see, seen);
}
