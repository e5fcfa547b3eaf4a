import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DamagedDatabase, findDamaged, saysDamaged } from "./damaged-database.ts";
import { migrateLocal } from "./migrate-local.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foyer-damaged-"));
  mkdirSync(join(folder, "stripe/v3/do"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a local database", () => {
  test.each([
    ["whose beginning was overwritten", "SQLite format 2\0and more"],
    ["that was cut off", "SQLi"],
    ["that holds something else", "<!doctype html>"],
  ])("%s is named, also the emulator's, with the command that makes it again", async (_, content) => {
    const path = join(folder, "stripe/v3/do/a.sqlite");
    writeFileSync(path, content);
    expect(findDamaged(folder)).toBe(path);
    const message = `The local database at ${path} is damaged, so it can't be opened. Make it again: rm -r ${folder}`;
    await expect(migrateLocal(folder)).rejects.toThrow(new DamagedDatabase(path, folder));
    expect(new DamagedDatabase(path, folder).message).toBe(message);
  });

  test.each([
    ["is whole", "SQLite format 3\0and more"],
    ["is new", ""],
  ])("isn't if it %s, or isn't there yet", (_, content) => {
    writeFileSync(join(folder, "stripe/v3/do/a.sqlite"), content);
    expect(findDamaged(folder)).toBeNull();
    expect(findDamaged(join(folder, "none"))).toBeNull();
  });
});

test("damage that only reading finds is recognised by SQLite's own words", () => {
  expect(saysDamaged(new Error("D1_ERROR: database disk image is malformed: SQLITE_CORRUPT"))).toBe(true);
  expect(saysDamaged(new Error("D1_ERROR: file is not a database: SQLITE_NOTADB"))).toBe(true);
  expect(saysDamaged(new Error("D1_ERROR: no such table: accounts: SQLITE_ERROR"))).toBe(false);
});
