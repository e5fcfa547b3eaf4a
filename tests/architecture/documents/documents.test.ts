import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { API_VERSION, WEBHOOK_EVENTS } from "../../../scripts/stripe/webhook.ts";

/** What documents say of the repository, as far as it can be checked. */
const documents = globSync(["*.md", "docs/**/*.md", "workers/*/*.md"]).toSorted();
const text = new Map(documents.map((name) => [name, readFileSync(name, "utf8")] as const));

test("docs/security.md names tests that exist", () => {
  // The formatter pads the cells of tables.
  const map = (text.get("docs/security.md") ?? "").replaceAll(/ {2,}/g, " ");
  const rows = [...map.matchAll(/^\| [\d., ]*\| [^|]+ \| `([^`|]+)` \| ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(300);
  expect(rows.length).toBe([...map.matchAll(/^\| (?!ASVS |-)/gm)].length);
  const missing = rows
    .map(([, file = "", name = ""]) => ({ file, name: name.trim() }))
    .filter(({ file, name }) => !existsSync(file) || !readFileSync(file, "utf8").includes(`"${name}"`));
  expect(missing).toEqual([]);
});

test("commands that documents mention are in package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const named = [...text].flatMap(([document, body]) =>
    [...body.matchAll(/\bnpm run ([a-z:-]+)/g)].map(([, script = ""]) => ({ document, script })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
});

/** Paths from the root of the repository that a text names in `backticks`: files and folders. */
const pathsIn = (body: string): string[] =>
  [
    ...body.matchAll(/`#?((?:app|workers|scripts|tests|docs|public|bench|drizzle|\.githooks|\.github)\/[\w./*-]*)`/g),
  ].map(([, path = ""]) => path);

/** `npm run test:stripe -- --record` makes it. */
const madeByCommands = ["tests/stripe/recorded"];

const exists = (path: string): boolean =>
  madeByCommands.includes(path) || (path.includes("*") ? globSync(path).length > 0 : existsSync(path));

test("names of the code that guides mention occur in it", () => {
  const code = globSync("{app,workers,scripts,tests,bench}/**/*.{ts,tsx}").map((path) => readFileSync(path, "utf8"));
  const known = new Set(code.flatMap((body) => body.match(/\w+/g) ?? []));
  const named = [...text].flatMap(([document, body]) =>
    document.startsWith("docs/decisions")
      ? []
      : [...body.matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, name = ""]) => ({ document, name })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("files and folders that documents mention exist", () => {
  const named = [...text].flatMap(([document, body]) => pathsIn(body).map((path) => ({ document, path })));
  expect(named.length).toBeGreaterThan(400);
  expect(named.filter(({ path }) => !exists(path))).toEqual([]);
});

test("a missing file or folder is reported", () => {
  const gone =
    "Letters were in `app/domain/mail`, sent by `app/domain/mail/send.ts`, tried in `tests/trials/` and `app/*.words.ts`.";
  expect(pathsIn(gone).filter((path) => !exists(path))).toHaveLength(4);
  expect(pathsIn("Emails are in `app/modules/email`, `app/core/*.ts` and `#app/core/id.ts`.").map(exists)).toEqual([
    true,
    true,
    true,
  ]);
});

test("links between documents lead to existing files", () => {
  const links = [...text].flatMap(([document, body]) =>
    [...body.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => ({ document, target })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ document, target }) => !existsSync(join(dirname(document), target)))).toEqual([]);
});

test("links to a part of a document lead to a heading", () => {
  const links = [...text].flatMap(([document, body]) =>
    [...body.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, target = "", part = ""]) => ({
      document: target === "" ? document : join(dirname(document), target),
      part,
    })),
  );
  expect(links.length).toBeGreaterThan(20);
  const lost = links.filter(({ document, part }) => text.has(document) && !partsOf(text.get(document) ?? "").has(part));
  expect(lost).toEqual([]);
});

/** As GitHub names headings: letters, digits, hyphens and underscores stay, blanks become hyphens. */
function partsOf(body: string): Set<string> {
  const headings = body.replaceAll(/```.*?```/gs, "").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("docs/guides/deploy.md lists the events that the webhook endpoint subscribes to, and its API version", () => {
  const deploy = text.get("docs/guides/deploy.md") ?? "";
  expect(deploy).toContain(`API version \`${API_VERSION}\``);
  expect(WEBHOOK_EVENTS.filter((event) => !deploy.includes(`\`${event}\``))).toEqual([]);
});
