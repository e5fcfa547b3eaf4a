import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("CONTRIBUTING.md", "utf8");

/** Names in a section of the page that are code and begin like a component. */
function namedIn(heading: string): string[] {
  const part = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...part.matchAll(/`([A-Z]\w+)`/g)].map(([, name = ""]) => name);
}

function componentsIn(folder: string): string[] {
  const texts = globSync(`${folder}/**/*.tsx`).map((path) => readFileSync(path, "utf8"));
  return texts.flatMap((text) => [...text.matchAll(/^export function ([A-Z]\w+)\(/gm)].map(([, name = ""]) => name));
}

test("every component is recommended for something, and every recommended one exists", () => {
  const named = namedIn("Components");
  // A field's own parts are inside of its frame.
  const own = componentsIn("app/ui/components").filter((name) => !["FieldHint", "FieldError"].includes(name));
  expect(own.filter((name) => !named.includes(name))).toEqual([]);
  const known = new Set([...own, ...componentsIn("app/http"), ...componentsIn("app/client")]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
