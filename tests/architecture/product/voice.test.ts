import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/** Messages that docs/guides/voice.md applies to. */
const covered = [
  "app/{root,plain-pages}.messages.ts",
  "app/{client,http,routes,ui}/**/{*.,}messages.ts",
  "app/modules/{catalogue,email/messages}/*.messages.ts",
];

/** What the voice has retired: an example, and the same thing as it is written now. */
const retired: { pattern: RegExp; example: string; write: string }[] = [
  { pattern: /\be-mails?\b/i, example: "E-mail address", write: "Email address" },
  {
    pattern: /\b(mails?|mailed|mailing)\b/i,
    example: "Open the link in the mail.",
    write: "Open the link in the email.",
  },
  {
    pattern: /\bby (itself|ourselves|themselves)\b/i,
    example: "It comes by itself.",
    write: "It's sent automatically.",
  },
  { pattern: /\b(go|goes|went) on\b/i, example: "Go on", write: "Continue" },
  { pattern: /\b(run|runs|ran) out\b/i, example: "Your card runs out soon.", write: "Your card expires soon." },
  {
    pattern: /\b(whoever|somebody|nobody|anybody|everybody)\b/i,
    example: "It's open to everybody.",
    write: "It's open to everyone.",
  },
  { pattern: /\bat once\b/i, example: "Your plan ends at once.", write: "Your plan ends immediately." },
  { pattern: /\b(right|straight) away\b/i, example: "You can start right away.", write: "You can start now." },
  {
    pattern: /\b(take|takes|taken|taking|took) ((it|that|this|them|the \w+) )?back\b/i,
    example: "You can take it back until then.",
    write: "You can undo this until then.",
  },
  {
    pattern: /\bany ?more\b|\bany longer\b/i,
    example: "That plan isn't sold any more.",
    write: "That plan is no longer sold.",
  },
  { pattern: /\b(you|we|they) are\b/i, example: "You are signed in.", write: "You're signed in." },
  {
    pattern: /(^|[.:;,] )(it|that|there|here) is (?=\w|…)/i,
    example: "It is not your turn.",
    write: "It's not your turn.",
  },
  {
    pattern: /\b(is|are|was|were|has|have|do|does|did|could|will|would) not\b|\bcannot\b/i,
    example: "You cannot use it.",
    write: "You can't use it.",
  },
  { pattern: /^state$|\bthe state “/i, example: "State", write: "Status" },
  { pattern: /\bseats?\b/i, example: "2 of 3 seats used", write: "2 of 3 devices used" },
  { pattern: /\bwrite to (us|you)\b|\bwe write\b/i, example: "Write to us", write: "Contact us" },
  {
    pattern: /\b(did|does|do)(n't| not) (go|get) through\b/i,
    example: "Your payment didn't go through.",
    write: "Your payment failed.",
  },
  { pattern: /\blook at this again\b/i, example: "Please look at this again", write: "There's a problem" },
  {
    pattern: /\b(bank is working on|on its way)\b/i,
    example: "Your payment is on its way.",
    write: "Your payment is being processed.",
  },
  { pattern: /\bcollect(s|ed|ing)?\b/i, example: "€7.00 couldn't be collected.", write: "We couldn't charge €7.00." },
  {
    pattern: /\b(how things stand|leads? nowhere|(done|did) its work|the money is here|came of it)\b/i,
    example: "This link leads nowhere",
    write: "We don't recognise this link",
  },
  { pattern: /\btype (the|your|an?|it)\b/i, example: "Type your name.", write: "Enter your name." },
  { pattern: /\bVAT id\b|\bids\b/, example: "VAT id DE123", write: "VAT ID DE123" },
  { pattern: /\bby the (month|year)\b/i, example: "Paid by the year", write: "Billed yearly" },
  { pattern: /\btries\b|\bone try\b/i, example: "4 tries left", write: "4 attempts left" },
  {
    pattern: /\b(give|gives|given|giving) (\w+ ){0,3}up\b/i,
    example: "Give the change up",
    write: "Cancel change",
  },
  {
    pattern: /\b(doesn't|isn't|not) answer(ing)?\b/i,
    example: "Stripe doesn't answer at the moment.",
    write: "Stripe isn't responding at the moment.",
  },
  {
    pattern: /\bpayment (service|provider)\b/i,
    example: "The payment service refused it.",
    write: "Stripe refused it.",
  },
  { pattern: /\bstays? as it is\b/i, example: "Your plan stays as it is.", write: "Your plan stays the same." },
  { pattern: /\bon sale\b/i, example: "Not on sale yet", write: "Coming soon" },
  { pattern: /\bto the start\b/i, example: "Go to the start", write: "Go to the home page" },
  { pattern: /\bload (it|the page) again\b/i, example: "Load the page again.", write: "Reload the page." },
  { pattern: /\b\d+ letters\b/i, example: "At most 80 letters.", write: "Enter a name of up to 80 characters." },
];

/** The texts in a file: string literals and the constant parts of templates, without names, import paths and types. */
function textsOf(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return collectTexts(program);
}

function collectTexts(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(collectTexts);
  if (typeof node !== "object" || node === null) return [];
  const { type, value, key, computed, quasis, ...rest } = node as Record<string, unknown>;
  if (typeof type === "string" && /^(Import|TS(?!As|Satisfies))/.test(type)) return [];
  if (type === "Literal") return typeof value === "string" ? [value] : [];
  const constant = Array.isArray(quasis)
    ? [(quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked).join("…")]
    : [];
  return [...constant, ...collectTexts([value, computed === true ? key : null, ...Object.values(rest)])];
}

function retiredIn(texts: string[]): string[] {
  return texts.flatMap((text) =>
    retired.filter(({ pattern }) => pattern.test(text)).map(({ write }) => `${text} (write for example: ${write})`),
  );
}

describe("the voice of pages (docs/guides/voice.md)", () => {
  const files = globSync(covered).toSorted();

  test("no message contains a retired phrase", () => {
    expect(files.length).toBeGreaterThan(25);
    const texts = files.map((path) => ({ path, texts: textsOf(path, readFileSync(path, "utf8")) }));
    expect(texts.filter((file) => file.texts.length === 0)).toEqual([]);
    const found = texts.flatMap((file) => retiredIn(file.texts).map((problem) => `${file.path}: ${problem}`));
    expect(found).toEqual([]);
  });

  test("texts are found in literals, templates and nested templates, and identifiers are ignored", () => {
    const source = [
      'import { planNames } from "./seats.ts";',
      'type Word = "seats";',
      'const en = { "seats-full": "First", text: (a: number) => `Second ${a} of ${a > 1 ? `third ${a}` : "fourth"} end` };',
    ].join("\n");
    expect(textsOf("a.ts", source).toSorted()).toEqual(["First", "Second … of … end", "fourth", "third …"].toSorted());
    expect(retiredIn(textsOf("a.ts", "const en = { text: (n: number) => `${n} seats` };"))).toHaveLength(1);
  });

  test.each(retired)("the check finds “$example”, and accepts “$write”", ({ pattern, example, write }) => {
    expect(example).toMatch(pattern);
    expect(retiredIn(textsOf("a.ts", `const en = { text: ${JSON.stringify(example)} };`))).not.toEqual([]);
    expect(retiredIn([write])).toEqual([]);
  });
});
