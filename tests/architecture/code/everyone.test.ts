import { DatabaseSync } from "node:sqlite";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { featureSamples } from "#tests/support/features.ts";
import { statementsOfQueries } from "#tests/support/database/statements-of-queries.ts";
import { migrationStatements } from "../../../scripts/site/apply-migrations.ts";

/**
 * Every statement names an account, or a row or an address of one; those that range over all of them stand in `everyone.queries.server.ts`.
 * The database says which is which: here it has no index but on columns that identify somebody, so that it has to scan a table for the others.
 */
type Ask = (...args: unknown[]) => unknown;
const modules = import.meta.glob<Record<string, unknown>>("/app/{modules,features}/**/*queries.server.ts", {
  eager: true,
});
const functions = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).flatMap(([name, ask]) =>
    typeof ask === "function" ? [{ path: path.slice(1), name, ask: ask as Ask }] : [],
  ),
);

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const tables = Object.values(schema).flatMap((table) => (table instanceof SQLiteTable ? [getTableConfig(table)] : []));
/** Rows of the site, not of an account. */
const ofSite = [
  ...["job_cursors", "operator_log", "sold_plans", "webhook_events"],
  ...featureSamples.flatMap(({ siteTables = [] }) => siteTables),
];
/** What is written or shown for one account, but depends on all. */
const amongOthers: Readonly<Record<string, string>> = {
  payOrder: "orders are numbered one after the other",
  addPaidOrder: "orders are numbered one after the other",
  issueCreditNote: "credit notes are numbered one after the other",
  removeQuotas: "names of parts begin with the address's own",
  ...Object.assign({}, ...featureSamples.map((feature) => feature.amongOthers)),
};
/** A column whose value is one account's or one address's, in whichever table. Quotas are named by a hash. */
const ofOne = /(^|_)(id|hash|email|canonical|mailbox|address|code|quota|number_in_year)$/;
/** A network and a plan have many. */
const ofMany = ["network_hash", "plan_id", "pending_plan_id"];
const identifying = new Map(
  tables.map(({ name, columns }) => [
    name,
    columns.map((column) => snake(column.name)).filter((column) => ofOne.test(column) && !ofMany.includes(column)),
  ]),
);

/** `on conflict` needs the unique ones. */
function openWithoutOtherIndexes(kept: "unique" | "none"): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const statement of migrationStatements()) database.exec(statement);
  const others = database.prepare(
    `select m.name from sqlite_master m join pragma_index_list(m.tbl_name) l on l.name = m.name
     where m.type = 'index' and m.sql is not null and not (l."unique" and ?)`,
  );
  for (const { name } of others.all(kept === "unique" ? 1 : 0)) database.exec(`drop index "${String(name)}"`);
  for (const [table, columns] of identifying)
    for (const column of columns) database.exec(`create index "of ${table} ${column}" on "${table}" ("${column}")`);
  return database;
}

type Step = "one" | "everyone" | "site";

/** Whose rows a step of a query's plan looks at. */
function stepOf(query: string, detail: string): Step {
  const [, how = "", named = ""] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
  const aliased = new RegExp(`"(\\w+)" (?:as )?"?${named}"?[\\s),]`, "i").exec(query)?.[1] ?? named;
  const table = identifying.has(named) ? named : aliased;
  const columns = identifying.get(table);
  if (columns === undefined) return "one";
  if (ofSite.includes(table)) return "site";
  const equal = [...detail.matchAll(/(\w+)=\?/g)].map(([, column = ""]) => column);
  const isFound = equal.some((column) => column === "rowid" || columns.includes(column));
  return how === "SEARCH" && isFound ? "one" : "everyone";
}

/** Null for what can't be asked without the statement that contains it, or only with real values. */
async function stepsOf([database, next]: readonly DatabaseSync[], ask: Ask): Promise<ReadonlySet<Step> | null> {
  if (!database) return null;
  try {
    const statements = await statementsOfQueries(ask);
    if (statements.length === 0) return null;
    const steps = statements.flatMap(({ query }) => {
      // An index on what is null for nearly everyone would narrow nothing.
      const plain = query
        .replaceAll(/ indexed by \w+/g, "")
        .replaceAll(/((?:"?\w+"?\.)?"?\w+"?) is null/gi, "+$1 is null");
      const plan = database.prepare(`explain query plan ${plain}`).all(...query.split("?").slice(1).fill("1"));
      return plan.map(({ detail }) => stepOf(query, String(detail)));
    });
    return new Set(steps);
  } catch {
    return next ? stepsOf([next], ask) : null;
  }
}

const databases = [openWithoutOtherIndexes("none"), openWithoutOtherIndexes("unique")];
const asked = await Promise.all(
  functions.map(async (each) => ({ ...each, steps: await stepsOf(databases, each.ask) })),
);
const isForEveryone = (path: string) => path.endsWith("/everyone.queries.server.ts");

test("a statement names an account, or stands in a file that says that it ranges over everyone", () => {
  expect(asked.filter(({ steps }) => steps !== null).length).toBeGreaterThan(380);
  const found = asked.filter(({ path, steps }) => !isForEveryone(path) && steps?.has("everyone"));
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(amongOthers).toSorted());
});

test("such a file has nothing about one account", () => {
  const found = asked.filter(({ path, steps }) => isForEveryone(path) && steps?.size === 1 && steps.has("one"));
  expect(found.map(({ name, path }) => `${name} in ${path}`)).toEqual([]);
});
