import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  circlesOf,
  everyFile,
  packagesLoadedWith,
  type Import,
  importsOf,
  checkImport,
  layerOf,
  sourceFiles,
  waysToApp,
  workerTests,
} from "./imports.ts";
import { layers, modules, rulesPackages, schemaFile } from "./layers.ts";

const files = sourceFiles();
const imports = files.flatMap((path) => importsOf(path));

describe("imports", () => {
  test("are read from every file, and lead to existing files", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(imports.length).toBeGreaterThan(3000);
    expect(imports.filter(({ file }) => file !== null && !existsSync(file))).toEqual([]);
  });

  test("follow the order of layers and modules", () => {
    expect(imports.map((each) => checkImport(each)).filter((why) => why !== null)).toEqual([]);
  });

  test("form no cycle, types, tests and scripts included", () => {
    const all = everyFile();
    expect(all.length).toBeGreaterThan(1500);
    const graph = new Map(
      all.map((path) => [path, importsOf(path).flatMap(({ file }) => (file === null ? [] : [file]))]),
    );
    expect(circlesOf(graph)).toEqual([]);
  });

  test("form no cycle between the folders of billing, tables apart", () => {
    const folderOf = (path: string) => /^app\/modules\/billing\/([^/]+)\//.exec(path)?.[1] ?? "";
    const folders = new Map<string, string[]>();
    for (const { from, file } of imports.filter((each) => !schemaFile.test(each.file ?? ""))) {
      const [own, target] = [folderOf(from), folderOf(file ?? "")];
      if (own !== "" && target !== "" && own !== target) folders.set(own, [...(folders.get(own) ?? []), target]);
    }
    expect(folders.size).toBeGreaterThan(6);
    expect(circlesOf(folders)).toEqual([]);
  });
});

/** Loaded with `import()` on first use, since they would double the time in which the first page is served. */
const onFirstUse = [
  "@simplewebauthn/browser",
  "@simplewebauthn/server",
  "@valibot/to-json-schema",
  "stripe",
  "tldts-icann",
  "uqr",
];

describe("what is loaded when an isolate starts", () => {
  const entries = [
    "workers/app.ts",
    ...files.filter((path) => /^app\/(entry\.server|root|routes\/.*\/route)\.tsx?$/.test(path)),
  ];

  test("leaves out Stripe, passkeys, QR codes, OpenAPI and the list of domains", () => {
    expect(entries.length).toBeGreaterThan(30);
    const loaded = packagesLoadedWith(entries);
    expect(loaded).toContain("valibot");
    expect(loaded.filter((name) => onFirstUse.some((late) => name === late || name.startsWith(`${late}/`)))).toEqual(
      [],
    );
  });

  test("includes what is imported through another file, as a value", () => {
    const texts: Record<string, string> = {
      "app/a.ts": 'import "./b.ts"; import type { C } from "uqr"; const d = await import("stripe");',
      "app/b.ts": 'export { e } from "@simplewebauthn/server";',
    };
    expect(packagesLoadedWith(["app/a.ts"], (path) => importsOf(path, texts[path]))).toEqual([
      "@simplewebauthn/server",
    ]);
  });
});

describe("tests of workers/monitoring and packages/stripe-emulator", () => {
  test("import nothing of app/, directly or through others", () => {
    const tests = workerTests();
    for (const worker of ["workers/monitoring/", "packages/stripe-emulator/"]) {
      expect(tests.filter((path) => path.startsWith(worker)).length).toBeGreaterThan(10);
    }
    expect(tests.flatMap((path) => waysToApp(path))).toEqual([]);
  });

  test("are reported when they do", () => {
    const texts: Record<string, string> = {
      "workers/monitoring/direct.test.ts": 'import type { A } from "#app/core/id.ts";',
      "workers/monitoring/through.test.ts": 'import a from "#tests/support/a.ts"; import b from "#tests/a.json";',
      "tests/support/a.ts": 'import "./b.ts";',
      "tests/support/b.ts": 'import "./a.ts"; const a = await import("#app/app.ts");',
    };
    const waysFrom = (from: string) => waysToApp(from, (path) => importsOf(path, texts[path]));
    expect(waysFrom("workers/monitoring/direct.test.ts")).toEqual([
      "workers/monitoring/direct.test.ts → app/core/id.ts",
    ]);
    expect(waysFrom("workers/monitoring/through.test.ts")).toEqual([
      "workers/monitoring/through.test.ts → tests/support/a.ts → tests/support/b.ts → app/app.ts",
    ]);
  });
});

describe("the list of layers", () => {
  test("has every module once, and a layer for every file", () => {
    expect(readdirSync("app/modules").toSorted()).toEqual([...modules].toSorted());
    expect(files.filter((path) => !layerOf(path))).toEqual([]);
  });

  test("has files in each of its layers, and names only layers that exist", () => {
    const used = new Set(files.map((path) => layerOf(path)?.name));
    // A product may have removed all features.
    const filled = layers
      .map(({ name }) => name)
      .filter((name) => !name.endsWith("features") || name === "lists of features");
    expect(filled.filter((name) => !used.has(name))).toEqual([]);
    const named = layers.flatMap(({ only = [] }) => only);
    expect(named.filter((name) => !layers.some((layer) => layer.name === name))).toEqual([]);
  });
});

const isRefused = (from: string, target: { file: string } | { package: string }) =>
  checkImport({ from, file: null, package: null, ...target }) !== null;
const moduleFile = (name: string) => `app/modules/${name}/queries.server.ts`;

test.each(modules.map((name, at) => [name, modules.slice(at + 1)] as const))(
  "%s imports no module that comes after it, and is imported by each",
  (name, later) => {
    for (const other of later) {
      expect(isRefused(moduleFile(name), { file: moduleFile(other) })).toBe(true);
      expect(isRefused(moduleFile(other), { file: moduleFile(name) })).toBe(false);
    }
  },
);

test("rules import only packages without side effects", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
  const all = [...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }), "cloudflare:workers"];
  const allowed = [...all, "node:crypto"].filter(
    (name) => !isRefused("app/modules/billing/orders/rules.ts", { package: name }),
  );
  expect(allowed.toSorted()).toEqual(["tldts-icann", "valibot"]);
  expect(rulesPackages.toSorted()).toEqual(allowed.toSorted());
});

describe("the search for forbidden imports", () => {
  const inFile = (path: string, line: string): Import[] => importsOf(path, line);
  const refused: [what: string, path: string, line: string][] = [
    [
      "a module with a feature",
      "app/modules/closing/a.server.ts",
      'import { a } from "#app/features/any/queries.server.ts";',
    ],
    [
      "a module with a feature's tables",
      "app/modules/closing/a.server.ts",
      'import { a } from "#app/features/any/schema.ts";',
    ],
    ["rules with a feature", "app/modules/billing/orders/rules.ts", 'import { a } from "#app/features/any/rules.ts";'],
    ["a page with a feature", "app/routes/login/route.tsx", 'import { a } from "#app/features/any/rules.ts";'],
    [
      "a page with a page of a feature",
      "app/routes/login/route.tsx",
      'import { a } from "#app/features/any/page/a.tsx";',
    ],
    ["a form with the list of features", "app/http/forms/read-form.ts", 'import { a } from "#app/features.ts";'],
    [
      "a feature with another",
      "app/features/any/queries.server.ts",
      'import { a } from "#app/features/other/schema.ts";',
    ],
    ["a feature's page with its tables", "app/features/any/page/a.tsx", 'import { a } from "../schema.ts";'],
    [
      "a later module",
      "app/modules/email/emails.server.ts",
      'import { a } from "#app/modules/billing/orders/rules.ts";',
    ],
    ["… by type", "app/modules/email/rules.ts", 'import type { A } from "#app/modules/billing/orders/rules.ts";'],
    ["… in a type", "app/modules/email/rules.ts", 'export type A = import("#app/modules/billing/orders/rules.ts").B;'],
    ["… by import()", "app/modules/email/emails.server.ts", 'const a = await import("../billing/orders/rules.ts");'],
    ["… by export from", "app/modules/email/emails.server.ts", 'export * from "../billing/orders/rules.ts";'],
    ["rules that know a table", "app/modules/billing/orders/rules.ts", 'import { orders } from "./schema.ts";'],
    [
      "rules that know all tables",
      "app/modules/billing/orders/rules.ts",
      'import { orders } from "#app/db/schema.ts";',
    ],
    [
      "queries that know all tables",
      "app/modules/billing/orders/queries.server.ts",
      'import { a } from "#app/db/schema.ts";',
    ],
    [
      "a table of a later module",
      "app/modules/billing/orders/schema.ts",
      'import { a } from "../../operators/schema.ts";',
    ],
    [
      "a schema that knows its queries",
      "app/modules/billing/orders/schema.ts",
      'import { a } from "./queries.server.ts";',
    ],
    [
      "the database with a module's tables",
      "app/db/is-after.server.ts",
      'import { a } from "../modules/orders/schema.ts";',
    ],
    [
      "a request with tables",
      "app/http/request/cookies.ts",
      'import { a } from "#app/modules/billing/orders/schema.ts";',
    ],
    ["a page with tables", "app/routes/login/route.tsx", 'import { a } from "#app/modules/billing/orders/schema.ts";'],
    ["a page with something of the tests", "app/routes/login/route.tsx", 'import { a } from "#tests/support/ids.ts";'],
    ["the list of routes with it", "app/routes.ts", 'import { a } from "../tests/support/ids.ts";'],
    ["the Worker with it", "workers/app.ts", 'import { a } from "#tests/support/ids.ts";'],
    [
      "a workflow with tables",
      "app/workflows/a.server.ts",
      'import { a } from "#app/modules/billing/orders/schema.ts";',
    ],
    [
      "rules that know their queries",
      "app/modules/billing/orders/rules.ts",
      'import { a } from "./queries.server.ts";',
    ],
    ["rules that know a library", "app/modules/billing/orders/rules.ts", 'import Stripe from "stripe";'],
    ["rules that know React", "app/modules/billing/orders/rules.ts", 'import type { ReactNode } from "react";'],
    ["core that knows a module", "app/core/id.ts", 'import { a } from "#app/modules/accounts/codes/rules.ts";'],
    [
      "a component that knows a module",
      "app/ui/components/forms/button.tsx",
      'import { a } from "#app/modules/accounts/codes/rules.ts";',
    ],
    [
      "a component that knows a request",
      "app/ui/components/forms/button.tsx",
      'import { a } from "#app/http/request/cookies.ts";',
    ],
    ["a page that knows the database", "app/routes/login/route.tsx", 'import { a } from "#app/db/schema.ts";'],
    ["a page that asks it", "app/routes/login/route.tsx", 'import { eq } from "drizzle-orm";'],
    [
      "a page that knows Stripe",
      "app/routes/login/route.tsx",
      'import { a } from "#app/integrations/stripe/call-stripe.ts";',
    ],
    ["a page with Stripe's SDK", "app/routes/login/route.tsx", 'import Stripe from "stripe";'],
    ["a call of the API that knows the database", "app/api/call.ts", 'import { a } from "#app/db/schema.ts";'],
    [
      "a module that knows a page",
      "app/modules/billing/orders/queries.server.ts",
      'import { a } from "#app/routes.ts";',
    ],
    [
      "a module that knows a component",
      "app/modules/billing/orders/rules.ts",
      'import { a } from "#app/ui/components/forms/button.tsx";',
    ],
    [
      "a module that knows a company",
      "app/modules/billing/orders/queries.server.ts",
      'import { a } from "#app/integrations/stripe/call-stripe.ts";',
    ],
    ["a module with Stripe's SDK", "app/modules/billing/orders/queries.server.ts", 'import Stripe from "stripe";'],
    ["a module with React", "app/modules/billing/orders/queries.server.ts", 'import { data } from "react-router";'],
    [
      "an integration that knows a module",
      "app/integrations/stripe/call-stripe.ts",
      'import { a } from "#app/modules/billing/orders/rules.ts";',
    ],
    [
      "the browser's code with a module",
      "app/client/keep-form.ts",
      'import { a } from "#app/modules/billing/orders/rules.ts";',
    ],
    ["a form that knows a page", "app/http/forms/read-form.ts", 'import { a } from "#app/routes/login/messages.ts";'],
    ["monitoring that knows the app", "workers/monitoring/rules.ts", 'import { a } from "#app/core/id.ts";'],
    ["the emulator that knows the app", "packages/stripe-emulator/src/ids.ts", 'import { a } from "#app/core/id.ts";'],
    ["the app that knows the emulator", "app/create-app.ts", 'import { a } from "stripe-emulator/facts";'],
    ["the Worker that knows the emulator", "workers/app.ts", 'import { a } from "stripe-emulator/worker";'],
    ["… by its path", "workers/app.ts", 'import { a } from "../packages/stripe-emulator/src/ids.ts";'],
    [
      "rules that know a side file of tables",
      "app/modules/accounts/rules.ts",
      'import { a } from "./addresses.schema.ts";',
    ],
    [
      "a page with a side file of tables",
      "app/routes/login/route.tsx",
      'import { a } from "#app/modules/accounts/addresses.schema.ts";',
    ],
    [
      "texts of a module that know tables",
      "app/modules/billing/orders/messages.ts",
      'import { a } from "../../accounts/schema.ts";',
    ],
    ["code of no layer", "scripts/run.ts", 'import { a } from "#app/core/id.ts";'],
    ["code that knows tests", "app/create-app.ts", 'import { a } from "#tests/support/site/site.ts";'],
  ];

  test.each(refused)("reports %s", (_what, path, line) => {
    const found = inFile(path, line);
    expect(found.length).toBeGreaterThan(0);
    expect(found.map((each) => checkImport(each))).not.toContain(null);
  });

  test("fails for a path that isn't a plain text", () => {
    expect(() => inFile("app/core/id.ts", "const a = await import(`#app/modules/billing/orders/rules.ts`);")).toThrow(
      "import()",
    );
  });

  test("fails for a file that can't be parsed, instead of treating it as one without imports", () => {
    expect(() => inFile("app/core/id.ts", "import {")).toThrow("app/core/id.ts");
  });

  test("resolves a file without the suffix that tells the build how to load it", () => {
    expect(inFile("app/root.tsx", 'import url from "./ui/app.css?url";')).toMatchObject([{ file: "app/ui/app.css" }]);
  });

  test("accepts an allowed import", () => {
    const allowed: [path: string, line: string][] = [
      ["app/modules/billing/orders/rules.ts", 'import * as v from "valibot"; import { a } from "#app/core/id.ts";'],
      [
        "app/modules/billing/orders/queries.server.ts",
        'import { eq } from "drizzle-orm"; import { a } from "./rules.ts";',
      ],
      [
        "app/modules/billing/orders/schema.ts",
        'import { a } from "./rules.ts"; import { b } from "../../accounts/schema.ts";',
      ],
      ["app/modules/accounts/queries.server.ts", 'import { orders } from "#app/modules/billing/orders/schema.ts";'],
      ["app/modules/operators/rules.ts", 'import { a } from "#app/modules/billing/orders/rules.ts";'],
      ["app/routes/login/route.tsx", 'import { a } from "#app/modules/billing/orders/reads/show-plan.server.ts";'],
    ];
    expect(allowed.flatMap(([path, line]) => inFile(path, line).map((each) => checkImport(each)))).toEqual(
      Array.from({ length: 9 }, () => null),
    );
  });

  test("reports a cycle of three files, and not a chain", () => {
    const circle = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a"]],
      ["d", ["a"]],
    ]);
    expect(circlesOf(circle)).toEqual([["a", "b", "c"]]);
    expect(
      circlesOf(
        new Map([
          ["a", ["b"]],
          ["b", ["a"]],
        ]),
      ),
    ).toEqual([["a", "b"]]);
    expect(circlesOf(new Map([["a", ["a"]]]))).toEqual([["a"]]);
    expect(
      circlesOf(
        new Map([
          ["a", ["b", "c"]],
          ["b", ["c"]],
          ["c", []],
        ]),
      ),
    ).toEqual([]);
  });
});
