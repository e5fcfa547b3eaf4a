import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const paths = globSync(["{app,bench,scripts,tests,workers}/**/*.{ts,tsx}", "*.ts"])
  .filter((path) => !path.endsWith(".d.ts") && !path.endsWith("/comment-names.test.ts"))
  .toSorted();

/** A file without its comments, and its comments. */
function split(path: string, text = readFileSync(path, "utf8")) {
  const { comments } = parseSync(path, text);
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return { path, code, comments: comments.map(({ value }) => value) };
}

/** Names in backticks that look like ours: `camelCase`, with or without dots and parentheses. */
function namesIn(comment: string): string[] {
  const quoted = [...comment.matchAll(/`([a-z]\w*(?:\.\w+)*)(?:\(\))?`/g)].flatMap(([, name = ""]) => name.split("."));
  return quoted.filter((name) => /^[a-z]+[A-Z]\w*$/.test(name));
}

/** Of libraries. */
const theirs = ["renderToString"];

test("names in comments are of code that exists", () => {
  const files = paths.map((path) => split(path));
  const known = new Set(files.flatMap(({ code }) => code.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const named = files.flatMap(({ path, comments }) => comments.flatMap(namesIn).map((name) => ({ path, name })));
  expect(named.length).toBeGreaterThan(200);
  expect(
    named.filter(({ name }) => !known.has(name) && !theirs.includes(name)).map(({ path, name }) => `${path}: ${name}`),
  ).toEqual([]);
});

test("a name that a comment alone has is found", () => {
  const { code, comments } = split("a.ts", "/** At most once per `grainMs`. */ const intervalMs = 1;");
  expect([code.trim(), comments.flatMap(namesIn)]).toEqual(["const intervalMs = 1;", ["grainMs"]]);
});
