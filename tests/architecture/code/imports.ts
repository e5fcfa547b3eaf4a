import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { features } from "#app/features.ts";
import { type Layer, layers, modules, packages, rulesFile, rulesPackages, schemaFile } from "./layers.ts";

/**
 * What a file imports: another file of ours by its path, or a package by its name. A `value` exists when the file is
 * loaded; a `type` is removed when it is built.
 */
export type Import = { from: string; file: string | null; package: string | null; kind: "value" | "type" | "dynamic" };

/** Our own code, without its tests and what only commands run. */
export function sourceFiles(): string[] {
  return globSync(["app/**/*.{ts,tsx}", "workers/**/*.ts", "packages/*/src/**/*.ts"])
    .filter((path) => !/\.test\.tsx?$|\/tests\/|^app\/features\/[^/]+\/tools\/|\.d\.ts$/.test(path))
    .toSorted();
}

/** All our code, with tests and scripts. */
export function everyFile(): string[] {
  return globSync(["{app,workers,packages/*/{src,tests},tests,scripts,bench}/**/*.{ts,tsx}"])
    .filter((path) => !path.endsWith(".d.ts"))
    .toSorted();
}

/** The packages that are loaded with a file: those it imports as a value, itself or through others. */
export function packagesLoadedWith(
  entries: readonly string[],
  readImports: (path: string) => Import[] = importsOf,
): string[] {
  const [visited, found] = [new Set<string>(), new Set<string>()];
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (visited.has(path) || !/\.tsx?$/.test(path)) continue;
    visited.add(path);
    for (const { file, package: name, kind } of readImports(path)) {
      if (kind !== "value") continue;
      if (name !== null) found.add(name);
      if (file !== null) waiting.push(file);
    }
  }
  return [...found].toSorted();
}

/** The tests of the Workers that know nothing of app/. */
export function workerTests(): string[] {
  const folders = "{workers/monitoring,packages/stripe-emulator}";
  return globSync([`${folders}/**/*.test.ts`, `${folders}/tests/**/*.ts`]).toSorted();
}

/** Each import path from a file to one of app/, direct or indirect. */
export function waysToApp(from: string, readImports: (path: string) => Pick<Import, "file">[] = importsOf): string[] {
  const ways: string[] = [];
  const visited = new Set<string>();
  const follow = (path: string, way: string[]): void => {
    if (path.startsWith("app/")) ways.push([...way, path].join(" → "));
    if (path.startsWith("app/") || visited.has(path) || !/\.tsx?$/.test(path)) return;
    visited.add(path);
    for (const { file } of readImports(path)) if (file !== null) follow(file, [...way, path]);
  };
  follow(from, []);
  return ways;
}

/** Several tests read the same files. */
const read = new Map<string, Import[]>();

export function importsOf(path: string, text?: string): Import[] {
  if (text !== undefined) return importsIn(path, text);
  const imports = read.get(path) ?? importsIn(path, readFileSync(path, "utf8"));
  read.set(path, imports);
  return imports;
}

function importsIn(path: string, text: string): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Found[] = [];
  collect(program, found);
  // Tests and scripts load files by names that they find; in our own code such an import could lead anywhere.
  if (/^(app|workers|packages\/[\w-]+\/src)\//.test(path) && found.some(({ name }) => name === computed))
    throw new Error(`${path}: import() of something else than a text`);
  return found
    .filter(({ name }) => name !== computed && !name.includes("/+types/"))
    .map(({ name, kind }) => ({ from: path, kind, ...targetOf(name, path) }));
}

/** What is searched for words, so that a comment may say any. Everything else stays at its place. */
export function withoutComments(path: string, text: string): string {
  return parseSync(path, text).comments.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replaceAll(/\S/g, " ") + rest.slice(end),
    text,
  );
}

/** In the place of a name that isn't a plain text. */
const computed = "import()";

/** The names that a file exports, types included. */
export function exportsOf(path: string, text = readFileSync(path, "utf8")): string[] {
  return parseSync(path, text).module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName: { name } }) => name ?? []),
  );
}

type Found = { name: string; kind: Import["kind"] };

function targetOf(specifier: string, from: string): Pick<Import, "file" | "package"> {
  const [name = ""] = specifier.split("?");
  if (name.startsWith("#")) return { file: name.slice(1), package: null };
  if (name.startsWith(".")) return { file: posix.join(dirname(from), name), package: null };
  return { file: null, package: name };
}

/** `import`, `export … from`, `import()` and `import("…")` in types, wherever they are. */
function collect(node: unknown, found: Found[]): void {
  if (Array.isArray(node)) {
    for (const part of node) collect(part, found);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type, source, argument, importKind, exportKind } = node as Record<string, unknown>;
  if (typeof type === "string" && /^(Import|Export).*(Declaration|Expression)$|^TSImportType$/.test(type)) {
    const isType = type === "TSImportType" || importKind === "type" || exportKind === "type";
    const kind = isType ? "type" : type === "ImportExpression" ? "dynamic" : "value";
    if (type === "ImportExpression" && (source as { type?: string }).type !== "Literal")
      found.push({ name: computed, kind });
    for (const part of [source, argument]) {
      const value = (part as { value?: unknown } | null | undefined)?.value;
      if (typeof value === "string") found.push({ name: value, kind });
    }
  }
  for (const part of Object.values(node)) collect(part, found);
}

export function layerOf(path: string): Layer | undefined {
  return layers.find(({ files }) => files.test(path));
}

/** Layers that list every feature. */
const listing = new Set(["lists of features", "all tables", "all emails"]);

/** Why an import isn't allowed; null: it is. */
export function checkImport({ from, file, package: name }: Pick<Import, "from" | "file" | "package">): string | null {
  const own = layerOf(from);
  if (!own) return `${from} belongs to no layer`;
  if (name !== null) return checkPackage(from, own, name);
  if (file === null) return null;
  const target = layerOf(file);
  if (!target) return `${from} imports ${file}, which belongs to no layer`;
  const [feature, other] = [featureOf(from), featureOf(file)];
  // Only the lists know every feature, and a feature those that it needs.
  if (other !== undefined && other !== feature && !listing.has(own.name)) {
    const needs = features.find(({ name: each }) => each === feature)?.needs ?? [];
    if (!needs.includes(other)) return `${from} imports ${file}, of a feature`;
  }
  if (rulesFile.test(from) && !rulesFile.test(file) && target.name !== "core")
    return `${from} is rules and imports ${file}`;
  if (schemaFile.test(from) && file.endsWith(".server.ts")) return `${from} is a schema and imports ${file}`;
  if (schemaFile.test(file)) return checkTables(from, own, target);
  if (target === own) return null;
  // The emulator replaces Stripe in local runs: nothing that is deployed imports it.
  if (target.name === "stripe emulator") return `${from} imports the Stripe emulator`;
  const isEarlier = layers.indexOf(target) < layers.indexOf(own);
  const isAllowed = isEarlier && (own.only === undefined || own.only.includes(target.name));
  return isAllowed ? null : `${from} (${own.name}) imports ${file} (${target.name})`;
}

const featureOf = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1];

/** Queries may read any module's tables (tables.test.ts: only its own writes one); a schema refers to tables of earlier modules. */
function checkTables(from: string, own: Layer, target: Layer): string | null {
  if (own === target || own.name === "all tables") return null;
  const isModule = own.name === "features" || modules.some((name) => name === own.name);
  const isAllowed = schemaFile.test(from) ? layers.indexOf(target) < layers.indexOf(own) : from.endsWith(".server.ts");
  return isModule && isAllowed ? null : `${from} (${own.name}) imports tables of ${target.name}`;
}

function checkPackage(from: string, own: Layer, name: string): string | null {
  if (rulesFile.test(from) && !rulesPackages.includes(name)) return `${from} is rules and imports ${name}`;
  const limited = packages.find((each) => each.name.test(name));
  return limited && !limited.layers.includes(own.name) ? `${from} (${own.name}) imports ${name}` : null;
}

/** Files that import each other, directly or through others; each circle once. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const [order, low, open] = [new Map<string, number>(), new Map<string, number>(), new Array<string>()];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    order.set(path, order.size);
    let lowest = order.get(path) ?? 0;
    open.push(path);
    for (const target of graph.get(path) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, order.get(target) ?? 0);
    }
    low.set(path, lowest);
    if (lowest === order.get(path)) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1 || graph.get(path)?.includes(path)) circles.push(circle.toSorted());
    }
    return lowest;
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return circles;
}
