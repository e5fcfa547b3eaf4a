import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/** Named after their role, which the folder completes. */
const byRole =
  /(^|\/)(route|layout|routes|root|entry\.(client|server)|page-data|constants)\.tsx?$|messages\.ts$|(schema|rules|queries\.server)\.ts$|(^|[/-])emails?\.server\.ts$|config\.ts$|-shape\.ts$|\.test\.tsx?$/;

const exceptions: Record<string, string> = {
  "app/core/stripe/provider-refusal.ts": "the type is the subject; `isMissing` is a question about it",
};

/** Files whose exports are of one subject that none of them has in its name. */
const subjects: Record<string, string> = {
  "app/api/operator-decisions.ts": "the operator API's calls that decide and invite",
  "app/api/operator-emails.ts": "the operator API's calls about sent emails",
  "app/client/keep-form.ts":
    "what was typed is kept when a form can't be sent; React Router fixes the name `clientAction`",
  "app/integrations/stripe/fields.ts": "how a field of a Stripe object is read",
  "workers/error-responses.ts": "the answers of a Worker that refuses a request, or failed",
  "workers/stripe-emulator/actions/payments/checkout.ts": "what a customer and a bank do with a checkout session",
  "workers/stripe-emulator/http/routing.ts": "how a route of the API is described",
  "workers/stripe-emulator/money/proration.ts": "the arithmetic of prorations",
  "workers/stripe-emulator/objects/subscriptions/subscription-forms.ts": "the forms about a subscription, read",
  "workers/stripe-emulator/pages/control-events.ts": "the cards of the control page about webhooks",
  "workers/stripe-emulator/time/billing-times.ts": "Stripe's own times, as constants",
};

const files = globSync(["app/**/*.{ts,tsx}", "{scripts,workers,tests/support}/**/*.ts"])
  .filter((path) => !byRole.test(path) && !path.endsWith(".d.ts") && !path.includes("node_modules"))
  .toSorted();

/**
 * What exists when the code runs: a module that exports several things, such as a Worker with its default export, is named after their
 * subject.
 */
function valuesExportedBy(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap((node) => {
    if (node.type === "ExportDefaultDeclaration") return ["default"];
    if (node.type !== "ExportNamedDeclaration" || node.exportKind === "type") return [];
    const { declaration, specifiers } = node;
    if (declaration?.type === "FunctionDeclaration" || declaration?.type === "ClassDeclaration")
      return declaration.id ? [declaration.id.name] : [];
    if (declaration?.type === "VariableDeclaration")
      return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    return specifiers.flatMap(({ exported }) => (exported.type === "Identifier" ? [exported.name] : []));
  });
}

/** Of the words in a file's name, those that the name of its only export doesn't contain. */
function wordsMissing(path: string, text: string): string[] {
  const [name, ...others] = valuesExportedBy(path, text);
  if (name === undefined || name === "default" || others.length > 0) return [];
  const folder = path.split("/").at(-2) ?? "";
  return wordsOf(path).filter((word) => word !== folder && !containsWord(name, word));
}

const wordsOf = (path: string): string[] =>
  basename(path)
    .replace(/(\.(server|client))?\.tsx?$/, "")
    .split("-");

const containsWord = (name: string, word: string): boolean => name.toLowerCase().includes(word.replace(/s$/, ""));

/**
 * Of the words in the name of a file with several exports, those that neither an export nor a folder around it contains. A page's parts
 * are named after their place on it, and a Worker after itself.
 */
function wordsUnexplained(path: string, text: string): string[] {
  const values = valuesExportedBy(path, text);
  if (values.length < 2 || values.includes("default") || /^app\/routes\/|\/tests\//.test(path)) return [];
  const names = [...values, ...typesExportedBy(path, text), ...dirname(path).split("/")];
  return wordsOf(path).filter((word) => !names.some((name) => containsWord(name, word)));
}

function typesExportedBy(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap((node) => {
    const { declaration } = node.type === "ExportNamedDeclaration" ? node : {};
    const isType = declaration?.type === "TSTypeAliasDeclaration" || declaration?.type === "TSInterfaceDeclaration";
    return isType ? [declaration.id.name] : [];
  });
}

describe("file names", () => {
  test("match the file's one export", () => {
    expect(files.length).toBeGreaterThan(500);
    const found = files.filter((path) => wordsMissing(path, readFileSync(path, "utf8")).length > 0);
    expect(found).toEqual(Object.keys(exceptions));
  });

  test("match the exports of a file that has several", () => {
    const found = files
      .filter((path) => /^(app|workers)\//.test(path))
      .filter((path) => wordsUnexplained(path, readFileSync(path, "utf8")).length > 0);
    expect(found).toEqual(Object.keys(subjects).toSorted());
  });

  test("that differ from the export in any word are found", () => {
    const code = "export type Charge = string; export function readCharge() {} export const fee = 1;";
    expect(wordsUnexplained("app/db/charges.ts", code)).toEqual([]);
    expect(wordsUnexplained("app/db/db-fees.ts", code)).toEqual([]);
    expect(wordsUnexplained("app/db/money-back.ts", code)).toEqual(["money", "back"]);
    expect(wordsUnexplained("app/db/read-money.ts", code)).toEqual(["money"]);
    expect(wordsUnexplained("app/db/money.ts", "export const one = 1;")).toEqual([]);
  });

  test("that differ from an exported value of any kind are found", () => {
    for (const code of [
      "function isAfter() {}",
      "const isAfter = 1;",
      "class IsAfter {}",
      "async function isAfter() {}",
    ]) {
      expect(wordsMissing("app/db/keyset.server.ts", `export ${code}`)).toEqual(["keyset"]);
      expect(wordsMissing("app/db/is-after.server.ts", `export ${code}`)).toEqual([]);
    }
    expect(wordsMissing("app/db/keyset.server.ts", "export type Key = string; export const a = 1, b = 2;")).toEqual([]);
  });
});
