import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/**
 * Names of fields that other programs rely on, or that a table or a query gives: allowed as the name of a property, not as a variable's,
 * a function's or a type's.
 */
const contract: Record<string, string> = {
  acts: "the operators' log in the API",
  act: "the field of a line in the Worker's log",
  told: "the operators' API: what the customer is informed of",
  mail: "the operators' API: an email's id",
  mails: "the operators' API and the data export; an intent of the settings form",
  mailsOff: "the data export",
  failedMails: "a review list of the operators' API",
  mailed: "an event in the timeline of an order, as stored",
  asked: "an event in the timeline of an order, as stored",
  brought: "the operators' API and the data export",
};

/**
 * Names say the field's terms (ARCHITECTURE.md, "Glossary"). What a retired one looks like, an example of it, and what it is called instead.
 * What other programs rely on keeps its name: columns, environment variables, addresses, codes of refusals.
 */
const retired: { pattern: RegExp; example: string; instead: string }[] = [
  {
    pattern: /^(words|useWords)$|(?<!plain|pseudo|state|in|is|Pass)Words$/,
    example: "planWords",
    instead: "messages",
  },
  {
    pattern: /^letter(To|Of|For)$|[a-z](?<!key)Letters?$|^Letter/,
    example: "sealLetter",
    instead: "email",
  },
  { pattern: /^wish|Wish(es)?($|[A-Z])/, example: "OrdersWish", instead: "input" },
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
  },
  { pattern: /freshProof|FreshProof|FreshlyProven/, example: "freshProofMs", instead: "reauthentication" },
  {
    pattern: /tombstone/i,
    example: "addTombstones",
    instead: "deleted address",
  },
  { pattern: /handOver|HandOver/, example: "handOverErrors", instead: "getting started" },
  { pattern: /^you(Form|Page|Messages)|^You(Form|Page|Intent)/, example: "YouPage", instead: "overview" },
  { pattern: /doorway/i, example: "Doorway", instead: "status illustration" },
  {
    pattern: /(^|[a-z])(Kernel|House|Neighbours?)($|[A-Z])|^(kernel|house|neighbours?)($|[A-Z])/,
    example: "LocalNeighbours",
    instead: "what it is: core, network, third-party services",
  },
  { pattern: /^settle(Orders|Contracts)|ToSettle$|^SettleRefusal/, example: "settleOrders", instead: "reconcile" },
  {
    pattern: /[a-z]Budgets?($|[A-Z])|^budget[A-Z]/,
    example: "codeBudgets",
    instead: "quota",
  },
  { pattern: /powers$/i, example: "InvitingPowers", instead: "Deps" },
  { pattern: /^keepForEverybody$|^kept(Pages?|Answers?)$/i, example: "keepForEverybody", instead: "page cache" },
  {
    pattern: /(^|[a-z])Standing($|[A-Z])|^standing[A-Z]|[a-z]Stands$|^stands[A-Z]/,
    example: "findStanding",
    instead: "what it is: queue position, delivery state, active session",
  },
  {
    pattern: /^(standing|stood|told)$/,
    example: "standing",
    instead: "what it is: buyer, plan state, notice",
  },
  {
    pattern: /^(startsAnew|anew)$|^say(Broken|What\w+)$|^kept(Phase|Item|Discounts)$/,
    example: "startsAnew",
    instead: "what it does",
  },
  { pattern: /judge/i, example: "judgeLeave", instead: "check or decide" },
  {
    pattern: /[a-z]Moves?$|^moves$|^Moves?$|^move[A-Z]/,
    example: "planMoves",
    instead: "transitions",
  },
  {
    pattern: /^claim(Code|Request|Revert|Context)$|^refuseClaim$|^Claim(ant)?$|^[a-z]+Claimed$/,
    example: "claimCode",
    instead: "consume, session cookie",
  },
  { pattern: /^(?!keys?LettersMax)\w+LettersMax$/, example: "nameLettersMax", instead: "lengthMax" },
  { pattern: /^\w*[kK]eptMs$/, example: "rowsKeptMs", instead: "retention" },
  { pattern: /[tT]akings?$|^takings?[A-Z]/, example: "takingsDue", instead: "deductions" },
  { pattern: /^[sS]etAside|[a-z]Asides?$/, example: "setAside", instead: "deferred change" },
  { pattern: /[bB]ooking|^book[A-Z]|[uU]nbooked/, example: "planBooking", instead: "posting" },
  {
    pattern: /(?<!Water)Marks?$|[uU]nmarked/,
    example: "customerMarks",
    instead: "hashes, cursors",
  },
  {
    pattern: /^(told(?!At$)|tell)[A-Z]|^(Told|Telling)($|[A-Z])|[uU]ntold/,
    example: "tellEntry",
    instead: "notice, email",
  },
  { pattern: /^heard?[A-Z]|^Heard$/, example: "hearEvent", instead: "handle, fetch" },
  {
    pattern: /^follow(Orders|Credit|Portal|Address|Cards|Subscriptions|Money)$/,
    example: "followCredit",
    instead: "sync, reconcile",
  },
  { pattern: /[bB]ringer|^bring[A-Z]|[a-z]Brought|^Brought/, example: "Bringer", instead: "referrer" },
  { pattern: /^noteAct$|^(operator|Named|NewOperator|reportFailed)Acts?$/, example: "noteAct", instead: "call, log" },
  {
    pattern: /^take(Events|Uses|Try|Turn|Challenge|Mail|ProviderCall|Step|Alone)$|^(uses|challenge)Taken$/,
    example: "takeEvents",
    instead: "lease, consume",
  },
  { pattern: /^(hurry|draw)[A-Z]/, example: "hurryCode", instead: "retry, generate" },
  {
    pattern: /^(is|as|for)?(Some|No|Any|Every)body|^isTold|[a-z](Some|No)body$|^(some|no|every)bodyMs$/,
    example: "isAboutSomebody",
    instead: "the actor: account, customer, visitor",
  },
  { pattern: /[lL]ocalStripe/, example: "setUpLocalStripe", instead: "Stripe emulator" },
  {
    pattern: /[a-z]Leaving($|[A-Z])|^[lL]eaving(?!Until)[A-Z]|^Leaving$|^leaveAccount$|^checkLeave$/,
    example: "isLeaving",
    instead: "closed account, close account, document form",
  },
  {
    pattern: /Mails?($|[A-Z])|^mails?($|[A-Z])|^(un)?mailed$/,
    example: "deliverDueMails",
    instead: "email",
  },
  { pattern: /^([rR]ings|Ring)$/, example: "rings", instead: "test suite" },
  { pattern: /^[aA]cts?$|By[A]cts$/, example: "act", instead: "command" },
  { pattern: /^gateway$/, example: "gateway", instead: "integration" },
  { pattern: /^drawn$|^draws$/, example: "drawn", instead: "rendered, generated" },
  { pattern: /^settle(Events|Subject)$|^unsettled$/, example: "settleEvents", instead: "reconcile, finish" },
  { pattern: /^heard$/, example: "heard", instead: "handled, fetched" },
  {
    pattern: /^(asked|says)$|^[sS]aid$|^Asked$/,
    example: "asked",
    instead: "what it is: input, payload, code request",
  },
  { pattern: /^(brought|buried|bring|marks)$/, example: "marks", instead: "referrers, hashes, cursor" },
  { pattern: /^(invoice|wave|moneyBack)Causes?$/i, example: "WaveCause", instead: "billing reason, trigger, reason" },
  {
    pattern: /^(show|shown|killedAt)Places?$/i,
    example: "showPlace",
    instead: "entry of the waitlist, section of a page, kill point",
  },
  {
    pattern: /^(add|list)\w*Moments?|^orderMoments$|^MomentRow$|^momentsOf$/,
    example: "addMoment",
    instead: "history event",
  },
  { pattern: /^Timeline(Entry|Email)$|^timelineOf$/, example: "TimelineEntry", instead: "history event" },
  { pattern: /^(readM|m)ailedCause$|^(readT|t)ryCause$/, example: "mailedCause", instead: "occurrence" },
  { pattern: /PendingDeletion/, example: "isPendingDeletion", instead: "closed account" },
  {
    pattern: /^(sweepPlans|(run|check|answer)PlanAction|planActions)$/,
    example: "sweepPlans",
    instead: "subscription",
  },
  { pattern: /^isVisit$/, example: "isVisit", instead: "isSafeMethod" },
  {
    pattern: /^(Decision|Page|Customer)Notice$|^(entry|refund|referral|render)Notice$/,
    example: "PageNotice",
    instead: "decision preview",
  },
  { pattern: /^listCharges/, example: "listChargesOfPlan", instead: "order" },
  { pattern: /^placesPer/, example: "placesPerFriend", instead: "positions" },
  { pattern: /^stands$|^stoodSo$/, example: "stoodSo", instead: "what is compared: current value, state" },
];

/** Words of CSS classes. */
const retiredClasses = /(^|-)(doorway|words|mails?|letter|room|till|wish|leaving|told|kept|standing)(-|$)/;

/** Phrases in comments, titles of tests and documents, in addition to those of `tests/architecture/documents/plain-english.test.ts`. */
const retiredPhrases: { pattern: RegExp; example: string; instead: string }[] = [
  {
    pattern:
      /\b(the|each|every|no|one|an?|optional|failed|queued) mails?\b(?! (server|client|app|program|header|provider)|[`:])/i,
    example: "the mail that was sent",
    instead: "email",
  },
  { pattern: /\be-mails?\b/i, example: "an e-mail address", instead: "email" },
  { pattern: /\blocal Stripe\b/i, example: "the local Stripe", instead: "Stripe emulator" },
  { pattern: /\b(our|the|each) gateway\b/i, example: "our gateway", instead: "integration" },
  { pattern: /\btables? of moves\b/i, example: "the table of moves", instead: "table of transitions" },
  { pattern: /\b(an|the|each|every|no|failed) acts?\b(?! on\b)/i, example: "every act", instead: "command" },
  {
    pattern: /\baccounts? (that|which) (is|are) leaving\b/i,
    example: "an account that is leaving",
    instead: "closed account",
  },
];

/** Words of file and folder names, without what stands for them in the patterns of names above. */
const retiredFiles =
  /(^|[-./])(use-words|wish|till|courier|household|households|furnished-desk|doorway|hand-over|tombstones?|fresh-proof|flood|trials|mutants|neighbours|kernel|gateway|ring|rings|room|house|leaving|mails|mail(?!-preview)|unmailed|told|kept|drawn|moves|acts?|standing|aside|takings|booking|reckoning|sweep-marks|customer-marks|kept-money|session-pass|judge|hear-\w+)([-./]|$)/;

const files = globSync(["{app,bench,scripts,tests,workers}/**/*.{ts,tsx,mjs}", "*.ts"])
  .filter(
    (path) =>
      !path.endsWith(".d.ts") && !path.includes("node_modules") && path !== "tests/architecture/code/terms.test.ts",
  )
  .toSorted();
const styles = globSync("{app,bench,scripts,workers}/**/*.css").toSorted();
/** `voice.md` quotes wordings to avoid. */
const documents = globSync(["*.md", "docs/**/*.md", "workers/*/*.md"])
  .filter((path) => path !== "docs/guides/voice.md")
  .toSorted();

/** Identifiers of the code, without the names of properties that are part of a contract. */
function namesIn(path: string, text: string): Set<string> {
  const found = new Set<string>();
  collect(parse(path, text).program, found, false);
  return found;
}

function parse(path: string, text: string) {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
  return parsed;
}

function collect(node: unknown, found: Set<string>, isProperty: boolean): void {
  if (Array.isArray(node)) for (const part of node) collect(part, found, false);
  else if (typeof node === "object" && node !== null) {
    const { type, name, computed } = node as Record<string, unknown>;
    if (type === "PrivateIdentifier" && typeof name === "string") found.add(name);
    if ((type === "Identifier" || type === "JSXIdentifier") && typeof name === "string") {
      if (!isProperty || !(name in contract)) found.add(name);
    }
    for (const [role, part] of Object.entries(node))
      collect(part, found, (role === "key" || role === "property") && computed !== true);
  }
}

function retiredIn(path: string, names: Iterable<string>): string[] {
  return [...names].flatMap((name) =>
    retired.filter(({ pattern }) => pattern.test(name)).map(({ instead }) => `${path}: ${name} is ${instead}`),
  );
}

/** Comments, and the titles that `test` and `describe` are called with. */
function proseIn(path: string, text: string): string[] {
  const { program, comments } = parse(path, text);
  const found = comments.map(({ value }) => value.replaceAll(/\s+(\* )?/g, " "));
  const titles = text.matchAll(/\b(?:test|describe)(?:\.\w+(?:<[^>]*>)?\([^"`]*?\))?\(\s*(["`])(.*?)\1,/g);
  return program.body.length === 0 ? found : [...found, ...[...titles].map(([, , title = ""]) => title)];
}

function phrasesIn(path: string, prose: string[]): string[] {
  return prose.flatMap((text) =>
    retiredPhrases
      .filter(({ pattern }) => pattern.test(text))
      .map(({ instead }) => `${path}: "${text.trim()}" (write: ${instead})`),
  );
}

const commentsOfStyles = (text: string) => [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map(([, comment = ""]) => comment);

const classesIn = (text: string) =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/\.(-?[a-z][\w-]*)/g)].map(([, name = ""]) => name);

const read = (path: string) => readFileSync(path, "utf8");

describe("the check for retired terms in names", () => {
  test("finds none in the code", () => {
    expect(files.length).toBeGreaterThan(1200);
    expect(files.flatMap((path) => retiredIn(path, namesIn(path, read(path))))).toEqual([]);
  });

  test.each(retired)("finds $example", ({ example, instead }) => {
    for (const path of ["app/modules/orders/example.ts", "tests/support/example.ts", "scripts/example.mjs"]) {
      const code = `import { ${example} } from "./a.ts"; export const list = [${example}];`;
      expect(retiredIn(path, namesIn(path, code))).toEqual([`${path}: ${example} is ${instead}`]);
    }
  });

  test("reads the private names of a class", () => {
    expect([...namesIn("a.ts", "class A { #tombstones = 1; }")]).toContain("tombstones");
  });

  test("allows a field of a contract as a property only", () => {
    expect([...namesIn("a.ts", "const { mail: id } = body; send({ mail: id }, body.mail);")]).not.toContain("mail");
    expect([...namesIn("a.ts", "const { mail } = body;")]).toContain("mail");
    expect([...namesIn("a.ts", "send(body[mail]);")]).toContain("mail");
  });

  test("finds none in file names", () => {
    const paths = globSync(["*", "{app,bench,docs,drizzle,public,scripts,tests,workers}/**/*"]);
    expect(paths.length).toBeGreaterThan(1800);
    expect(paths.filter((path) => retiredFiles.test(path))).toEqual([]);
    const retiredPaths = [
      "app/use-words.ts",
      "till.ts",
      "tests/household/a.ts",
      "docs/tombstones.md",
      "app/ui/doorway.css",
    ];
    expect(retiredPaths.filter((path) => !retiredFiles.test(path))).toEqual([]);
  });

  test("finds none in CSS classes", () => {
    expect(styles.length).toBeGreaterThan(10);
    const found = styles.flatMap((path) => classesIn(read(path)).filter((name) => retiredClasses.test(name)));
    expect(found).toEqual([]);
    expect(classesIn("/* .kept */ .doorway-light:hover .a > .b { }")).toEqual(["doorway-light", "a", "b"]);
    expect(retiredClasses.test("doorway-light")).toBe(true);
  });
});

describe("the check for retired phrases", () => {
  test("finds none in comments and test titles", () => {
    const own = files.filter((path) => path !== "tests/architecture/documents/plain-english.test.ts");
    expect(own.flatMap((path) => phrasesIn(path, proseIn(path, read(path))))).toEqual([]);
    expect(styles.flatMap((path) => phrasesIn(path, commentsOfStyles(read(path))))).toEqual([]);
  });

  test("finds none in documents", () => {
    expect(documents.length).toBeGreaterThan(80);
    expect(documents.flatMap((path) => phrasesIn(path, read(path).split("\n")))).toEqual([]);
  });

  test.each(retiredPhrases)("finds $example", ({ example }) => {
    for (const code of [`// ${example}`, `/** ${example}. */`, `test("${example}", () => {});`]) {
      expect(phrasesIn("a.ts", proseIn("a.ts", code))).toHaveLength(1);
    }
    expect(phrasesIn("a.css", commentsOfStyles(`/* ${example} */`))).toHaveLength(1);
  });
});
