import { env } from "cloudflare:workers";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";

/**
 * The database as its migrations leave it, starting from an empty one (tests/support/database/migrate.ts applies
 * them).
 */
const tables = Object.values(schema)
  .filter((value) => value instanceof SQLiteTable)
  .map((table) => getTableConfig(table));
const dialect = new SQLiteSyncDialect({ casing: "snake_case" });

type Made = { type: string; name: string; tbl_name: string; sql: string | null };

type ForeignKey = { child: string; field: string; parent: string; on_delete: string; on_update: string };

/** Only our own: neither SQLite's tables nor the platform's, nor wrangler's list of migrations. */
async function madeBy(type: "table" | "index" | "trigger"): Promise<Made[]> {
  const { results } = await env.DB.prepare(
    "select type, name, tbl_name, sql from sqlite_master where type = ? order by name",
  )
    .bind(type)
    .all<Made>();
  return results.filter(({ name }) => !/^(sqlite_|_cf_|d1_)/.test(name));
}

/** In a form that both sides can be compared in: without quotes, and with single blanks. */
function plain(sql: string): string {
  return sql.replace(/["`]/g, "").replace(/\s+/g, " ").trim();
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (content) => `_${content.toLowerCase()}`);
}

describe("the migrated database", () => {
  test("started empty, and has every migration applied in order", async () => {
    const { results } = await env.DB.prepare("select name from d1_migrations order by id").all<{ name: string }>();
    expect(results.map(({ name }) => name)).toEqual(env.TEST_MIGRATIONS.map(({ name }) => name));
    const names = env.TEST_MIGRATIONS.map(({ name }) => name);
    expect(names.toSorted()).toEqual(names);
  });

  test("has exactly the tables of the schema", async () => {
    const made = await madeBy("table");
    expect(made.map(({ name }) => name)).toEqual(tables.map(({ name }) => name).toSorted());
  });

  test("has STRICT tables only", async () => {
    const made = await madeBy("table");
    expect(made.length).toBeGreaterThan(10);
    expect(made.filter(({ sql }) => !/\)\s*STRICT\s*$/i.test(sql ?? "")).map(({ name }) => name)).toEqual([]);
  });

  test.each(tables.map((table) => [table.name, table] as const))(
    "has the schema's columns in its order: %s",
    async (name, table) => {
      const { results } = await env.DB.prepare("select name, type, [notnull], pk from pragma_table_info(?)")
        .bind(name)
        .all<{ name: string; type: string; notnull: number; pk: number }>();
      const together = table.primaryKeys.flatMap((key) => key.columns.map((part) => part.name));
      expect(
        results.map((column) => [column.name, column.type.toLowerCase(), column.notnull === 1, column.pk > 0]),
      ).toEqual(
        table.columns.map((field) => [
          snake(field.name),
          field.getSQLType(),
          field.notNull,
          field.primary || together.includes(field.name),
        ]),
      );
    },
  );

  test("has exactly the CHECKs of the schema", async () => {
    const made = new Map((await madeBy("table")).map(({ name, sql }) => [name, plain(sql ?? "")]));
    const wanted = tables.flatMap((table) =>
      table.checks.map((check) => ({
        table: table.name,
        check: plain(`CONSTRAINT ${check.name} CHECK(${dialect.sqlToQuery(check.value).sql})`),
      })),
    );
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter(({ table, check }) => !made.get(table)?.includes(check))).toEqual([]);
    const held = [...made.values()].flatMap((sql) => sql.match(/CONSTRAINT \w+ CHECK/g) ?? []);
    expect(held).toHaveLength(wanted.length);
  });

  test("has exactly the indexes of the schema", async () => {
    const made = await madeBy("index");
    const wanted = tables.flatMap((table) => [
      ...table.columns
        .filter((field) => field.isUnique)
        .map((field) => `CREATE UNIQUE INDEX ${field.uniqueName} ON ${table.name} (${snake(field.name)})`),
      ...table.indexes.map(({ config }) => {
        const parts = config.columns.map((part) => (is(part, SQL) ? dialect.sqlToQuery(part).sql : snake(part.name)));
        const where = config.where ? ` WHERE ${dialect.sqlToQuery(config.where).sql}` : "";
        return plain(
          `CREATE ${config.unique ? "UNIQUE " : ""}INDEX ${config.name} ON ${table.name} (${parts.join(", ")})${where}`,
        );
      }),
    ]);
    expect(made.flatMap(({ sql }) => (sql === null ? [] : [plain(sql)])).toSorted()).toEqual(wanted.toSorted());
  });

  test("has exactly the triggers of the schema", async () => {
    const made = (await madeBy("trigger")).map(({ sql }) => plain(sql ?? ""));
    expect(made.length).toBeGreaterThan(10);
    // A comment above a trigger isn't stored.
    expect(made.toSorted()).toEqual(schema.triggers.map((text) => plain(text.replace(/^--.*\n/gm, ""))).toSorted());
  });

  test("has the schema's foreign keys, none of which deletes or changes a child", async () => {
    const requests = await env.DB.batch<ForeignKey>(
      tables.map(({ name }) =>
        env.DB.prepare(
          "select ? as child, [from] as field, [table] as parent, on_delete, on_update from pragma_foreign_key_list(?)",
        ).bind(name, name),
      ),
    );
    const results = requests.flatMap((answer) => answer.results);
    const wanted = tables.flatMap((table) =>
      table.foreignKeys.map((key) => {
        const { columns, foreignTable } = key.reference();
        return `${table.name}.${snake(columns[0]?.name ?? "")} → ${getTableConfig(foreignTable).name}`;
      }),
    );
    const made = results.map((key) => `${key.child}.${key.field} → ${key.parent}`);
    expect(made.toSorted()).toEqual(wanted.toSorted());
    const acting = results.filter((key) => key.on_delete !== "NO ACTION" || key.on_update !== "NO ACTION");
    expect(acting).toEqual([]);
  });
});

describe("the database rejects", () => {
  const write = (sql: string) => env.DB.prepare(sql).run();
  const account = (id: string, email: string, state = "active") =>
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values ('${id}', '${state}', '${email}', '${email}', 'en', 'UTC', 'v', 0)`;

  test("an unknown state", async () => {
    await expect(write(account("acc_word", "word@example.com", "asleep"))).rejects.toThrow(/CHECK constraint failed/);
  });

  test("text in a number column", async () => {
    const sql = "insert into quota_uses (id, quota, used_at) values ('use_text', 'b', 'yesterday')";
    await expect(write(sql)).rejects.toThrow(/cannot store TEXT value in INTEGER column/);
  });

  test("a second account with the same address", async () => {
    await write(account("acc_first", "one@example.com"));
    await expect(write(account("acc_second", "one@example.com"))).rejects.toThrow(/UNIQUE constraint failed/);
  });

  test("a row without an owner", async () => {
    const sql = "insert into customers (account_id, provider_id, created_at) values ('acc_nobody', 'cus_1', 0)";
    await expect(write(sql)).rejects.toThrow(/FOREIGN KEY constraint failed/);
  });

  test("the deletion of an account that rows refer to", async () => {
    await write(account("acc_owner", "owner@example.com"));
    await write("insert into customers (account_id, provider_id, created_at) values ('acc_owner', 'cus_2', 0)");
    await expect(write("delete from accounts where id = 'acc_owner'")).rejects.toThrow(/FOREIGN KEY constraint failed/);
  });

  test("half of a batch", async () => {
    const batch = env.DB.batch([
      env.DB.prepare(account("acc_half", "half@example.com")),
      env.DB.prepare(account("acc_other_half", "half@example.com")),
    ]);
    await expect(batch).rejects.toThrow(/UNIQUE constraint failed/);
    const left = await env.DB.prepare(
      "select count(*) as count from accounts where email = 'half@example.com'",
    ).first();
    expect(left).toEqual({ count: 0 });
  });
});
