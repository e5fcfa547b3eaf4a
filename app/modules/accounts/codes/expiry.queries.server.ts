import type { RequestId } from "#app/core/id.ts";
import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { emails } from "#app/modules/email/schema.ts";
import { codes } from "./schema.ts";
import { codeLifeMs } from "./rules.ts";

/** When a code's lifetime starts and ends: statements that a command runs in a batch. */

/**
 * Starts the ten minutes of a code when the outbox says that its email was sent: for one code, or all that haven't started. Idempotent;
 * if a Worker is killed in between, the next run does it.
 */
export function startCodesAtSending(db: Database, now: number, id?: RequestId) {
  return statement(
    db,
    sql`
    update ${codes} set expires_at = (select sent_at from ${emails} where ${emails}.id = email_id) + ${codeLifeMs}
    where ${waitsForEmail(now, "sent")} and ${id === undefined ? sql`true` : sql`id = ${id}`}`,
  );
}

/** The code still waits for its email to be sent or to fail: once its lifetime has started, `expires_at` is never that far ahead. */
export function waitsForEmail(now: number, emailState: "sent" | "failed"): SQL {
  return sql`state = 'issued' and expires_at > ${now + codeLifeMs}
    and exists (select 1 from ${emails} where ${emails}.id = email_id and ${emails}.state = ${emailState})`;
}
