import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrateLocal } from "./migrate-local.ts";

test("a database that is up to date is left alone; one that was changed, damaged or deleted isn't", async () => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-migrated-"));
  try {
    await migrateLocal(folder);
    const file = globSync(join(folder, "v3/d1/*/*.sqlite")).find(hasMigrations) ?? "";
    // What would be refused if anyone looked.
    const database = new DatabaseSync(file);
    database.exec("insert into d1_migrations (name) values ('9999_later.sql')");
    database.close();
    await migrateLocal(folder);
    writeFileSync(join(folder, "v3/d1/migrated.sha256"), "of other migrations");
    await expect(migrateLocal(folder)).rejects.toThrow("9999_later.sql");
    rmSync(join(folder, "v3"), { recursive: true });
    await migrateLocal(folder);
    expect(globSync(join(folder, "v3/d1/*/*.sqlite")).some(hasMigrations)).toBe(true);
    const again = globSync(join(folder, "v3/d1/*/*.sqlite")).find(hasMigrations) ?? "";
    // The log beside it would repair it.
    for (const log of globSync(`${again}-*`)) rmSync(log);
    writeFileSync(again, "not a database, ".repeat(512));
    await expect(migrateLocal(folder)).rejects.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 240_000);

function hasMigrations(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("select name from sqlite_master where name = 'd1_migrations'").get() !== undefined;
  } finally {
    database.close();
  }
}
