import type { OperatorCallId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { oneOf } from "#app/db/one-of.ts";
import { operatorOutcomes } from "./rules.ts";

/** The operators' log: a line is added before the action, and says afterwards how it ended. */
export const operatorLog = sqliteTable(
  "operator_log",
  {
    id: text().$type<OperatorCallId>().primaryKey(),
    /** The name that the caller gave. */
    operator: text().notNull(),
    /**
     * - `began`: under way, or cut off: it may have happened
     * - `done`: it happened
     * - `refused`: it didn't; `refusal` has the reason
     * - `broken`: a bug; the error report has it
     */
    outcome: text({ enum: operatorOutcomes }).notNull(),
    /** Which call, or which decision. */
    call: text().notNull(),
    /** Its subject: one of our ids or numbers, never an address. */
    subject: text(),
    /** Why, in the operator's words. */
    reason: text(),
    /** The reason with which the call was refused. */
    refusal: text(),
    beganAt: integer().notNull(),
  },
  (table) => [
    oneOf("operator_log_outcome", table.outcome, operatorOutcomes),
    index("operator_log_newest").on(table.beganAt),
  ],
);
