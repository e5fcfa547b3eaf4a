import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

/** Doc comments of a file by what they precede: `name` of a declaration, `name.member` of a property, column or field of a type. */
export type Comments = ReadonlyMap<string, string>;

type Node = Record<string, unknown> & { type: string; start: number };

/** Our deployed source, without tests. */
export function sourceFiles(): string[] {
  return globSync(["app/**/*.{ts,tsx}", "workers/**/*.ts"])
    .filter((path) => !/\.test\.tsx?$|stripe-emulator|\/tests\/|\.d\.ts$/.test(path))
    .toSorted();
}

export function commentsOf(path: string): Comments {
  const text = readFileSync(path, "utf8");
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
  const before = (start: number) => docs.find(({ end }) => end <= start && text.slice(end, start).trim() === "");
  const found = new Map<string, string>();
  const note = (name: string, { start }: Node) => {
    const comment = before(start);
    if (comment && !found.has(name)) found.set(name, plainText(comment.value));
  };
  visit(program, "", note);
  return found;
}

/** A doc comment without its delimiters: one line per paragraph and per list item. */
function plainText(comment: string): string {
  const lines = comment
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim());
  return lines
    .join("\n")
    .trim()
    .replace(/\n(?!- |\n)/g, " ");
}

type Note = (name: string, node: Node) => void;

function visit(node: unknown, scope: string, note: Note): void {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, scope, note);
    return;
  }
  if (!isNode(node)) return;
  const name = nameOf(node);
  const inner = name === null ? scope : scope === "" ? name : `${scope}.${name}`;
  if (name !== null) note(inner, node);
  if (/^(Export.*|Variable)Declaration$/.test(node.type)) noteDeclaration(node, scope, note);
  for (const part of Object.values(node)) visit(part, inner, note);
}

/** The comment of `export const a = …` precedes `export`, not the name. */
function noteDeclaration(node: Node, scope: string, note: Note): void {
  const declared = isNode(node["declaration"]) ? node["declaration"] : node;
  const names = Array.isArray(declared["declarations"]) ? declared["declarations"] : [declared];
  const name = isNode(names[0]) ? nameOf(names[0]) : null;
  if (name !== null) note(scope === "" ? name : `${scope}.${name}`, node);
}

function nameOf(node: Node): string | null {
  const isNamed = /^(VariableDeclarator|TSTypeAliasDeclaration|FunctionDeclaration)$/.test(node.type);
  const key = isNamed ? node["id"] : /^(Property|TSPropertySignature)$/.test(node.type) ? node["key"] : null;
  if (!isNode(key)) return null;
  const name = key["name"] ?? key["value"];
  return typeof name === "string" ? name : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
