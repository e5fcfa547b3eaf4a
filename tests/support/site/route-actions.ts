import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { readForm } from "#app/http/forms/read-form.ts";
import { importsOf } from "#tests/architecture/code/imports.ts";
import { addresses } from "./addresses.ts";

export const hasAction = (path: string, text = readFileSync(path, "utf8")): boolean =>
  parseSync(path, text).module.staticExports.some(({ entries }) =>
    entries.some(({ exportName, isType }) => exportName.name === "action" && !isType),
  );

/** The names of the schemas in a file's calls of `readForm`. */
export function schemasIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [, schema] }) {
      if (callee.type !== "Identifier" || callee.name !== readForm.name) return;
      // A schema, or a function that makes one.
      const named = schema?.type === "CallExpression" ? schema.callee : schema;
      found.push(named?.type === "Identifier" ? named.name : "no name");
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

type RouteAction = { pattern: string; file: string; schemas: string[] };
let actions: RouteAction[] | undefined;

/** Every route with an action, and the schemas of the forms that it reads: in its own file, or in one that it loads. */
export function routeActions(): RouteAction[] {
  actions ??= addresses
    .filter(({ file }) => hasAction(`app/${file}`))
    .map(({ pattern, file }) => ({
      pattern,
      file,
      schemas: [...new Set(filesLoadedWith(`app/${file}`).flatMap((path) => schemasOf(path)))],
    }));
  return actions;
}

/** A file of ours, and those that it imports, itself or through others. */
export function filesLoadedWith(entry: string): string[] {
  const found = new Set([entry]);
  for (const path of found) {
    for (const { file } of importsOf(path)) if (file !== null && /^app\/.*\.tsx?$/.test(file)) found.add(file);
  }
  return [...found];
}

const known = new Map<string, string[]>();
function schemasOf(path: string): string[] {
  const schemas = known.get(path) ?? schemasIn(path);
  known.set(path, schemas);
  return schemas;
}
