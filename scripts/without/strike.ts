import { posix } from "node:path";
import { type Node, parseSync } from "oxc-parser";

type Range = { start: number; end: number };

/**
 * A file without what it imports of a feature: the import, and in lists the names that it brought. What else the file does with them stays,
 * for the compiler to find.
 */
export function withoutImports(feature: string, path: string, text: string): string {
  const leadsThere = (specifier: string) => fileOf(path, specifier).startsWith(`app/features/${feature}/`);
  const { program, module } = parseSync(path, text);
  const statements = [...module.staticImports, ...module.staticExports].filter((statement) =>
    "moduleRequest" in statement
      ? leadsThere(statement.moduleRequest.value)
      : statement.entries.some(({ moduleRequest }) => moduleRequest !== null && leadsThere(moduleRequest.value)),
  );
  const names = new Set(
    module.staticImports
      .filter(({ moduleRequest }) => leadsThere(moduleRequest.value))
      .flatMap(({ entries }) => entries.map(({ localName }) => localName.value)),
  );
  const items = nodesIn(program).flatMap((node): Node[] => {
    const listed = node.type === "ArrayExpression" ? node.elements : [];
    const spread =
      node.type === "ObjectExpression" ? node.properties.filter(({ type }) => type === "SpreadElement") : [];
    return [...listed, ...spread].flatMap((item) => (item !== null && names.has(nameOf(item)) ? item : []));
  });
  return strike(text, [
    ...statements.map(({ start, end }) => ({ start, end: afterLine(text, end) })),
    ...items.map((item) => withComma(text, item)),
  ]);
}

/** The config's text without some of its settings, each with the comment above it. */
export function withoutSettings(keys: readonly string[], path: string, text: string): string {
  const { program, comments } = parseSync(path, text);
  const properties = nodesIn(program).flatMap((node) => (node.type === "Property" ? node : []));
  const found = properties.flatMap((node) => {
    const key = keyOf(node);
    if (isOfProduct(text, node)) return keys.includes(key) ? node : [];
    const around = properties.find(
      (each) => isOfProduct(text, each) && each.start < node.start && node.end <= each.end,
    );
    return around && keys.includes(`${keyOf(around)}.${key}`) ? node : [];
  });
  return strike(
    text,
    found.map((property) => {
      const comment = comments.find(
        ({ end }) => end <= property.start && text.slice(end, property.start).trim() === "",
      );
      return withComma(text, { start: comment?.start ?? property.start, end: property.end });
    }),
  );
}

/** A document, or a file with comments like `#`, without the blocks that are about a feature, and without the rows and items that lead to its folder. */
export function withoutBlocks(feature: string, text: string): string {
  const block = new RegExp(`^<!-- feature ${feature} -->\\n.*?^<!-- /feature -->\\n\\n?`, "gms");
  const lines = new RegExp(`^ *# feature ${feature}\\n.*?^ *# /feature\\n`, "gms");
  const row = new RegExp(`^[|-] .*app/features/${feature}\\b.*\\n`, "gm");
  return text.replaceAll(block, "").replaceAll(lines, "").replaceAll(row, "");
}

/** The settings that a feature adds to the config: the keys of its `interface ProductConfig`, and with the setting before it of `EmailLimits`. */
export function settingsIn(text: string): string[] {
  const parts = text.matchAll(/^( *)interface (ProductConfig|EmailLimits) \{\n(.*?)^\1\}/gms);
  return [...parts].flatMap(([, indent = "", of = "", body = ""]) =>
    [...body.matchAll(new RegExp(`^${indent} {2}(\\w+)\\??:`, "gm"))].map(([, key = ""]) =>
      of === "EmailLimits" ? `emailLimits.${key}` : key,
    ),
  );
}

const keyOf = (node: Node): string => (node.type === "Property" && node.key.type === "Identifier" ? node.key.name : "");

/** Of the outermost object: two spaces deep, as the formatter writes it. */
function isOfProduct(text: string, { start }: Range): boolean {
  return text.slice(text.lastIndexOf("\n", start) + 1, start) === "  ";
}

function fileOf(from: string, specifier: string): string {
  return specifier.startsWith("#") ? specifier.slice(1) : posix.join(posix.dirname(from), specifier);
}

function nameOf(node: Node): string {
  const spread = node.type === "SpreadElement" ? node.argument : node;
  const named = spread.type === "MemberExpression" ? spread.object : spread;
  return named.type === "Identifier" ? named.name : "";
}

function withComma(text: string, { start, end }: Range): Range {
  const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
  return { start, end: end + comma };
}

function afterLine(text: string, end: number): number {
  return text[end] === "\n" ? end + 1 : end;
}

function strike(text: string, ranges: readonly Range[]): string {
  return ranges
    .toSorted((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(nodesIn);
  return "type" in value && typeof value.type === "string" ? [value as Node, ...below] : below;
}
