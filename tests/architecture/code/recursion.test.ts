import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const files = globSync(["app/**/*.{ts,tsx}", "workers/**/*.ts"])
  .filter((path) => !/\.test\.tsx?$|\/tests\//.test(path))
  .toSorted();

/** Functions that call themselves, and what ends it. */
const bounded: Readonly<Record<string, string>> = {
  "app/core/messages.ts overrideTexts": "As deep as a messages file.",
  "app/core/time/time.ts spellInstants":
    "As deep as the personal data we export, whose types don't contain themselves.",
  "app/db/guard-writes.server.ts wrap": "Called when a statement is bound, for the next statement.",
  "app/db/watch-trips.server.ts watchStatement": "Called when a statement is bound, for the next statement.",
  "app/integrations/sentry/error-reporting.server.ts dropQueryValues": "LINKED_ERRORS_MAX",
  "app/integrations/sentry/error-reporting.server.ts inWords": "LINKED_ERRORS_MAX",
  "app/integrations/stripe/load-payment-provider.server.ts onFirstCall":
    "Called by a caller who asks for an own deadline.",
  "app/integrations/stripe/payment-provider.server.ts providerOf": "Called by a caller who asks for an own deadline.",
  "app/modules/email/rules.ts cleaned": "As deep as an email's content, whose types don't contain themselves.",
  "workers/monitoring/envelopes/scrub.rules.ts scrub": "DEPTH_MAX",
  "workers/stripe-emulator/http/expand.ts expandPath": "A level for each part of a path, which Stripe limits to four.",
  "workers/stripe-emulator/http/form-params.ts plant": "A level for each bracket in a name that Stripe's SDK wrote.",
  "workers/stripe-emulator/http/form-params.ts fingerprintOf": "As deep as `plant` made it.",
};

type Node = { type?: string; id?: { name?: string }; init?: Node; callee?: { name?: string } };

/** The names of functions whose own body calls them. */
function selfCallsIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const found: string[] = [];
  const visit = (node: unknown, enclosing: readonly string[], depth: number): void => {
    if (depth > 400) throw new Error(`${path} is nested deeper than any code of ours`);
    if (Array.isArray(node)) return node.forEach((each) => visit(each, enclosing, depth + 1));
    if (typeof node !== "object" || node === null) return;
    const { type, id, init, callee } = node as Node;
    if (type === "CallExpression" && callee?.name && enclosing.includes(callee.name)) found.push(callee.name);
    const isFunction =
      type === "FunctionDeclaration" ||
      (type === "VariableDeclarator" && /^(Arrow)?FunctionExpression$/.test(init?.type ?? ""));
    const inside = isFunction && id?.name ? [...enclosing, id.name] : enclosing;
    for (const child of Object.values(node)) visit(child, inside, depth + 1);
  };
  visit(parseSync(path, text).program, [], 0);
  return [...new Set(found)];
}

test("a function that calls itself has a bound", () => {
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((path) => selfCallsIn(path).map((name) => `${path} ${name}`));
  expect(found).toEqual(Object.keys(bounded));
});

test.each(["function a() { return a(); }", "const a = () => [1].map(() => a());"])("one is found: %s", (text) =>
  expect(selfCallsIn("a.ts", text)).toEqual(["a"]),
);
