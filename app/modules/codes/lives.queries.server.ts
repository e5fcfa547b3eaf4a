import { and, lt, lte, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { mails } from "#app/modules/email/schema.ts";
import { codes } from "./schema.ts";
import { codeLifeMs, keptMs } from "./rules.ts";

/** When a code's life begins and ends: prepared statements, run by an act in one batch. */

/**
 * A code's ten minutes count from when its mail has left, which the outbox says: of one code, or of all whose life hasn't begun.
 * Twice is as good as once, and a Worker killed in between leaves it to the next run.
 */
export function countFromSending(db: Database, now: number, id?: string) {
  return statement(
    db,
    sql`
    update ${codes} set expires_at = (select sent_at from ${mails} where ${mails}.id = mail_id) + ${codeLifeMs}
    where ${waitsForMail(now, "sent")} and ${id === undefined ? sql`true` : sql`id = ${id}`}`,
  );
}

/** For the sweep: a code whose mail was given up reaches nobody. */
export function expireUnsent(db: Database, now: number) {
  return statement(db, sql`update ${codes} set state = 'expired' where ${waitsForMail(now, "failed")}`);
}

/** Nobody has said yet that its mail has left or failed; no code that was counted from its sending lives this long. */
function waitsForMail(now: number, mailState: "sent" | "failed"): SQL {
  return sql`state = 'issued' and expires_at > ${now + codeLifeMs}
    and exists (select 1 from ${mails} where ${mails}.id = mail_id and ${mails}.state = ${mailState})`;
}

/** For the sweep: what has outlived its ten minutes is said to be over. */
export function expireCodes(db: Database, now: number) {
  return db
    .update(codes)
    .set({ state: "expired" })
    .where(and(sql`${codes.state} = 'issued'`, lte(codes.expiresAt, now)));
}

/** For the sweep: codes that no honest answer ("already used") needs any more. */
export function removeOldCodes(db: Database, now: number) {
  return db.delete(codes).where(lt(codes.createdAt, now - keptMs));
}
