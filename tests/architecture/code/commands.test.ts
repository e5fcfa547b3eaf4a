import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { exportsOf } from "./imports.ts";

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
