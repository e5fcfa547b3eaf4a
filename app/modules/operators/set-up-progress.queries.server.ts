import { eq } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { webhookCursor } from "#app/modules/billing/sync/inbox.rules.ts";

export function findDelivery(db: Database) {
  return db.select({ at: jobCursors.cursor }).from(jobCursors).where(eq(jobCursors.name, webhookCursor));
}
