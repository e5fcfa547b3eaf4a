import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/**
 * Names say the field's terms (ARCHITECTURE.md, "Glossary"). What a retired one looks like, an example of it, and what it is called instead.
 * What other programs rely on keeps its name: columns, environment variables, addresses, codes of refusals.
 */
const retired: { pattern: RegExp; example: string; instead: string; where?: RegExp }[] = [
  {
    pattern: /^(words|useWords)$|(?<!plain|pseudo|state|in|is|Pass)Words$/,
    example: "planWords",
    instead: "messages",
  },
  {
    pattern: /^letter(To|Of|For)?$|[a-z]Letters?$|^Letter/,
    example: "sealLetter",
    instead: "email",
    where:
      /^app\/modules\/(email|billing-sync|accounts|account-deletion|orders|withdrawals|waitlist\/commands|subscriptions)\//,
  },
  { pattern: /^wish|Wish(es)?($|[A-Z])/, example: "OrdersWish", instead: "input", where: /^(?!workers)/ },
  { pattern: /^till$|^Till$|^openTill/, example: "openTill", instead: "billing harness" },
  {
    pattern: /courier|household|furnishDesk/i,
    example: "nextHousehold",
    instead: "dispatcher, network address, seedEmulator",
  },
  {
    pattern: /^(is)?flood|Flood(?!s)/,
    example: "isFlooded",
    instead: "rate limit",
    where: /^(?!tests\/browser|tests\/support\/monitoring)/,
  },
  { pattern: /freshProof|FreshProof|FreshlyProven/, example: "freshProofMs", instead: "reauthentication" },
  {
    pattern: /tombstone/i,
    example: "addTombstones",
    instead: "deleted address",
    where: /^(?!tests\/integration\/account-deletion)/,
  },
  { pattern: /handOver|HandOver/, example: "handOverErrors", instead: "getting started" },
  { pattern: /^you(Form|Page|Messages)|^You(Form|Page|Intent)/, example: "YouPage", instead: "overview" },
  { pattern: /doorway/i, example: "Doorway", instead: "status illustration" },
  { pattern: /^settle(Orders|Contracts)|ToSettle$|^SettleRefusal/, example: "settleOrders", instead: "reconcile" },
  {
    pattern: /^budgets?$|Budgets?($|[A-Z])|^budget[A-Z]/,
    example: "codeBudgets",
    instead: "quota",
    where: /^app\/(modules|db|core)/,
  },
  { pattern: /^keepForEverybody$|^kept(Pages?|Answers?)$/i, example: "keepForEverybody", instead: "page cache" },
];

/** File names, without what stands for them in the patterns of names above. */
const retiredFiles =
  /(^|[-./])(use-words|wish|till|courier|household|households|furnished-desk|doorway|hand-over|tombstones?|fresh-proof|flood|trials|mutants|neighbours|kernel|gateway|ring|room|house)([-./]|$)/;

const files = globSync(["app/**/*.{ts,tsx}", "workers/**/*.ts", "tests/**/*.ts", "scripts/**/*.ts", "bench/**/*.ts"])
  .filter((path) => !path.endsWith(".d.ts") && !path.includes("node_modules"))
  .toSorted();

function namesIn(path: string, text: string): Set<string> {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found = new Set<string>();
  collect(program, found);
  return found;
}

function collect(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) for (const part of node) collect(part, found);
  else if (typeof node === "object" && node !== null) {
    const { type, name } = node as Record<string, unknown>;
    if ((type === "Identifier" || type === "JSXIdentifier") && typeof name === "string") found.add(name);
    for (const part of Object.values(node)) collect(part, found);
  }
}

function retiredIn(path: string, names: Iterable<string>): string[] {
  const here = retired.filter(({ where }) => where?.test(path) ?? true);
  return [...names].flatMap((name) =>
    here.filter(({ pattern }) => pattern.test(name)).map(({ instead }) => `${path}: ${name} is ${instead}`),
  );
}

describe("names", () => {
  test("none is a retired term", () => {
    expect(files.length).toBeGreaterThan(1000);
    const found = files.flatMap((path) => retiredIn(path, namesIn(path, readFileSync(path, "utf8"))));
    expect(found).toEqual([]);
  });

  test.each(retired)("$example is found", ({ example, instead }) => {
    const path = "app/modules/orders/commands/example.server.ts";
    const code = `import { ${example} } from "./a.ts"; export const kept = [${example}];`;
    expect(retiredIn(path, namesIn(path, code))).toEqual([`${path}: ${example} is ${instead}`]);
  });

  test("no file is called by a retired term", () => {
    expect(files.map((path) => basename(path)).filter((name) => retiredFiles.test(name))).toEqual([]);
    expect(["use-words.ts", "till.ts", "hand-over.tsx"].filter((name) => retiredFiles.test(name))).toHaveLength(3);
  });
});
