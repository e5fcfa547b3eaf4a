import { expect, test } from "vitest";
import { allForms } from "#tests/support/site/forms.ts";
import { filesLoadedWith, routeActions } from "#tests/support/site/route-actions.ts";

/** The names of a schema's problems: each `message` anywhere in it. */
function problemsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || schema instanceof RegExp) return [];
  return Object.entries(schema).flatMap(([name, part]) =>
    name === "message" && typeof part === "string" ? [part] : problemsIn(part),
  );
}

/** The names of all texts of a page, in its own messages files and in those of what it is made of. */
async function textNamesOf(file: string): Promise<Set<string>> {
  const files = filesLoadedWith(file).filter((path) => /^app\/(?!modules\/email\/).*[./]messages\.ts$/.test(path));
  const modules = await Promise.all(files.map((path) => import(/* @vite-ignore */ `../../../${path}`)));
  return new Set(modules.flatMap((module: object) => namesIn(module)));
}

function namesIn(texts: unknown): string[] {
  if (typeof texts !== "object" || texts === null) return [];
  return Object.entries(texts).flatMap(([name, part]) => [name, ...namesIn(part)]);
}

const forms = await allForms();
const pages = routeActions().flatMap(({ pattern, file, schemas }) => schemas.map((name) => ({ pattern, file, name })));

test("forms are found", () => expect(pages.length).toBeGreaterThan(12));

test.each(pages)("$pattern has a message for each problem of its form ($name)", async ({ file, name }) => {
  const found = problemsIn(forms.get(name));
  expect(found.length).toBeGreaterThan(0);
  const names = await textNamesOf(`app/${file}`);
  expect(found.filter((problem) => !names.has(problem))).toEqual([]);
});
