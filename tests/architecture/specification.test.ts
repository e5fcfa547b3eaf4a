import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import { callsOf } from "#app/api/calls.ts";
import { problemsOf } from "#app/api/open-api-problems.ts";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { operatorProblems } from "#app/api/operator-problems.ts";
import { bodyProblems, problems } from "#app/api/problems.ts";
import * as schema from "#app/db/schema.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import { createsAccount } from "#app/modules/codes/rules.ts";
import { envelopeUrl, parseDsn } from "#workers/monitoring/dsn.rules.ts";
import { clientSettings, headersUp, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { kindOf } from "#app/modules/email/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { contractStages, contractTable } from "#app/modules/withdrawals/contract-table.rules.ts";
import { moves as orderMoves, statusOf } from "#app/modules/orders/rules.ts";
import { withdrawalMoves } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { policies, type ProviderStatus, stateOf } from "#app/modules/subscriptions/rules.ts";
import { moves as referralMoves } from "#app/modules/referrals/rules.ts";
import { moves as entryMoves } from "#app/modules/waitlist/rules.ts";
import { preferencesBody } from "#app/modules/catalogue/preferences.rules.ts";
import type { Preference } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { type Address, addresses } from "#tests/support/route-list.ts";
import { API_VERSION, WEBHOOK_EVENTS } from "../../scripts/stripe/webhook.ts";

/**
 * docs/specification.md says what is true of the code. Every table in it that the code can answer is asked here, in both
 * directions: what the document says and the code doesn't have fails, and so does what it leaves out.
 */
const lines = readFileSync("docs/specification.md", "utf8").split("\n");

/** A config needn't have a meter; the document tells the calls of one that has. */
const calls = callsOf({
  ...product,
  meters: [{ key: "meter", label: "", kind: "last", unit: "count", limit: "devices" }],
});

type Row = Record<string, string>;

/** The first table under a heading, a record per row; backticks are how the document sets words of the code. */
function tableUnder(heading: string, read: (cell: string) => string = plain): Row[] {
  const at = lines.flatMap((line, index) => (/^#{2,4} /.test(line) && plain(line) === heading ? [index] : []));
  const [start] = at;
  if (start === undefined || at.length > 1) throw new Error(`"${heading}" is a heading ${at.length} times, not once`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 1)) {
    if (/^#{1,4} /.test(line) || (rows.length > 0 && !line.startsWith("|"))) break;
    if (line.startsWith("|")) rows.push(line.split("|").slice(1, -1).map(read));
  }
  const [names = [], , ...body] = rows;
  const head = names.map(plain);
  if (body.length === 0) throw new Error(`There is no table under "${heading}"`);
  return body.map((cells) => Object.fromEntries(head.map((name, column) => [name, cells[column] ?? ""])));
}

function plain(text: string): string {
  return text.replace(/^#+ /, "").replaceAll("`", "").trim();
}

function column(heading: string, name: string): string[] {
  return tableUnder(heading).map((row) => row[name] ?? "");
}

function words(list: string | undefined): string[] {
  return list === undefined || list === "" || list === "nothing" ? [] : list.split(", ");
}

/** Our own source: what is built into the Worker or runs in the browser, without tests. */
const sources = new Map(
  ["app", "workers"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|stripe-emulator/.test(path))
    .map((path) => [path, readFileSync(path, "utf8")] as const),
);

function found(pattern: RegExp, where: (path: string) => boolean = () => true): string[] {
  const texts = [...sources].filter(([path]) => where(path));
  return texts.flatMap(([, text]) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
}

/** An order for records that have none. */
function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

/** The document leaves `app/` out. */
function fullPath(file = ""): string {
  return file.startsWith("workers/") ? file : `app/${file}`;
}

function unique(list: string[]): string[] {
  return [...new Set(list)].sort();
}

describe("the document", () => {
  test("has nine sections", () => {
    const sections = lines.filter((line) => line.startsWith("## ")).map(plain);
    expect(sections).toEqual([
      ...["1. Purpose", "2. Screens and routes", "3. Entities and fields", "4. States and transitions"],
      ...["5. Validation rules", "6. Roles and permissions", "7. Calls", "8. Error catalogue"],
      "9. Constants and limits",
    ]);
  });

  test("says of every part whether it was given or decided", () => {
    const parts = lines
      .join("\n")
      .split(/^###? /m)
      .slice(1);
    const unmarked = parts.filter((part) => !/\b(given|decided)\b/.test(part) && /^(\||- )/m.test(part));
    expect(unmarked.map((part) => part.split("\n")[0])).toEqual([]);
  });
});

describe("screens and routes", () => {
  const given = [
    ...["/", "/signup", "/login", "/verify", "/waitlist", "/payment/{status}", "/settings"],
    ...["/settings/{segment}/account", "/settings/{segment}/plan", "/settings/{segment}/settings"],
    ...["/settings/orders", "/settings/referral", "/settings/upgrade"],
  ];

  test("the thirteen given pages are the table of pages, each marked as given", () => {
    const pages = tableUnder("Pages");
    expect(pages.map((row) => row.path)).toEqual(given);
    expect(unique(pages.map((row) => row.mark ?? ""))).toEqual(["given"]);
  });

  test("both tables together are app/routes.ts: every path with its file, in its order", () => {
    const documented = [...tableUnder("Pages"), ...tableUnder("Other addresses")];
    expect(documented.map((row) => `${row.path} ${row.file}`)).toEqual(addresses.map(shown));
  });

  test("what else there is beside the map is decided", () => {
    expect(unique(column("Other addresses", "mark"))).toEqual(["decided"]);
  });
});

/** As the document writes it: parameters and the configured segment in braces. */
function shown({ pattern, file }: Address): string {
  return `${pattern.replace(/:(\w+)/g, "{$1}").replace(`/${product.segment}/`, "/{segment}/")} ${file}`;
}

const tables = Object.values(schema)
  .filter((value) => value instanceof SQLiteTable)
  .map((table) => getTableConfig(table));
const dialect = new SQLiteSyncDialect({ casing: "snake_case" });

describe("entities and fields", () => {
  const documented = lines.filter((line) => /^### `\w+`$/.test(line)).map(plain);

  test("every table of the schema has its part, and no other", () => {
    expect(documented.toSorted()).toEqual(tables.map((table) => table.name).toSorted());
  });

  test.each(tables.map((table) => [table.name, table] as const))("%s: fields, types, keys", (name, table) => {
    const references = new Map(
      table.foreignKeys.map((key) => {
        const { columns, foreignTable } = key.reference();
        return [columns[0]?.name ?? "", `→ ${getTableConfig(foreignTable).name}`];
      }),
    );
    const together = table.primaryKeys.flatMap((key) => key.columns.map((part) => part.name));
    const fields = table.columns.map((field) => ({
      field: field.name,
      type: field.getSQLType(),
      null: field.notNull ? "no" : "yes",
      key: [
        ...(field.primary || together.includes(field.name) ? ["primary"] : []),
        ...(field.isUnique ? ["unique"] : []),
        ...(references.has(field.name) ? [references.get(field.name)] : []),
      ].join(", "),
    }));
    const rows = tableUnder(name).map((row) => ({ field: row.field, type: row.type, null: row.null, key: row.key }));
    expect(rows).toEqual(fields);
  });

  test("every unique index over more than a column, or over some rows, is listed", () => {
    const indexes = tables.flatMap((table) =>
      table.indexes
        .filter((index) => index.config.unique)
        .map(({ config }) => {
          const on = config.columns.map((part) => ("name" in part ? part.name : "")).join(", ");
          return { index: config.name, table: table.name, fields: on };
        }),
    );
    const rows = tableUnder("What the database keeps single");
    const documented = rows.map((row) => ({ index: row.index, table: row.table, fields: row.fields }));
    expect(documented.toSorted(byText)).toEqual(indexes.toSorted(byText));
  });
});

describe("states and transitions", () => {
  /** `table.column in ('a', 'b')`: the closed lists of words that the database holds. */
  const lists = tables.flatMap((table) =>
    table.checks.flatMap((check) => {
      const { sql } = dialect.sqlToQuery(check.value);
      const match = /^"(\w+)"\."(\w+)" in \((.*)\)$/.exec(sql);
      const allowed = match?.[3]?.split(", ").map((word) => word.slice(1, -1)) ?? [];
      return match ? [[`${match[1]}.${match[2]}`, allowed] as const] : [];
    }),
  );

  test("every list that a CHECK holds has its part", () => {
    const documented = lines.filter((line) => /^#### `\w+\.\w+`$/.test(line)).map(plain);
    expect(documented.toSorted()).toEqual(lists.map(([name]) => name).toSorted());
  });

  test.each(lists)("%s has these words", (name, allowed) => {
    expect(column(name, "word")).toEqual(allowed);
  });

  test.each([
    ["orders.state", orderMoves],
    ["entries.state", entryMoves],
    ["withdrawals.state", withdrawalMoves],
    ["The way of a referral", referralMoves],
  ])("%s moves as its room's table says", (name, moves) => {
    const documented = tableUnder(name).map((row) => [row.word, words(row["may become"])]);
    expect(Object.fromEntries(documented)).toEqual(moves);
  });

  test("each state of a subscription means what the table of policies says", () => {
    const yes = (is: boolean) => (is ? "yes" : "no");
    const documented = tableUnder("subscriptions.state").map((row) => [
      row.word,
      [row["keeps plan"], row["has access"], row["may subscribe"], row["needs payment"]],
    ]);
    const meant = Object.entries(policies).map(([state, policy]) => [
      state,
      [policy.keepsPlan, policy.hasAccess, policy.maySubscribe, policy.needsPayment].map(yes),
    ]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(meant));
  });

  test("the payment provider's eight words become ours", () => {
    const statuses: Record<ProviderStatus, true> = {
      ...{ active: true, trialing: true, past_due: true, unpaid: true },
      ...{ paused: true, incomplete: true, incomplete_expired: true, canceled: true },
    };
    const documented = tableUnder("Words of the payment provider").map((row) => [row.theirs, row.ours]);
    const ours = Object.keys(statuses).map((word) => [word, stateOf(word as ProviderStatus, null, 0)]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(ours));
  });

  test("each state of an order has the payment page that tells its truth", () => {
    const documented = tableUnder("Which payment page is true").map((row) => [row.order, row.page]);
    expect(Object.fromEntries(documented)).toEqual(statusOf);
  });

  test("money that went back means for a contract what the table of its rules says", () => {
    const documented = tableUnder("Money that went back within a contract").map((row) => [
      ...[row["refunded order"], row.cause, row["how much"], row.plan, row["also owed"], row.declaration, row.offered],
    ]);
    const decided = contractStages.flatMap((stage) =>
      Object.entries(contractTable).flatMap(([cause, byAmount]) =>
        Object.entries(byAmount).map(([amount, { plan, owed, declaration, offered }]) => [
          ...[stage, cause, amount, plan, owed, declaration, offered],
        ]),
      ),
    );
    expect(documented).toEqual(decided);
  });

  test("a proven code opens an account where its purpose says so", () => {
    const documented = tableUnder("codes.purpose").map((row) => [row.word, row["creates account"] === "yes"]);
    expect(Object.fromEntries(documented)).toEqual(createsAccount);
  });
});

const rooms = import.meta.glob<Record<string, unknown>>(
  [
    "../../{app/modules,workers/monitoring}/**/*rules.ts",
    "../../workers/monitoring/constants.ts",
    "../../app/http/read-form.ts",
  ],
  { eager: true },
);
const exported = Object.entries(rooms).flatMap(([path, room]) =>
  Object.entries(room).map(([name, value]) => ({ file: path.replace("../../", ""), name, value })),
);

describe("validation rules", () => {
  /** A config needn't have a preference of each kind. */
  const oneOfEachKind: Preference[] = [
    { key: "choice", label: "", kind: "choice", options: [], default: "" },
    { key: "number", label: "", kind: "number", min: 0, max: 1, default: 0 },
    { key: "switch", label: "", kind: "switch", default: true },
  ];
  /** A valibot schema, as far as it is walked here: fields by name, and everywhere the words for what is wrong. */
  type Node = { entries?: Record<string, unknown>; options?: unknown[]; message?: unknown } & Record<string, unknown>;

  const schemas = new Map<string, Node>();
  for (const { name, value } of exported.filter((candidate) =>
    /rules\.ts .*Form$/.test(`${candidate.file} ${candidate.name}`),
  )) {
    // Three forms are made for what they are given.
    const made =
      typeof value === "function" ? value(/^(join|withdrawal)Form$/.test(name) ? emailField : oneOfEachKind) : value;
    schemas.set(name, made as Node);
  }

  test("every form of a module is in the table, with every field that it takes and no other", () => {
    const taken = [...schemas].flatMap(([name, form]) => fieldsOf(form).map((field) => `${name} ${field}`));
    const preferences = new Set(oneOfEachKind.map((preference) => `preferencesForm ${preference.key}`));
    const ours = taken.filter((field) => !preferences.has(field));
    const documented = tableUnder("Fields of forms").map((row) => `${row.form} ${row.field}`);
    expect(documented.toSorted()).toEqual(unique(ours));
  });

  test("the words that a form's field takes are told in the table, and no intent beside them", () => {
    const told = new Map(
      tableUnder("Fields of forms", (cell) => cell.trim()).map(({ form = "", field = "", rule = "" }) => [
        `${plain(form)} ${plain(field)}`,
        [...rule.matchAll(/`([^`]+)`/g)].flatMap(([, word = ""]) => listNamed(word) ?? [word]),
      ]),
    );
    const taken = [...schemas].flatMap(([name, form]) =>
      name === "preferencesForm"
        ? []
        : fieldsOf(form).map((field) => [`${name} ${field}`, wordsOf(form, field)] as const),
    );
    const isTold = (field: string, list: string[]) => {
      const here = told.get(field) ?? [];
      const isWhole = list.every((word) => word === "" || here.includes(word));
      return isWhole && (!field.endsWith(" intent") || here.every((word) => list.includes(word)));
    };
    expect(taken.filter(([field, list]) => !isTold(field, list))).toEqual([]);
    expect(taken.filter(([, list]) => list.length > 1).length).toBeGreaterThan(8);
  });

  test("every word for a problem is in the table, and no other", () => {
    const said = [...schemas.values()].flatMap((form) => [...problemsIn(form)]);
    expect(column("Problems of fields", "problem").toSorted()).toEqual(unique(said));
  });

  const keys: readonly string[] = product.preferences.map(({ key }) => key);
  const bodies = calls.flatMap(({ method, path, body }) => (body ? [{ call: `${method} ${path}`, body }] : []));

  test("every field that a call takes is in the table, and no other", () => {
    const taken = bodies.flatMap(({ call, body }) =>
      Object.keys(body.entries).flatMap((field) => (keys.includes(field) ? [] : [`${call} ${field}`])),
    );
    expect(tableUnder("Fields of calls").map((row) => `${row.call} ${row.field}`)).toEqual(taken);
  });

  test("every word for a problem of a call's field is in the table, and no other", () => {
    const said = [...bodies.map(({ body }) => body), preferencesBody(oneOfEachKind)].flatMap((body) => [
      ...problemsIn(body),
    ]);
    expect(column("Problems of calls' fields", "problem").toSorted()).toEqual(unique(said));
  });

  function fieldsOf(form: Node): string[] {
    if (form.entries) return Object.keys(form.entries);
    return (form.options ?? []).flatMap((option) => fieldsOf(option as Node));
  }

  /** The closed list of words that a field takes, over all variants of its form; none where it is open. */
  function wordsOf(form: Node, field: string): string[] {
    if (!form.entries) return (form.options ?? []).flatMap((option) => wordsOf(option as Node, field));
    return wordsIn(form.entries[field] as Node | undefined);
  }

  function wordsIn(node: Node | undefined): string[] {
    const { type, literal, options = [], wrapped, pipe = [] } = node ?? {};
    if (type === "literal") return [String(literal)];
    if (type === "picklist") return options as string[];
    const inner = type === "union" ? options : [wrapped, ...(pipe as Node[])];
    return inner.flatMap((part) => (part === node ? [] : wordsIn(part as Node | undefined)));
  }

  /** A list that a module exports under this name: the table says its name instead of all its words. */
  function listNamed(name: string): string[] | null {
    const list = exported.find((candidate) => candidate.name === name && Array.isArray(candidate.value));
    return (list?.value as string[] | undefined) ?? null;
  }

  function problemsIn(node: unknown, seen = new Set<unknown>()): Set<string> {
    const problems = new Set<string>();
    if (typeof node !== "object" || node === null || seen.has(node)) return problems;
    seen.add(node);
    if ("message" in node && typeof node.message === "string") problems.add(node.message);
    for (const part of Object.values(node)) {
      for (const problem of problemsIn(part, seen)) problems.add(problem);
    }
    return problems;
  }
});

describe("calls", () => {
  const wrangler = readFileSync("wrangler.toml", "utf8");

  test("the bindings are those of wrangler.toml", () => {
    const sections = [...wrangler.matchAll(/^\[\[(\w+)\]\]\n((?:\w+ = .*\n?)*)/gm)];
    const bound = sections.map(([, kind, body = ""]) => {
      const name = /^(?:binding|name) = "(\w+)"/m.exec(body)?.[1];
      return `${kind} ${name}`;
    });
    expect(tableUnder("Bindings").map((row) => `${row.kind} ${row.binding}`)).toEqual(bound);
  });

  test("the flood covers allow what wrangler.toml says", () => {
    const limits = [...wrangler.matchAll(/^name = "(FLOOD_\w+)"[\s\S]*?limit = (\d+), period = (\d+)/gm)];
    const documented = tableUnder("Flood covers").map((row) => [row.binding, row.limit, row.seconds]);
    expect(documented).toEqual(limits.map(([, name, limit, seconds]) => [name, limit, seconds]));
  });

  test("the variables are those that the Worker reads", () => {
    const read = found(
      /(?<!import\.meta\.)\benv\.([A-Z][A-Z_]+)\b/g,
      // The list of routes is read when the site is built.
      (path) => !path.startsWith("workers/monitoring/") && path !== "app/routes.ts",
    );
    const bound = column("Bindings", "binding");
    const diagnostics = found(/\b(SENTRY_[A-Z_]+)\?: string/g);
    const local = [...readFileSync(".dev.vars.example", "utf8").matchAll(/^([A-Z_]+)=/gm)].map(
      ([, name]) => name ?? "",
    );
    const variables = unique([...read, ...diagnostics, ...local]).filter((name) => !bound.includes(name));
    expect(column("Variables and secrets", "name").toSorted()).toEqual(variables);
  });

  test("the calls of the product API are those of its own table, in its order", () => {
    const or = (list: (string | number)[]) => (list.length === 0 ? "nothing" : list.join(", "));
    const ofSettings = "a field per key of the config's preferences";
    const described = calls.map((call) => ({
      call: `${call.method} ${call.path}`,
      caller: call.caller,
      fields: call.path === "/settings" && call.body ? ofSettings : or(Object.keys(call.body?.entries ?? {})),
      answers: or(call.answers.map(({ status }) => status)),
      "refuses, by its own rules": or(call.problems),
    }));
    expect(tableUnder("Calls of the product API")).toEqual(described);
  });

  test("the events of the payment provider are those that the webhook endpoint is set up for", () => {
    expect(column("Events of the payment provider", "event")).toEqual(WEBHOOK_EVENTS);
  });

  test("the cookies are those that the code names", () => {
    expect(column("Cookies", "cookie").toSorted()).toEqual(unique(found(/(__Host-[a-z]+)/g)));
  });

  test("the mails are those of the mail module", () => {
    const templates = found(/\btemplate: "([a-z-]+)"/g, (path) => path === "app/modules/email/templates.rules.ts");
    expect(column("Mails", "mail")).toEqual(templates);
    const switches = templates.map((template) => kindOf(template as EmailContent["template"]) ?? "");
    expect(column("Mails", "may be switched off")).toEqual(switches);
  });
});

/** What answers browsers in that module. */
const isOfTheTunnel = (path: string) => /monitoring\/(?:relay-\w+|request-checks)\.server\.ts$/.test(path);

describe("the error catalogue", () => {
  /** Words after `reason:` up to the end of that member, a choice between two among them. */
  const reasons = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/\breason: ([^;,}\n]*)/g)].flatMap(([, value = ""]) =>
      [...value.matchAll(/(?<!\[)"([a-z]+(?:-[a-z]+)*)"/g)].map((match) => match[1] ?? ""),
    ),
  );

  test("every reason of a refusal stands in it exactly once, and nothing else does", () => {
    const catalogue = column("Refusals", "reason");
    expect(catalogue.toSorted()).toEqual(unique(reasons));
  });

  test("its statuses are those that tables and answers of the code give a reason", () => {
    const isAnswer = (path: string) => /^app\/(api|http|routes)\//.test(path);
    const given = [
      ...[/^ +"?([a-z]+(?:-[a-z]+)+)"?: (\d{3}),$/gm, /\breason: "([a-z-]+)"(?: as const)?[;,]\s+status: (\d{3})/g],
      ...[/\bcase "([a-z-]+)":\s+return data\([^;]*?status: (\d{3})/g, /"([a-z-]+)": \{ status: (\d{3}), title: /g],
      /\breason(?:: | === )"([a-z-]+)"(?: as const \},|\) return data\(refusal,) \{ status: (\d{3})/g,
    ].flatMap((pattern) => [...sources].flatMap(([path, text]) => (isAnswer(path) ? [...text.matchAll(pattern)] : [])));
    const documented = new Map(tableUnder("Refusals").map((row) => [row.reason, words(row.status)]));
    const ours = given.filter(([, reason]) => documented.has(reason));
    expect(ours.length).toBeGreaterThan(70);
    const differing = ours.filter(([, reason, status = ""]) => !documented.get(reason)?.includes(status));
    expect(differing.map(([, reason, status]) => [reason, status])).toEqual([]);
  });

  test("where it names a messages file, that module has words for the reason", () => {
    const rows = tableUnder("Refusals").flatMap((row) => words(row.words).map((file) => [row.reason, file] as const));
    const silent = rows.filter(([reason, file]) => {
      const text = sources.get(fullPath(file));
      return !text || !new RegExp(`^\\s*"?${reason}"?[:(]`, "m").test(text);
    });
    expect(silent).toEqual([]);
  });

  test("the problems of the product API are those of its own table, in its order", () => {
    const documented = tableUnder("Problems of the product API").map((row) => `${row.status} ${row.code}`);
    expect(documented).toEqual(Object.entries(problems).map(([code, { status }]) => `${status} ${code}`));
  });

  test("the operators' calls and problems are those of their own tables, in their order", () => {
    const or = (list: string[]) => (list.length === 0 ? "nothing" : list.join(", "));
    const described = operatorCalls.map((call) => ({
      call: `${call.method} ${call.path}`,
      fields: or(Object.keys(call.body?.entries ?? {})),
      "refuses, by its own rules": or(call.problems),
    }));
    expect(tableUnder("Calls of the operators")).toEqual(described);
    const documented = tableUnder("Refusals").filter((row) => row.words?.includes("api/operator-problems.ts"));
    expect(unique(documented.map((row) => `${row.status} ${row.reason}`))).toEqual(
      unique(Object.entries(operatorProblems).map(([code, { status }]) => `${status} ${code}`)),
    );
    expect(unique(operatorCalls.flatMap((call) => call.problems))).toEqual(unique(Object.keys(operatorProblems)));
  });

  test("every problem that a call can meet is in the table, and no other", () => {
    const met = calls.flatMap((call) => problemsOf(call));
    // One is about no call at all.
    expect(unique([...met, ...bodyProblems, "no-such-call"])).toEqual(unique(Object.keys(problems)));
  });

  test("the tunnel's refusals are those that it answers", () => {
    const answered = found(/\brefuse\((\d+, "[^"]+")/g, isOfTheTunnel);
    const faults = found(/FramingFault = ([^;]+);/g).flatMap((union) => [...union.matchAll(/"(\w+)"/g)]);
    const documented = tableUnder("Refusals of the tunnel").map((row) => `${row.status}, "${row.detail}"`);
    expect(documented.toSorted()).toEqual(unique([...answered, ...faults.map(([, fault]) => `400, "${fault}"`)]));
  });
});

describe("diagnostics, word by word", () => {
  const said = new Map(tableUnder("Diagnostics, word by word").map((row) => [row.part, row.words ?? ""]));
  const own = "https://key@receiver.example/42";
  const room = (path: string) => path.startsWith("workers/monitoring/");

  test("the call out goes where the DSN says", () => {
    const dsn = parseDsn(own);
    expect(said.get("call out")).toBe(`POST ${dsn && envelopeUrl(dsn)} for ${own}`);
  });

  test("the headers up are all that pass", () => {
    const everything = Object.fromEntries(
      [...words(said.get("headers up")), "cookie", "authorization", "referer", "origin", "x-forwarded-for"]
        .filter((name) => name !== "x-sentry-forwarded-for")
        .map((name) => [name, "x"]),
    );
    const up = headersUp(new Headers({ ...everything, "CF-Connecting-IP": "192.0.2.1" }), "gzip", true);
    expect(words(said.get("headers up"))).toEqual([...up.keys()]);
  });

  test("the headers down are those that its answers can have", () => {
    const down = found(/"(Content-Type|[A-Z][\w-]+)":/g, isOfTheTunnel);
    expect(words(said.get("headers down"))).toEqual(unique(down.filter((name) => name !== "Allow")));
  });

  test("fields, reasons and settings are those of the room", () => {
    const [fields = ""] = found(/FORGEABLE_FIELDS = \[([^;]+)\];/g, room);
    const [reasons = ""] = found(/type LossReason = ([^;]+);/g, room);
    const quoted = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, word]) => word);
    expect(words(said.get("envelope header fields that are stripped"))).toEqual(quoted(fields));
    expect(words(said.get("what the tunnel tells of its own losses"))).toEqual(quoted(reasons));
    expect(words(said.get("settings for browsers"))).toEqual(
      Object.keys(clientSettings(settingsFromEnv({ SENTRY_DSN: own })) ?? {}),
    );
  });
});

describe("answers at the door", () => {
  test("are those of workers/error-responses.ts", () => {
    const answers = [...(sources.get("workers/error-responses.ts") ?? "").matchAll(/\bpage\((\d+), "([^"]+)"/g)];
    const documented = tableUnder("Answers at the door").map((row) => `${row.status} ${row.title}`);
    expect(documented).toEqual(answers.map(([, status, title]) => `${status} ${title}`));
  });
});

describe("constants and limits", () => {
  const ofRooms = exported.filter(({ file }) => !file.startsWith("app/core/"));

  test("every number that a module exports is in the table with its value, and no other", () => {
    const numbers = ofRooms.filter(({ value }) => isNumbers(value)).map(({ name, value }) => [name, [value].flat()]);
    const documented = tableUnder("Numbers").map((row) => [row.constant, valueOf(row)]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(numbers));
    expect(documented).toHaveLength(numbers.length);
  });

  test("each stands in the file that the table names", () => {
    const misplaced = tableUnder("Numbers").filter(
      (row) => !ofRooms.some(({ file, name }) => name === row.constant && file === fullPath(row.file)),
    );
    expect(misplaced).toEqual([]);
  });

  test("every text that a module exports is in the table, and no other", () => {
    const texts = ofRooms.filter(({ value }) => typeof value === "string");
    const documented = tableUnder("Texts").map((row) => `${fullPath(row.file)} ${row.constant} = ${row.value}`);
    expect(documented).toEqual(texts.map(({ file, name, value }) => `${file} ${name} = ${String(value)}`));
  });

  test("every list of words that a module exports is in the table, in its order", () => {
    const lists = ofRooms.filter(({ value }) => isWords(value)).map(({ name, value }) => [name, value]);
    const documented = tableUnder("Lists of words").map((row) => [row.list, words(row.words)]);
    // Two rooms may call their list the same: both stand in the table, so pairs are compared and not a record.
    expect(documented.toSorted(byText)).toEqual(lists.toSorted(byText));
  });

  test("every number that a file keeps to itself is in the table as it is written, and no other", () => {
    const number = /^(?:export )?const (\w+) = ((?:[\d_.]+|[()*/ ]|secondMs|minuteMs|hourMs|dayMs|KIB|MIB)+);/gm;
    const elsewhere = new Set([...exported.map(({ name }) => name), "KIB", "MIB"]);
    const written = [...sources]
      // Components keep measures of drawing, which are no promise to anybody; an hour is an hour.
      .filter(([path]) => !path.startsWith("app/ui/") && path !== "app/core/time/time.ts")
      .flatMap(([path, text]) => [...text.matchAll(number)].map(([, name, value]) => ({ path, name, value })))
      .filter(({ name = "" }) => !elsewhere.has(name))
      .map(({ path, name, value }) => `${path} ${name} = ${value}`);
    const documented = tableUnder("Numbers kept to a file").map(
      (row) => `${row.file} ${row.constant} = ${row.written}`,
    );
    expect(documented.toSorted()).toEqual(written.toSorted());
  });

  test("the settings of a team are the keys of app/product/config.ts", () => {
    expect(column("Settings of the product", "key")).toEqual(Object.keys(product));
  });

  function isNumbers(value: unknown): value is number | number[] {
    return typeof value === "number" || (Array.isArray(value) && value.every((part) => typeof part === "number"));
  }

  function isWords(value: unknown): value is string[] {
    return Array.isArray(value) && value.every((part) => typeof part === "string");
  }

  /** "10" and "min" of `codeLifeMs` are 600,000: the unit in the name is the one that the value is kept in. */
  function valueOf(row: Row): number[] {
    const { constant = "", value = "", unit = "" } = row;
    const factors = factorsOf(constant);
    const factor = factors === null ? 1 : factors[unit];
    if (factor === undefined) throw new Error(`${constant} is not kept in ${unit}`);
    return value.split(", ").map((figure) => Number(figure) * factor);
  }

  function factorsOf(constant: string): Record<string, number> | null {
    const ms = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };
    if (/Ms$|_MS$/.test(constant)) return ms;
    if (constant.endsWith("_S")) return { s: 1 };
    if (/bytes/i.test(constant)) return { bytes: 1, KiB: 1024, MiB: 1024 * 1024 };
    return null;
  }
});

describe("the other documents", () => {
  const documents = ["README.md", "CONTRIBUTING.md", ...readdirSync("docs", { recursive: true, encoding: "utf8" })]
    .filter((name) => name.endsWith(".md"))
    .map((name) => (existsSync(name) ? name : `docs/${name}`));
  const text = new Map(documents.map((name) => [name, readFileSync(name, "utf8")] as const));

  test("docs/security.md names tests that exist", () => {
    const map = text.get("docs/security.md") ?? "";
    const rows = [...map.matchAll(/^\| [\d., ]*\| [^|]+ \| `([^`|]+)` \| ([^|]+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.length).toBe([...map.matchAll(/^\| (?!ASVS )/gm)].length);
    const missing = rows
      .map(([, file = "", name = ""]) => ({ file, name: name.trim() }))
      .filter(({ file, name }) => !existsSync(file) || !readFileSync(file, "utf8").includes(`"${name}"`));
    expect(missing).toEqual([]);
  });

  test("commands that they tell are in package.json", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const told = [...text].flatMap(([name, words]) =>
      [...words.matchAll(/\bnpm run ([a-z:]+)/g)].map((match) => `${name}: ${match[1]}`),
    );
    expect(told.filter((line) => !((line.split(": ")[1] ?? "") in scripts))).toEqual([]);
  });

  test("files that they name are there", () => {
    const path = /`((?:app|workers|scripts|tests|docs|public)\/[\w./-]+\.\w+)`/g;
    const named = [...text].flatMap(([name, words]) =>
      [...words.matchAll(path)].map((match) => [name, match[1] ?? ""]),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(([, file = ""]) => !existsSync(file))).toEqual([]);
  });

  test("docs/guides/deploy.md lists the events that the webhook endpoint asks for, and its API version", () => {
    const deploy = text.get("docs/guides/deploy.md") ?? "";
    expect(deploy).toContain(`API version \`${API_VERSION}\``);
    expect(WEBHOOK_EVENTS.filter((event) => !deploy.includes(`\`${event}\``))).toEqual([]);
  });

  test("the decision on dependencies has a line for each package", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
    const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const decision = text.get("docs/decisions/0009-dependencies.md") ?? "";
    const ours = packages.filter((name) => !name.startsWith("@types/"));
    expect(ours.filter((name) => !decision.includes(`\`${name}\``))).toEqual([]);
  });
});
