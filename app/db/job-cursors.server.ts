import { eq, ne } from "drizzle-orm";
import type { Database } from "./database.server.ts";
import { jobCursors } from "./job-cursors.schema.ts";

/** Progress of the cron jobs that work in batches; each module names its own cursor. */
export async function findJobCursor(db: Database, name: string): Promise<string | null> {
  const [row] = await db.select().from(jobCursors).where(eq(jobCursors.name, name));
  return row?.cursor ?? null;
}

/** Keeps the first value. */
export function addJobCursor(db: Database, name: string, at: number) {
  return db
    .insert(jobCursors)
    .values({ name, cursor: String(at) })
    .onConflictDoNothing();
}

export function changeJobCursor(db: Database, name: string, at: string | number) {
  const cursor = String(at);
  return db
    .insert(jobCursors)
    .values({ name, cursor })
    .onConflictDoUpdate({ target: jobCursors.name, set: { cursor } });
}

/** Changes a row unless the cursor is there already: of many at once, one does. */
export function changeJobCursorOnce(db: Database, name: string, at: string | number) {
  const cursor = String(at);
  return db
    .insert(jobCursors)
    .values({ name, cursor })
    .onConflictDoUpdate({ target: jobCursors.name, set: { cursor }, setWhere: ne(jobCursors.cursor, cursor) });
}
