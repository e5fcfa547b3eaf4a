import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/** Phrases of a former private vocabulary, an example of each, and what to write instead. terms.test.ts checks identifiers and file names. */
type Retired = { pattern: RegExp; example: string; instead: string };

const retired: Retired[] = [
  {
    pattern: /\b(whoever|somebody|nobody|anybody)\b/i,
    example: "Whoever pays",
    instead: "the actor: the user, the caller, an attacker, an operator",
  },
  {
    pattern:
      /\b(the clock's (share|part)|for the sweep|run by an act|keeps? (nobody|no other|none) (else )?waiting|what is true now|by lot|put aside|room by room|stands? in the where|goes by the name|think better of)\b/i,
    example: "One that keeps no other waiting",
    instead: "the cron job, a command, random, a deferred change",
  },
  { pattern: /\beverybody\b/i, example: "Everybody signs in", instead: "the actor: every user, every browser" },
  {
    pattern: /\b(the|an?|its|our|this|each|every|own) (house|rings?|till|desk|door|courier|household|neighbours?)\b/i,
    example: "is refused at the door",
    instead: "codebase, test suite, billing harness, emulator, entry point, dispatcher, third-party service",
  },
  { pattern: /\bdrawn (anew|once|for|as|by)\b/i, example: "drawn once a minute", instead: "rendered" },
  { pattern: /\bgoes on\b/i, example: "the plan goes on", instead: "continues" },
  { pattern: /\b(is|are|was|were|be|been) told\b/i, example: "its owner is told", instead: "emailed, shown, reported" },
  {
    pattern: /\b(stands?|stood) (in|on|at|there|beside|open|above|below|no more|for good)\b/i,
    example: "a page that stood open",
    instead: "is, contains",
  },
  { pattern: /\banew\b/i, example: "counting begins anew", instead: "again" },
  { pattern: /\b(no bugs?|in words|(brings?|takes?) along)\b/i, example: "refused in words", instead: "plain English" },
];

const code = globSync(["{app,bench,scripts,tests,workers}/**/*.{ts,tsx}", "*.ts"])
  .filter((path) => !path.endsWith(".d.ts") && path !== "tests/architecture/documents/plain-english.test.ts")
  .toSorted();
const documents = globSync(["*.md", "docs/**/*.md", "workers/*/*.md"]).toSorted();

/** Comments, and the titles that `test` and `describe` are called with. */
function proseIn(path: string, text: string): string[] {
  const prose = commentsIn(path, text);
  collectTitles(parseSync(path, text).program, prose);
  return prose;
}

function commentsIn(path: string, text: string): string[] {
  const { comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return comments.map(({ value }) => value.replaceAll(/\s+(\* )?/g, " "));
}

function collectTitles(node: unknown, found: string[]): void {
  if (Array.isArray(node)) for (const part of node) collectTitles(part, found);
  else if (typeof node === "object" && node !== null) {
    const { type, callee, arguments: given } = node as Record<string, unknown>;
    if (type === "CallExpression" && Array.isArray(given) && /^(test|describe)/.test(calledName(callee))) {
      const [title] = given as { value?: unknown; quasis?: { value: { cooked: string } }[] }[];
      if (typeof title?.value === "string") found.push(title.value);
      for (const { value } of title?.quasis ?? []) found.push(value.cooked);
    }
    for (const part of Object.values(node)) collectTitles(part, found);
  }
}

/** `test` for `test`, `test.each(rows)` and `test.each<Row>([…])`. */
function calledName(callee: unknown): string {
  if (typeof callee !== "object" || callee === null) return "";
  const { name, object, callee: inner, tag } = callee as Record<string, unknown>;
  return typeof name === "string" ? name : calledName(object ?? inner ?? tag);
}

function retiredIn(path: string, prose: string[]): string[] {
  return prose.flatMap((text) =>
    retired
      .filter(({ pattern }) => pattern.test(text))
      .map(({ instead }) => `${path}: "${text.trim()}" (write: ${instead})`),
  );
}

describe("plain English", () => {
  test("has no retired phrase in comments and test titles", () => {
    expect(code.length).toBeGreaterThan(1200);
    expect(code.flatMap((path) => retiredIn(path, proseIn(path, readFileSync(path, "utf8"))))).toEqual([]);
  });

  test("is checked in comments of every kind, also across lines, and not in strings", () => {
    expect(retiredIn("a.ts", commentsIn("a.ts", "// Whoever pays."))).toHaveLength(1);
    const across = "const a = 1;\n/**\n * One that keeps no other\n * waiting.\n */";
    expect(retiredIn("a.ts", commentsIn("a.ts", across))).toHaveLength(1);
    expect(retiredIn("a.ts", proseIn("a.ts", 'export const text = "Somebody asked.";'))).toEqual([]);
  });

  test("has no retired phrase in documents", () => {
    expect(documents.length).toBeGreaterThan(80);
    const found = documents.flatMap((path) => retiredIn(path, readFileSync(path, "utf8").split("\n")));
    expect(found).toEqual([]);
  });

  test.each(retired)("is checked for $example", ({ example }) => {
    const sources = [`/** ${example}. */`, `describe("${example}", f)`, `test.each<Row>([[1]])("${example}", f)`];
    for (const source of sources) expect(retiredIn("a.ts", proseIn("a.ts", source))).toHaveLength(1);
  });
});
