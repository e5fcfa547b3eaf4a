import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** A local run's database that SQLite can't open, after a full disk or a machine that went off, for example. */
export class DamagedDatabase extends Error {
  constructor(path: string, persistTo: string) {
    super(`The local database at ${path} is damaged, so it can't be opened. Make it again: rm -r ${persistTo}`);
  }
}

/** What each database's file begins with, unless it is empty (https://www.sqlite.org/fileformat.html#magic_header_string). */
const header = "SQLite format 3\0";

/** The first file below a folder that is called a database and isn't one. */
export function findDamaged(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sqlite"));
  return files.map((name) => join(folder, name)).find((path) => !["", header].includes(beginningOf(path))) ?? null;
}

function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(header.length);
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Damage further inside shows when the file is read. */
export function saysDamaged(error: unknown): boolean {
  return /SQLITE_(NOTADB|CORRUPT)/.test(String(error));
}
