import type { OperatorCallId } from "#app/core/id.ts";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { oneOf } from "#app/db/one-of.ts";
import { operatorOutcomes } from "./rules.ts";

/** The operators' log: a line is added before the action, and says afterwards how it ended. */
export const operatorLog = sqliteTable(
  "operator_log",
  {
    /** `opa_…` */
    id: text().$type<OperatorCallId>().primaryKey(),
    /** Who said to be calling. */
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
    /** Why, in the operator's words; and why it was refused, in ours. */
    reason: text(),
    /** Why it was refused. */
    refusal: text(),
    /** When it began. */
    beganAt: integer().notNull(),
  },
  (table) => [
    oneOf("operator_log_outcome", table.outcome, operatorOutcomes),
    index("operator_log_newest").on(table.beganAt),
  ],
);
