import type { OperatorCallId } from "#app/core/id.ts";
import { eq, inArray } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { operatorLog } from "./schema.ts";
import { type OperatorOutcome } from "./rules.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { cronCursors } from "./health.rules.ts";
import { webhookCursor } from "#app/modules/billing/sync/inbox.rules.ts";

// Writes --------------------------------------------------------------------------------------------------------------

type NewOperatorLogRow = {
  id: OperatorCallId;
  operator: string;
  call: string;
  subject: string | null;
  reason: string | null;
};

export function addOperatorLogRow(db: Database, row: NewOperatorLogRow, now: number) {
  return db.insert(operatorLog).values({ ...row, outcome: "began", beganAt: now });
}

export function changeOutcome(db: Database, id: OperatorCallId, outcome: OperatorOutcome, refusal: string | null) {
  return db.update(operatorLog).set({ outcome, refusal }).where(eq(operatorLog.id, id));
}

export function listCronCursors(db: Database) {
  const { name, cursor } = jobCursors;
  return db
    .select({ name, cursor })
    .from(jobCursors)
    .where(inArray(name, Object.values(cronCursors)));
}

export function findDelivery(db: Database) {
  return db.select({ at: jobCursors.cursor }).from(jobCursors).where(eq(jobCursors.name, webhookCursor));
}
