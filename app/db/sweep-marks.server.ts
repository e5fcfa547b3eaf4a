import { eq } from "drizzle-orm";
import type { Database } from "./client.server.ts";
import { sweepMarks } from "./sweep-marks.schema.ts";

/** Progress of the cron jobs that work in batches; each module names its own mark. */
export async function findMark(db: Database, name: string): Promise<string | null> {
  const [row] = await db.select().from(sweepMarks).where(eq(sweepMarks.name, name));
  return row?.mark ?? null;
}

export function changeMark(db: Database, name: string, at: string | number) {
  const mark = String(at);
  return db.insert(sweepMarks).values({ name, mark }).onConflictDoUpdate({ target: sweepMarks.name, set: { mark } });
}
