import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/**
 * What pages and emails say is written in the messages files alone. Tests that run the site take it from there, so
 * that a text can be changed without changing a test.
 */

const messagesFiles = globSync("app/**/{*.,}messages.ts").toSorted();

const testFiles = globSync("tests/{http,browser,faults,integration}/**/*.ts").toSorted();

/** Texts that a test types although they are in a message as well. */
const exceptions: { path: string; text: string; why: string }[] = [
  {
    path: "tests/faults/account-races.ts",
    text: "an account is closed once, and restored once",
    why: "The name of a race is the title of its test.",
  },
  {
    path: "tests/http/stripe/failing-proxy.ts",
    text: "Too many requests",
    why: "What the proxy answers in Stripe's place.",
  },
  {
    path: "tests/integration/operators/operator-person.test.ts",
    text: "friend discount of",
    why: "The operators' API has no messages.",
  },
];

/** `isPattern`: what a regular expression looks for between its special characters. */
type Text = { text: string; isPattern: boolean };

/** The texts that developers read: titles of tests, and what a test throws. */
const unchecked = /^(test|describe|Error)$/;

/** What is called in the end: `test` in `test.skipIf(isSlow).each(table)("title")`. */
function calledIn(callee: unknown): string {
  if (typeof callee !== "object" || callee === null) return "";
  const { type, name, object, tag, callee: inner } = callee as Record<string, unknown>;
  return type === "Identifier" ? String(name) : calledIn(object ?? tag ?? inner);
}

/** Strings, static parts of templates and regular expressions; not types, imports, and names of properties. */
function collect(node: unknown, found: Text[]): void {
  if (Array.isArray(node)) for (const part of node) collect(part, found);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  const { type, value, regex, key, computed, arguments: passed, ...parts } = node as Record<string, unknown>;
  if (typeof type === "string" && /^(Import|TS(?!As|Satisfies|NonNull))/.test(type)) return;
  if (type === "TemplateElement") found.push({ text: (value as { cooked: string }).cooked, isPattern: false });
  else if (type !== "Literal") collect(value, found);
  else if (regex) found.push(...lookedForBy((regex as { pattern: string }).pattern));
  else if (typeof value === "string") found.push({ text: value, isPattern: false });
  if (computed === true) collect(key, found);
  const isUnchecked = unchecked.test(calledIn(parts["callee"]));
  collect(Array.isArray(passed) && isUnchecked ? passed.filter(isNoText) : passed, found);
  collect(Object.values(parts), found);
}

/** A table of `test.each` is read, its title isn't. */
function isNoText(argument: { type: string }): boolean {
  return argument.type !== "Literal" && argument.type !== "TemplateLiteral";
}

function lookedForBy(pattern: string): Text[] {
  const parts = pattern.split(/\\[a-zA-Z]|(?<!\\)[()[\]{}|^$*+?.]/);
  return parts.map((part) => ({ text: part.replaceAll(/\\(.)/g, "$1"), isPattern: true }));
}

/** Of two words at least; a single word says little about where it comes from. */
function textsIn(path: string, code = readFileSync(path, "utf8")): Text[] {
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Text[] = [];
  collect(program, found);
  return found
    .map(({ text, isPattern }) => ({ text: text.replaceAll(/\s+/g, " ").trim(), isPattern }))
    .filter(({ text }) => text.length >= 12 && text.includes(" "));
}

/**
 * A text that contains a message, or three words and more of one. Prose has such words in common, too: in a string, a
 * capital letter tells the beginning of a message from it.
 */
function isRepeated({ text, isPattern }: Text, sentences: readonly string[]): boolean {
  if (sentences.some((sentence) => text.includes(sentence))) return true;
  const isPart = (isPattern || /^\p{Lu}/u.test(text)) && text.split(" ").length > 2;
  return isPart && sentences.some((sentence) => sentence.includes(text));
}

function repeatedIn(path: string, sentences: readonly string[], code?: string): string[] {
  return textsIn(path, code)
    .filter((text) => isRepeated(text, sentences))
    .map(({ text }) => text);
}

const sentences = [...new Set(messagesFiles.flatMap((path) => textsIn(path).map(({ text }) => text)))];

describe("tests", () => {
  test("repeat no text of a page or an email", () => {
    expect([messagesFiles.length > 40, testFiles.length > 100, sentences.length > 1000]).toEqual([true, true, true]);
    const found = testFiles.flatMap((path) => repeatedIn(path, sentences).map((text) => ({ path, text })));
    expect(found).toEqual(exceptions.map(({ path, text }) => ({ path, text })));
  });
});

describe("a repeated text", () => {
  const messages = `
    const en = {
      title: "Nothing was charged",
      lead: (what: string) => \`You left the payment page for \${what} before paying.\`,
      pay: { now: (amount: string) => "Pay " + amount, pending: "Asking your bank" },
    };`;
  const known = textsIn("messages.ts", messages).map(({ text }) => text);

  test.each([
    'expect(visitor.heading()).toBe("Nothing was charged");',
    'expect(visitor.text()).not.toContain("Sorry. Nothing was charged.");',
    "await visitor.press(`Asking your bank`, { intent: 'pay' });",
    "expect(text).toBe(`You left the payment page for ${small.name} before paying.`);",
    "expect(text).toMatch(/^You left the payment page for \\w+/);",
    "expect(text).toMatch(/left the payment page|gave up/i);",
    'expect(text).toContain("You left the payment");',
    'test.each([["failed", "Nothing was charged"]])("%s", (state, heading) => see(state, heading));',
    'const headings = { [label("Nothing was charged")]: 1 };',
    'const heading = "Nothing was charged" as const;',
  ])("is found: %s", (code) => expect(repeatedIn("a.test.ts", known, code)).not.toEqual([]));

  test.each([
    'test("Nothing was charged", () => undefined);',
    'test.skipIf(isSlow).each(["failed"])("Nothing was charged: %s", () => undefined);',
    'describe.each(modes)("Asking your bank $mode", () => undefined);',
    'if (!paid) throw new Error("Nothing was charged");',
    "// Nothing was charged\nexpect(paid).toBe(0);",
    'type Heading = "Nothing was charged";',
    'import { bank } from "./Asking your bank.ts";',
    'expect(visitor.text()).toContain("Nothing");',
    'expect(rows).toEqual([["left the payment page", 1]]);',
    "expect(visitor.heading()).toBe(paymentMessages.en.title);",
  ])("is not reported: %s", (code) => expect(repeatedIn("a.test.ts", known, code)).toEqual([]));
});
