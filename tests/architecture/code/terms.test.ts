import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/** Where the patterns below are private language and elsewhere are not, such as in texts for users or in the browser's code. */
const business = /^app\/(modules|api|integrations|workflows|http|core)\//;

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
  { pattern: /Powers$/, example: "InvitingPowers", instead: "Deps" },
  { pattern: /^keepForEverybody$|^kept(Pages?|Answers?)$/i, example: "keepForEverybody", instead: "page cache" },
  {
    pattern: /(^|[a-z])Standing($|[A-Z])|^standing[A-Z]|[a-z]Stands$|^stands[A-Z]/,
    example: "findStanding",
    instead: "what it is: queue position, delivery state, active session",
    where: business,
  },
  {
    pattern: /^(standing|stood|told)$/,
    example: "standing",
    instead: "what it is: buyer, plan state, notice",
    where: /^app\/(?!api)/,
  },
  {
    pattern: /^(startsAnew|anew)$|^say(Broken|What\w+)$|^kept(Phase|Item|Discounts)$/,
    where: /^(app|workers\/[a-z-]+\.ts)/,
    example: "startsAnew",
    instead: "what it does",
  },
  { pattern: /^judge[A-Z]/, example: "judgeLeave", instead: "check or decide", where: /^app/ },
  {
    pattern: /[a-z]Moves?$|^moves$|^Moves?$|^move[A-Z]/,
    example: "planMoves",
    instead: "transitions",
    where: business,
  },
  {
    pattern: /^claim(Code|Request|Revert|Context)$|^refuseClaim$|^Claim(ant)?$|^[a-z]+Claimed$/,
    example: "claimCode",
    instead: "consume, session cookie",
    where: /^app/,
  },
  { pattern: /^(?!keys?LettersMax)\w+LettersMax$/, example: "nameLettersMax", instead: "lengthMax", where: /^app/ },
  { pattern: /^\w*[kK]eptMs$/, example: "mailKeptMs", instead: "retention", where: /^app/ },
  { pattern: /[tT]akings?$|^takings?[A-Z]/, example: "takingsDue", instead: "deductions", where: business },
  { pattern: /^[sS]etAside|Asides?$|^asides?$/, example: "setAside", instead: "deferred change", where: business },
  { pattern: /[bB]ooking|^book[A-Z]|[uU]nbooked/, example: "planBooking", instead: "posting", where: business },
  {
    pattern: /(?<!Water)Marks?$|[uU]nmarked/,
    example: "customerMarks",
    instead: "hashes, cursors",
    where: /^app\/(modules|db)\//,
  },
  {
    pattern: /^(told(?!At$)|tell)[A-Z]|^(Told|Telling)($|[A-Z])|[uU]ntold/,
    example: "tellEntry",
    instead: "notice, email",
    where: business,
  },
  { pattern: /^heard?[A-Z]|^Heard$/, example: "hearEvent", instead: "handle, fetch", where: business },
  {
    pattern: /^follow(Orders|Credit|Portal|Address|Cards|Subscriptions|Money)$/,
    example: "followCredit",
    instead: "sync, reconcile",
    where: /^app/,
  },
  { pattern: /[bB]ringer|^bring[A-Z]|[a-z]Brought|^Brought/, example: "Bringer", instead: "referrer", where: business },
  { pattern: /^noteAct$|^(operator|Named|NewOperator|reportFailed)Acts?$/, example: "noteAct", instead: "call, log" },
  {
    pattern: /^take(Events|Uses|Try|Turn|Challenge|Mail|ProviderCall|Step|Alone)$|^(uses|challenge)Taken$/,
    example: "takeEvents",
    instead: "lease, consume",
    where: /^app/,
  },
  { pattern: /^(hurry|draw)[A-Z]/, example: "hurryCode", instead: "retry, generate", where: business },
  {
    pattern: /^(is|as|for)?(Some|No|Any|Every)body|^isTold|[a-z](Some|No)body$|^(some|no|every)bodyMs$/,
    example: "isAboutSomebody",
    instead: "the actor: account, customer, visitor",
    where: /^(app|workers)/,
  },
  { pattern: /[lL]ocalStripe/, example: "setUpLocalStripe", instead: "Stripe emulator" },
  {
    pattern: /^(add|deliver|find|seal|resend|removeOld|wipeFailed|listFailed|switch|read|turn|waitsFor)Mails?$/,
    example: "deliverMail",
    instead: "email",
  },
  {
    pattern: /^(Queued|Sealed|Optional)Mails?$|Mail(Transport|Kind|State|Use)s?$|^mail(Kinds|States|Ids|Fits|Link)$/,
    example: "QueuedMail",
    instead: "email",
  },
];

/** File names, without what stands for them in the patterns of names above. */
const retiredFiles =
  /(^|[-./])(use-words|wish|till|courier|household|households|furnished-desk|doorway|hand-over|tombstones?|fresh-proof|flood|trials|mutants|neighbours|kernel|gateway|ring|room|house|standing|aside|takings|booking|reckoning|sweep-marks|customer-marks|kept-money|session-pass|judge-\w+|hear-\w+)([-./]|$)/;

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
    const code = `import { ${example} } from "./a.ts"; export const list = [${example}];`;
    expect(retiredIn(path, namesIn(path, code))).toEqual([`${path}: ${example} is ${instead}`]);
  });

  test("no file is called by a retired term", () => {
    expect(files.map((path) => basename(path)).filter((name) => retiredFiles.test(name))).toEqual([]);
    expect(["use-words.ts", "till.ts", "hand-over.tsx"].filter((name) => retiredFiles.test(name))).toHaveLength(3);
  });
});
