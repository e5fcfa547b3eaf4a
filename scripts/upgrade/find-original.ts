import { type Expression, type Node, type ObjectProperty, parseSync } from "oxc-parser";

type Values = ReadonlyMap<string, Node>;

/**
 * The original of a text in a messages file, as syntax: formatting and comments don't change it, a constant that it uses does. `path` is
 * the keys below `constant`. A key that the file only takes over with `...` is compared with what is around it. Null if the file lacks it.
 */
export function findOriginal(source: string, constant: string, path: readonly string[]): string | null {
  const values = valuesOf(source);
  const start = values.get(constant);
  if (start === undefined) return null;
  let found = start;
  for (const key of path) {
    const group = resolved(found, values);
    const inner = group.type === "ObjectExpression" ? propertyOf(group.properties, key) : null;
    if (inner === "missing") return null;
    if (inner === null) break;
    found = inner;
  }
  return spell(found, values);
}

/** What a file names at its top level. */
function valuesOf(source: string): Values {
  const { program, errors } = parseSync("messages.ts", source);
  if (errors.length > 0) throw new Error(`A messages file can't be read: ${errors[0]?.message}`);
  const named = program.body.flatMap((statement): [string, Node][] => {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type === "FunctionDeclaration" && declared.id) return [[declared.id.name, declared]];
    if (declared?.type !== "VariableDeclaration") return [];
    return declared.declarations.flatMap(({ id, init }): [string, Node][] =>
      id.type === "Identifier" && init ? [[id.name, init]] : [],
    );
  });
  return new Map(named);
}

/** A group of texts behind a name, a type or brackets. */
function resolved(start: Node, values: Values): Node {
  let node = start;
  for (let step = 0; step < values.size + 8; step++) {
    if (/^(TSSatisfies|TSAs|TSNonNull|Parenthesized)Expression$/.test(node.type) && "expression" in node)
      node = node.expression as Expression;
    else if (node.type === "Identifier") node = values.get(node.name) ?? node;
    else return node;
  }
  return node;
}

/** `missing` if no property has the key; null if it may come with a `...`. */
function propertyOf(properties: readonly (ObjectProperty | Node)[], key: string): Node | "missing" | null {
  const found = properties.findLast(
    (property): property is ObjectProperty =>
      property.type === "Property" &&
      ((property.key.type === "Identifier" && !property.computed && property.key.name === key) ||
        (property.key.type === "Literal" && String(property.key.value) === key)),
  );
  if (found) return found.value;
  return properties.every((property) => property.type === "Property" && !property.computed) ? "missing" : null;
}

/** Leaves out places, quotes and comments, and includes the file's own values that the syntax uses. */
function spell(node: Node, values: Values): string {
  const used = new Set<string>();
  const write = (part: Node) =>
    JSON.stringify(part, (name, value: unknown) => {
      if (["start", "end", "range", "loc", "parent"].includes(name)) return undefined;
      const isQuoted = typeof value === "object" && value !== null && "type" in value && value.type === "Literal";
      if (isQuoted && "value" in value && typeof value.value === "string")
        return { type: "Literal", value: value.value };
      if (name === "name" && typeof value === "string" && values.has(value)) used.add(value);
      return value;
    });
  const written = [write(node)];
  // Grows while it is read, since what a used value uses counts, too.
  for (const name of used) written.push(`${name} ${write(values.get(name) ?? node)}`);
  return [written[0], ...written.slice(1).toSorted()].join("\n");
}
