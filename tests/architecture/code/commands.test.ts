import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

/** Names of the functions and constants that a file exports. */
function exportsOf(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap((node) => {
    if (node.type !== "ExportNamedDeclaration") return [];
    const { declaration } = node;
    if (declaration?.type === "FunctionDeclaration") return declaration.id?.name ?? [];
    if (declaration?.type !== "VariableDeclaration") return [];
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? id.name : []));
  });
}

/** `app/modules/orders/commands/open-order.server.ts` exports `openOrder`. */
function isNamedAfterExport(path: string, text: string): boolean {
  const name = basename(path, ".server.ts").replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return exportsOf(path, text).includes(name);
}

test("every command and read exports a function named after its file", () => {
  const paths = globSync("app/modules/*/{commands,reads}/*.server.ts");
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !isNamedAfterExport(path, readFileSync(path, "utf8")))).toEqual([]);
});

test("a command with a different name is found", () => {
  const path = "app/modules/orders/commands/open-order.server.ts";
  expect(isNamedAfterExport(path, "export async function openOrder() {}")).toBe(true);
  expect(isNamedAfterExport(path, "export async function openOneOrder() {}\nfunction openOrder() {}")).toBe(false);
});
