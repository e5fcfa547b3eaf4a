import type { OperatorCallId } from "#app/core/id.ts";
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { operatorLog } from "./schema.ts";
import { type OperatorOutcome } from "./rules.ts";

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
