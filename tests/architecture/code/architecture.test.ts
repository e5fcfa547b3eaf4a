import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { exportsOf, importsOf as importsIn } from "./imports.ts";
import { schemaFile } from "./layers.ts";

/**
 * What the linter can't check of the codebase: names, places, and what ends up in the bundle. imports.test.ts checks
 * who imports what.
 */
const folders = ["app", "workers", "scripts", "tests", "drizzle", "public", "docs", "bench"];
const files = folders.filter((folder) => existsSync(folder)).flatMap(filesIn);
const code = files.filter((path) => /\.(ts|tsx|mjs|mts)$/.test(path));
const texts = new Map(code.map((path) => [path, readFileSync(path, "utf8")] as const));

/** Without the bundles that a running wrangler keeps beside a configuration. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".wrangler"))
    .map((entry) => posix.join(entry.parentPath, entry.name));
}

/** Modules that a file imports by value: types are gone when it is built, and `import()` waits. */
const importsOf = (path: string) => importsIn(path).filter(({ kind }) => kind === "value");

describe("files and folders", () => {
  test("contain one place that formats times of the day, which keeps the locale's own words out of our sentences", () => {
    const writers = code.filter(
      (path) => /^app\/.*(?<!\.test)\.tsx?$/.test(path) && texts.get(path)?.includes("timeStyle"),
    );
    expect(writers).toEqual(["app/core/time/time.ts"]);
  });

  test("include no catch-all folder such as utils or helpers", () => {
    const catchAlls = /\/(utils?|lib|libs|helpers?|misc|common|shared|services?)\//;
    expect(files.filter((path) => catchAlls.test(path))).toEqual([]);
  });

  test("include no file named And, Manager, Service, Handler or Info", () => {
    const vague = /(^|[-._])(and|manager|service|handler|info)([-._]|$)/i;
    expect(code.filter((path) => vague.test(basename(path)))).toEqual([]);
  });

  test("include no file that only re-exports others", () => {
    expect(code.filter((path) => /^index\.(ts|tsx|mjs)$/.test(basename(path)))).toEqual([]);
  });

  test("are TypeScript", () => {
    const others = files.filter((path) => /\.([cm]?js|[cm]ts)$/.test(path) && !path.startsWith("public/"));
    expect(others).toEqual([]);
  });

  test("are named in kebab-case, but for routes of the frameworks that a bench compares", () => {
    const plain = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
    const named = code.filter((path) => !/^bench\/frameworks\/[\w-]+\/src\/routes\//.test(path));
    expect(named.filter((path) => !plain.test(basename(path)))).toEqual([]);
  });

  test("belong in each module to rules, a schema, queries, commands, reads, emails or messages; a module with tables has rules", () => {
    const strange = code.filter((path) => {
      const [, module, ...rest] = /^app\/modules\/([a-z-]+)\/(.+)$/.exec(path) ?? [];
      if (module === undefined) return false;
      return !/^(([a-z-]+\.)?(rules|schema)\.ts|([a-z-]+\.)?queries\.server\.ts|(commands|reads)\/[a-z]+(-[a-z]+)+\.server\.ts|([a-z]+-)?emails?\.server\.ts|(render-email|render-receipt|receipt-text)\.ts|(messages\/)?[a-z-]+\.messages\.ts)$/.test(
        (rest[0] ?? "").replace(".test.ts", ".ts"),
      );
    });
    expect(strange).toEqual([]);
    // A module that only combines others has commands and reads, and no rules.
    const modules = readdirSync("app/modules").map((name) => readdirSync(`app/modules/${name}`).join(" "));
    expect(modules.filter((files) => !/\brules\.ts\b/.test(files))).toEqual(["commands reads"]);
  });
});

describe("rules", () => {
  const files = code.filter((path) => /^app\/modules\/[^/]+\/([a-z-]+\.)?rules\.ts$/.test(path));

  test("begin with a comment that says what they decide", () => {
    expect(files.length).toBeGreaterThan(60);
    expect(files.filter((path) => !texts.get(path)?.startsWith("/**"))).toEqual([]);
  });
});

describe("the database", () => {
  /** The only file without .server in its name that opens it; what it imports from app/db ends in .server.ts. */
  const opens = "app/create-app.ts";

  test("is imported only by files that can't be part of a browser's bundle", () => {
    const reaching = code.filter((path) => {
      if (!path.startsWith("app/") || path.startsWith("app/db/") || path === opens || schemaFile.test(path))
        return false;
      return importsOf(path).some(
        ({ file, package: name }) =>
          name?.startsWith("drizzle-orm") || file?.startsWith("app/db/") || schemaFile.test(file ?? ""),
      );
    });
    expect(reaching.length).toBeGreaterThan(5);
    expect(reaching.filter((path) => !path.endsWith(".server.ts"))).toEqual([]);
    const opened = importsOf(opens).flatMap(({ file }) => (file?.startsWith("app/db/") ? [file] : []));
    expect(opened.filter((file) => !file.endsWith(".server.ts"))).toEqual([]);
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
    const readers = code.filter(
      (path) => /^(app|workers)\/(?!db\/)/.test(path) && texts.get(path)?.includes(".batch("),
    );
    expect(readers.length).toBeGreaterThan(10);
    expect(readers.flatMap((path) => positional(path, texts.get(path) ?? ""))).toEqual([]);
  });

  test.each([
    "async function a() { const [b, , c] = await db.batch([d, e, f]); }",
    "async function a() { return (await db.batch([b, c]))[1]; }",
    "const reads = app.db.batch([b, c]);",
  ])("are not read by position: %s", (text) => expect(positional("a.ts", text)).toEqual(["a.ts"]));
});

describe("a module that is loaded on first use, since the first page of an isolate doesn't need it", () => {
  const inApp = code.filter((path) => path.startsWith("app/") && !path.endsWith(".test.ts"));
  const loading = (name: string) => inApp.filter((path) => texts.get(path)?.includes(`import("${name}`));

  test.each([
    ["@simplewebauthn/browser", ["app/client/ask-for-passkey.ts"]],
    [
      "@simplewebauthn/server",
      [
        "app/modules/passkeys/commands/add-passkey.server.ts",
        "app/modules/passkeys/commands/check-assertion.server.ts",
        "app/modules/passkeys/reads/offer-passkey.server.ts",
      ],
    ],
    ["tldts-icann", ["app/modules/accounts/customer-hashes.rules.ts"]],
    ["uqr", ["app/ui/components/data/encode-qr-code.server.ts"]],
  ])("%s is only loaded on first use", (name, files) => {
    expect(loading(name).toSorted()).toEqual(files);
    expect(inApp.filter((path) => importsOf(path).some(({ package: own }) => own?.startsWith(name)))).toEqual([]);
  });

  test.each([
    ["app/integrations/stripe/payment-provider.server.ts", "app/integrations/stripe/load-payment-provider.server.ts"],
    ["app/api/open-api.ts", "app/api/open-api-call.ts"],
  ])("%s is imported by its loader only", (file, loader) => {
    expect(loading(`./${basename(file)}`)).toEqual([loader]);
    expect(inApp.filter((path) => importsOf(path).some((own) => own.file === file))).toEqual([]);
  });
});

describe("texts", () => {
  type RouteEntry = { file: string; children?: RouteEntry[] };
  const pages = (entries: RouteEntry[]): string[] =>
    entries.flatMap(({ file, children }) => [`app/${file}`, ...pages(children ?? [])]);

  /** It shows nothing itself: the root's error boundary answers 404. */
  const silent = [
    "app/routes/page-error-boundary.tsx",
    "app/routes/settings/settings-error-boundary.tsx",
    "app/routes/not-found/route.tsx",
  ];

  test("of every page are in a messages file beside it", () => {
    const shown = pages(routes).filter((path) => path.endsWith(".tsx") && !silent.includes(path));
    expect(shown.length).toBeGreaterThan(10);
    // A team writes those of the landing page and the legal pages itself.
    const folders = (path: string) => [dirname(path), dirname(path).replace("app/routes/", "app/product/")];
    const pathless = shown.filter((path) => !folders(path).some((folder) => existsSync(`${folder}/messages.ts`)));
    expect(pathless).toEqual([]);
  });

  test("typed into any form are kept when the action fails", () => {
    const formPages = pages(routes)
      .filter((path) => path.endsWith(".tsx") && !silent.includes(path))
      .filter((path) => exportsOf(path).includes("action"));
    expect(formPages.length).toBeGreaterThan(5);
    const keeping = ["app/client/keep-form.ts", "app/client/captcha-action.ts"];
    expect(
      formPages.filter((path) => !importsOf(path).some(({ file }) => keeping.some((path) => path === file))),
    ).toEqual([]);
  });

  test("are never written between the tags of a page or component", () => {
    const speaking = code
      .filter((path) => path.endsWith(".tsx") && path.startsWith("app/"))
      .filter((path) => />\s*[A-Z][a-z]+(?: [a-z]+)+[.!?]?\s*<\//.test(texts.get(path) ?? ""));
    expect(speaking).toEqual([]);
  });

  test("are in every messages file for each language", () => {
    const modules = code.filter((path) => /(^|[./])messages\.ts$/.test(path) && path !== "app/core/messages.ts");
    const untyped = modules.filter(
      (path) => !/: Messages<|: MessageOverrides|const languages = \{|EmailsOf/.test(texts.get(path) ?? ""),
    );
    expect(untyped).toEqual([]);
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

describe("the Worker", () => {
  test("imports nothing of the Stripe emulator", () => {
    const importing = code
      .filter((path) => /^(app|workers)\//.test(path) && !path.startsWith("workers/stripe-emulator/"))
      .filter((path) => importsOf(path).some(({ file }) => file?.includes("stripe-emulator")));
    expect(importing).toEqual([]);
  });
});

describe("folders", () => {
  /** May be longer than others: one file a decision, a migration or a subject of the codebase. */
  const long = ["docs/decisions", "drizzle", "drizzle/meta"];
  const filesMax = 25;

  test(`contain at most ${filesMax} files and their tests`, () => {
    // The test beside a file isn't another file to choose from.
    const filesOf = (folder: string): string[] =>
      files.filter((path) => dirname(path) === folder && !path.endsWith(".test.ts"));
    const full = [...new Set(files.map((path) => dirname(path)))].filter((name) => filesOf(name).length > filesMax);
    expect(full.filter((folder) => !long.includes(folder))).toEqual([]);
    expect(full.length).toBeGreaterThan(0);
  });
});
