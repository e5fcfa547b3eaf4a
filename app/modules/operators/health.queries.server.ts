import { inArray } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { cronCursors } from "./health.rules.ts";

export function listCronCursors(db: Database) {
  const { name, cursor } = jobCursors;
  return db
    .select({ name, cursor })
    .from(jobCursors)
    .where(inArray(name, Object.values(cronCursors)));
}
