import { and, gt, inArray, lt } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { changeJobCursorOnce } from "#app/db/job-cursors.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";

/** Prices that Stripe lacks or has otherwise, each a cursor with the day on which the team was told of it. */
const prefix = "price-differs.";
const { name } = jobCursors;

/** Changes a row unless the team was told that day: of many at once, one does. */
export function addUnsoldPrice(db: Database, key: string, day: number) {
  return changeJobCursorOnce(db, prefix + key, day);
}

export function listUnsoldPrices(db: Database) {
  return db
    .select({ name })
    .from(jobCursors)
    .where(and(gt(name, prefix), lt(name, "price-differs/")));
}

export function readUnsoldPrices(rows: readonly { name: string }[]): ReadonlySet<string> {
  return new Set(rows.map((row) => row.name.slice(prefix.length)));
}

export function removeUnsoldPrices(db: Database, keys: readonly string[]) {
  return db.delete(jobCursors).where(
    inArray(
      name,
      keys.map((key) => prefix + key),
    ),
  );
}
