import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { exportsOf, importsOf as importsIn, sourceFiles } from "./imports.ts";
import { schemaFile } from "./layers.ts";

/** What the linter can't check: what ends up in the browser, in a batch and in the configuration. imports.test.ts checks who imports what. */
const code = sourceFiles();

/** Modules that a file imports by value: types are gone when it is built, and `import()` waits. */
const importsOf = (path: string) => importsIn(path).filter(({ kind }) => kind === "value");

describe("the database", () => {
  /** The build refuses to put a file whose name ends in .server.ts into a browser's bundle. */
  const canReachBrowser = (file: string) => file.startsWith("app/") && !file.endsWith(".server.ts");
  const ofDatabase = (file: string) => file.startsWith("app/db/") || schemaFile.test(file);

  test("is imported only by files that can't be part of a browser's bundle", () => {
    const files = code.filter((path) => canReachBrowser(path) && !ofDatabase(path));
    expect(files.length).toBeGreaterThan(300);
    const reaching = files.filter((path) =>
      importsOf(path).some(
        ({ file, package: name }) =>
          name?.startsWith("drizzle-orm") || (file !== null && ofDatabase(file) && canReachBrowser(file)),
      ),
    );
    expect(reaching).toEqual([]);
  });
});

describe("batch results", () => {
  /** Calls of `.batch(` whose results are used: those that aren't a whole statement or an argument. */
  function positional(path: string, text: string): string[] {
    const found: string[] = [];
    const visit = (node: unknown, isUsed: boolean): void => {
      if (Array.isArray(node)) for (const part of node) visit(part, isUsed);
      else if (typeof node === "object" && node !== null) {
        const { type, callee } = node as { type?: string; callee?: { property?: { name?: string } } };
        if (type === "CallExpression" && callee?.property?.name === "batch" && isUsed) found.push(path);
        const keepsUse = type === "AwaitExpression";
        const isOwn = type === "ExpressionStatement";
        for (const part of Object.values(node))
          visit(part, isOwn ? false : keepsUse ? isUsed : type !== "CallExpression");
      }
    };
    visit(parseSync(path, text).program, false);
    return found;
  }

  test("are read by name: `batchNamed`", () => {
    const texts = code
      .filter((path) => /^(app|workers)\/(?!db\/)/.test(path))
      .map((path) => ({ path, text: readFileSync(path, "utf8") }))
      .filter(({ text }) => text.includes(".batch("));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.flatMap(({ path, text }) => positional(path, text))).toEqual([]);
  });

  test.each([
    "async function a() { const [b, , c] = await db.batch([d, e, f]); }",
    "async function a() { return (await db.batch([b, c]))[1]; }",
    "const reads = app.db.batch([b, c]);",
  ])("are not read by position: %s", (text) => expect(positional("a.ts", text)).toEqual(["a.ts"]));
});

/** Pages of app/routes.ts, as paths of files. */
type RouteEntry = { file: string; children?: RouteEntry[] };
const pages = (entries: RouteEntry[]): string[] =>
  entries.flatMap(({ file, children }) => [`app/${file}`, ...pages(children ?? [])]);

describe("a page with a form", () => {
  /** It shows no form: the root's error boundary answers 404. */
  const formless = (path: string) => path.includes("not-found/");

  test("keeps what was typed when the action fails", () => {
    const formPages = pages(routes)
      .filter((path) => path.endsWith(".tsx") && !formless(path))
      .filter((path) => exportsOf(path).includes("action"));
    expect(formPages.length).toBeGreaterThan(10);
    expect(formPages.filter((path) => !exportsOf(path).includes("clientAction"))).toEqual([]);
  });
});

describe("the configuration", () => {
  const wrangler = readFileSync("wrangler.toml", "utf8");
  const vars = /^\[vars\]\n((?:[^\n[]*\n)*)/m.exec(wrangler)?.[1] ?? "";
  const deployed = [...vars.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name = "", value = ""]) => ({ name, value }));
  const isSecret = (name: string) => /SECRET|KEY|PEPPER|TOKEN/.test(name);

  test("has nothing local and nothing secret in [vars], which are deployed", () => {
    expect(deployed.length).toBeGreaterThan(0);
    const local = deployed.filter(({ value }) => /localhost|127\.0\.0\.1|^local-|\.dev\b/.test(value));
    expect(local).toEqual([]);
    const names = deployed.map(({ name }) => name);
    const wrong = names.filter((name) => isSecret(name) || ["STRIPE_API_BASE", "CLOCK_OFFSET_SECONDS"].includes(name));
    expect(wrong).toEqual([]);
  });

  test("keeps queries out of the platform's logs, since they can contain codes and tokens of emailed links", () => {
    expect(wrangler).toMatch(/^\[observability\]\n(?:[^[\n]*\n)*redact_query_string = true$/m);
    // The platform's own traces stay off: whether the redaction applies to their attributes can't be seen without an
    // account.
    expect(wrangler).not.toMatch(/^\[observability\.traces\]|^traces\b/m);
  });

  test("begins every local secret with local-, so that a deployed Worker refuses it", () => {
    const lines = readFileSync("scripts/site/local.dev.vars", "utf8").matchAll(/^(\w+)="(.*)"$/gm);
    const secrets = [...lines].filter(([, name = ""]) => isSecret(name));
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(([, , value = ""]) => value !== "" && !value.startsWith("local-"))).toEqual([]);
  });

  test("has exact versions of all dependencies", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides });
    expect(all.filter(([, version]) => !/^(npm:@[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});
