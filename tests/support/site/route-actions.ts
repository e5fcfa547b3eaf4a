import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
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
      if (callee.type !== "Identifier" || callee.name !== "readForm") return;
      // A schema, or a function that makes one.
      const named = schema?.type === "CallExpression" ? schema.callee : schema;
      found.push(named?.type === "Identifier" ? named.name : "no name");
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

/** Every route with an action, as app/routes.ts writes its file, and the schemas of the forms that its folder reads. */
export function routeActions(): { file: string; schemas: string[] }[] {
  const files = [...new Set(addresses.map(({ file }) => file))];
  return files
    .filter((file) => hasAction(`app/${file}`))
    .map((file) => ({
      file,
      schemas: globSync(`app/${dirname(file)}/*.{ts,tsx}`).flatMap((path) => schemasIn(path)),
    }));
}
