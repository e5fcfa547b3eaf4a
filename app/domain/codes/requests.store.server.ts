import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { codes } from "#app/db/schema.ts";
import { addRequest, type NewCode } from "./store.server.ts";

/** Requests that something else than their code answers: prepared statements, run by an act in one batch. */

/** One that no mail goes out for. It takes the place of the last such one: no budget counts them. */
export function addUnmailedRequest(db: Database, request: NewCode & { mailId: null }) {
  const { browserHash, accountId } = request;
  return [
    statement(
      db,
      sql`
      delete from ${codes}
      where browser_hash = ${browserHash} and account_id = ${accountId} and mail_id is null and state <> 'used'`,
    ),
    addRequest(db, request, sql`true`),
  ] as const;
}

/** The request waits still, whatever became of the tries at its code. */
export function requestLives(id: string, now: number): SQL {
  return sql`exists (select 1 from ${codes} where id = ${id} and ${waits(now)})`;
}

/** Uses the request up by another proof than its code, when `guard` holds. */
export function claimRequest(db: Database, id: string, attempt: { claim: string; now: number }, guard: SQL) {
  return statement(
    db,
    sql`
    update ${codes} set state = 'used', used_at = ${attempt.now}, claim = ${attempt.claim}
    where id = ${id} and ${waits(attempt.now)} and ${guard}`,
  );
}

function waits(now: number): SQL {
  return sql`state in ('issued', 'exhausted') and expires_at > ${now}`;
}
