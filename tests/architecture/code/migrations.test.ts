import { globSync, readFileSync } from "node:fs";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { sql } from "drizzle-orm";
import { check, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { schemaFile } from "./layers.ts";

const snapshots = globSync("drizzle/meta/*_snapshot.json").toSorted();
const newest = JSON.parse(readFileSync(snapshots.at(-1) ?? "", "utf8")) as Awaited<
  ReturnType<typeof generateSQLiteDrizzleJson>
>;

/** What `npm run db:generate` would write for these tables. */
async function migrationTo(tables: Record<string, unknown>): Promise<string[]> {
  return generateSQLiteMigration(newest, await generateSQLiteDrizzleJson(tables, newest.id, "snake_case"));
}

test("the newest migration matches the schema in the code, so that nothing is left to generate", async () => {
  expect(await migrationTo(schema)).toEqual([]);
});

test("a table, a column or a CHECK that differs is reported", async () => {
  const { jobCursors: _removed, ...others } = schema;
  expect(await migrationTo(others)).toEqual(["DROP TABLE `sweep_marks`;"]);
  const columns = { name: text().primaryKey(), mark: text().notNull() };
  const same = sqliteTable("sweep_marks", columns);
  expect(await migrationTo({ ...others, same })).toEqual([]);
  const wider = sqliteTable("sweep_marks", { ...columns, day: text() });
  expect(await migrationTo({ ...others, wider })).toEqual(["ALTER TABLE `sweep_marks` ADD `day` text;"]);
  const checked = sqliteTable("sweep_marks", columns, ({ mark }) => [check("marks", sql`${mark} in ('a', 'b')`)]);
  expect(await migrationTo({ ...others, checked })).not.toEqual([]);
});

test("every schema is among the compared tables", () => {
  const files = globSync("app/{db,modules/*}/*.ts").filter((path) => schemaFile.test(path));
  expect(files.length).toBeGreaterThan(10);
  const exported = readFileSync("app/db/schema.ts", "utf8");
  expect(files.filter((path) => !exported.includes(`"#${path}"`))).toEqual([]);
});
