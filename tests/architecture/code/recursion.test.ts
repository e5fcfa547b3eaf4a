import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { circlesOf } from "./imports.ts";

const files = globSync(["app/**/*.{ts,tsx}", "workers/**/*.ts"])
  .filter((path) => !/\.test\.tsx?$|\/tests\//.test(path))
  .toSorted();

/** Functions that call themselves, and what ends it. */
const bounded: Readonly<Record<string, string>> = {
  "app/core/messages.ts overrideTexts": "As deep as a messages file.",
  "app/core/time/time.ts spellInstants":
    "As deep as the personal data we export, whose types don't contain themselves.",
  "app/integrations/sentry/report-bug.server.ts dropQueryValues": "LINKED_ERRORS_MAX",
  "app/integrations/sentry/report-bug.server.ts inWords": "LINKED_ERRORS_MAX",
  "app/integrations/stripe/load-payment-provider.server.ts onFirstCall":
    "Called by a caller who asks for an own deadline.",
  "app/integrations/stripe/payment-provider.server.ts providerOf": "Called by a caller who asks for an own deadline.",
  "app/modules/email/rules.ts cleaned": "As deep as an email's content, whose types don't contain themselves.",
  "workers/monitoring/envelopes/scrub.rules.ts scrub": "DEPTH_MAX",
  "workers/stripe-emulator/http/expand.ts expandPath": "A level for each part of a path, which Stripe limits to four.",
  "workers/stripe-emulator/http/form-params.ts fingerprintOf": "As deep as `plant` made it.",
  "workers/stripe-emulator/http/form-params.ts plant": "A level for each bracket in a name that Stripe's SDK wrote.",
  "workers/stripe-emulator/pages/html.ts render": "As deep as the emulator's own pages.",
};

type Node = {
  type?: string;
  id?: { name?: string };
  init?: Node;
  callee?: Node;
  arguments?: Node[];
  name?: string;
};

/**
 * The functions of a file that call themselves, directly or through others of the file. A function that is passed on, as to `map`, counts as
 * called.
 */
function selfCallsIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const calls = new Map<string, string[]>();
  const visit = (node: unknown, enclosing: readonly string[], depth: number): void => {
    if (depth > 400) throw new Error(`${path} is nested deeper than any code of ours`);
    if (Array.isArray(node)) return node.forEach((each) => visit(each, enclosing, depth + 1));
    if (typeof node !== "object" || node === null) return;
    const { type, id, init, callee, arguments: given = [] } = node as Node;
    const isFunction =
      type === "FunctionDeclaration" ||
      (type === "VariableDeclarator" && /^(Arrow)?FunctionExpression$/.test(init?.type ?? ""));
    const inside = isFunction && id?.name ? [...enclosing, id.name] : enclosing;
    if (isFunction && id?.name) calls.set(id.name, calls.get(id.name) ?? []);
    if (type === "CallExpression") {
      const names = [callee, ...given].flatMap((each) => (each?.type === "Identifier" && each.name ? [each.name] : []));
      for (const caller of enclosing) calls.get(caller)?.push(...names);
    }
    for (const child of Object.values(node)) visit(child, inside, depth + 1);
  };
  visit(parseSync(path, text).program, [], 0);
  return circlesOf(new Map([...calls].map(([name, called]) => [name, called.filter((each) => calls.has(each))])))
    .map((circle) => circle.join(", "))
    .toSorted();
}

test("a function that calls itself has a bound", () => {
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((path) => selfCallsIn(path).map((name) => `${path} ${name}`));
  expect(found).toEqual(Object.keys(bounded));
});

test.each([
  ["a", "function a() { return a(); }"],
  ["a", "const a = () => [1].map(() => a());"],
  ["a", "const a = (b) => b.map(a);"],
  ["a, b", "function a() { return b(); } function b() { return c(() => a()); }"],
])("one is found: %s in %s", (names, text) => expect(selfCallsIn("a.ts", text)).toEqual([names]));

test("functions that call others aren't", () => {
  expect(selfCallsIn("a.ts", "function a() { return b(); } function b() { return 1; }")).toEqual([]);
});
