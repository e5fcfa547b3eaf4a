import { globSync, readFileSync } from "node:fs";
import { type Function as ParsedFunction, parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

type Query = { at: string; name: string; does: "read" | "write" | "unknown" };

const queries = globSync("app/**/*queries.server.ts").flatMap((path) => queriesOf(path, readFileSync(path, "utf8")));
const reading = /^(find|list|count|sum)[A-Z]/;
/** Verbs that say less than `add`, `change`, `remove`, `erase` or the verb of a transition. */
const vague = /^(note|mark|save|put|keep|name|give|make|wipe|blank|forget|store|set|do|handle|process)([A-Z]|$)/;

const commands = globSync("app/**/commands/*.server.ts").flatMap((path) =>
  functionsOf(readFileSync(path, "utf8")).map(({ id }) => ({ at: path, name: id?.name ?? "" })),
);
/** An event is handled: nothing says more, since what follows is decided by what Stripe then says. */
const isVague = (name: string): boolean => vague.test(name) && !name.startsWith("handle");

describe("names of queries", () => {
  test("are checked for most queries", () => {
    expect(queries.length).toBeGreaterThan(300);
    expect(queries.filter(({ does }) => does === "unknown").length).toBeLessThan(queries.length / 5);
  });

  test.each([
    ["select 1", "read"],
    ["update a set b = 1", "write"],
    ["insert into a select 1", "write"],
    ["delete from a", "write"],
  ])("are checked by statement: %s is a %s", (sql, does) => {
    expect(queriesOf("a.ts", `export function listAll(db) { return sql\`${sql}\`; }`)[0]?.does).toBe(does);
  });

  test("start with find, list, count or sum if they read, and with another verb if they write", () => {
    const misnamed = queries.filter(({ name, does }) => does !== "unknown" && reading.test(name) !== (does === "read"));
    expect(misnamed.map(({ at, name, does }) => `${at}: ${name} does a ${does}`)).toEqual([]);
  });

  test("start with a verb that says what changes", () => {
    expect(queries.filter(({ name }) => vague.test(name)).map(({ at, name }) => `${at}: ${name}`)).toEqual([]);
  });
});

describe("names of commands", () => {
  test("start with a verb that says what changes", () => {
    expect(commands.length).toBeGreaterThan(80);
    expect(commands.filter(({ name }) => isVague(name)).map(({ at, name }) => `${at}: ${name}`)).toEqual([]);
  });

  test.each(["saveProfile", "noteVisit", "giveSeatBack"])("%s doesn't", (name) => {
    expect(isVague(name)).toBe(true);
  });
});

/** The exported functions of a file that take the database first. */
function queriesOf(path: string, source: string): Query[] {
  return functionsOf(source)
    .filter(takesDatabase)
    .map(({ id, start, end }) => ({ at: path, name: id?.name ?? "", does: whatItDoes(source.slice(start, end)) }));
}

/** The exported functions of a file. */
function functionsOf(source: string): ParsedFunction[] {
  return parseSync("a.ts", source).program.body.flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" && statement.declaration?.type === "FunctionDeclaration"
      ? [statement.declaration]
      : [],
  );
}

function takesDatabase({ params: [first] }: ParsedFunction): boolean {
  return first?.type === "Identifier" && first.name === "db";
}

function whatItDoes(text: string): Query["does"] {
  if (/\.(insert|update|delete)\(|\b(insert into|update|delete from)\s+[$\w]/.test(text)) return "write";
  return /\.(select|selectDistinct|findFirst|findMany)\(|\bselect\b/.test(text) ? "read" : "unknown";
}
