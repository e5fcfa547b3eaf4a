import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { toDemoIds } from "#app/core/stripe/demo-ids.ts";

type Row = Record<string, string | number | null>;

/** These tables belong to the deployed site and stay: its cron job's cursors, Stripe's events, the operators' log, what was ever sold. */
const kept = new Set(["job_cursors", "webhook_events", "operator_log", "sold_plans"]);

/** These are emptied and not loaded, since they belong to browsers and to minutes that have passed. */
const ofBrowsers = new Set(["sessions", "codes", "known_browsers", "used_challenges", "quota_uses", "wrong_streaks"]);

/** Counts accounts and waitlist entries of people who aren't the demo's. Erased accounts have no domain. */
export const strangersQuery = `select
  (select count(*) from accounts where email_canonical like '%@%.%' and email_canonical not like '%.example') +
  (select count(*) from entries where email_canonical like '%@%.%' and email_canonical not like '%.example') as strangers`;

/**
 * Writes the SQL that replaces a deployed database's content with that of the replayed one. D1 runs a file as a whole or not at all.
 * Returns the number of rows.
 */
export function writeLoad(database: string, file: string): number {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    const tables = listTables(db);
    const loaded = tables.filter((table) => !ofBrowsers.has(table));
    const rows = loaded.flatMap((table) => rowsOf(db, table).map((row) => ({ table, row })));
    const keeping = listKeeping(db);
    writeFileSync(
      file,
      [
        "PRAGMA defer_foreign_keys = on;",
        ...keeping.map(({ name }) => `DROP TRIGGER IF EXISTS "${name}";`),
        ...tables.map((table) => `DELETE FROM "${table}";`),
        ...keeping.map(({ sql }) => `${sql};`),
        ...rows.map(({ table, row }) => insert(table, row)),
        ...rowsOf(db, "entries").flatMap(linkToReferrer),
        // Triggers have counted while entries were removed.
        'DELETE FROM "queue_counts";',
        ...rowsOf(db, "queue_counts").map((row) => insert("queue_counts", row)),
        "",
      ].join("\n"),
    );
    return rows.length;
  } finally {
    db.close();
  }
}

/** Plans before devices, so that the trigger on plans finds no device whose seat could be lost. */
function listTables(db: DatabaseSync): string[] {
  const tables = db
    .prepare("select name from sqlite_master where type = 'table' order by name = 'subscriptions' desc, name")
    .all()
    .map(({ name }) => String(name));
  return tables.filter((name) => !/^(sqlite_|d1_|_cf_)/.test(name) && !kept.has(name));
}

/** Triggers that keep rows, such as issued documents, from being deleted: they are absent while the content is replaced. */
function listKeeping(db: DatabaseSync): { name: string; sql: string }[] {
  return db
    .prepare(
      "select name, sql from sqlite_master where type = 'trigger' and sql like '%BEFORE DELETE ON%' order by name",
    )
    .all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
}

function rowsOf(db: DatabaseSync, table: string): Row[] {
  // Waiting emails would be sent; sent ones are what an account's own list shows.
  const only = table === "emails" ? "where state = 'sent'" : "";
  // No column is a blob (`STRICT` tables of text and numbers).
  return db.prepare(`select * from "${table}" ${only} order by rowid`).all() as Row[];
}

/** Inserts an entry without its referrer: the trigger that moves a referrer's place would do so a second time. */
function insert(table: string, row: Row): string {
  const written = table === "entries" ? { ...row, referrer_entry_id: null } : row;
  const names = Object.keys(written).map((name) => `"${name}"`);
  return `INSERT INTO "${table}" (${names.join(", ")}) VALUES (${Object.values(written).map(literal).join(", ")});`;
}

function linkToReferrer({ id = null, referrer_entry_id: referrer = null }: Row): string[] {
  if (referrer === null) return [];
  return [`UPDATE "entries" SET "referrer_entry_id" = ${literal(referrer)} WHERE "id" = ${literal(id)};`];
}

function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${toDemoIds(value).replaceAll("'", "''")}'`;
}
