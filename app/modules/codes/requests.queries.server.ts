import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { codes } from "./schema.ts";
import type { TryNames } from "./quotas.queries.server.ts";
import { addRequest, type NewCode } from "./queries.server.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** Which request a page is about: the one that its address names; without a name the newest of its browser. */
export function idOfRequest(requestId: string | null, browserHash: string): SQL {
  if (requestId !== null) return sql`${requestId}`;
  return sql`(select id from ${codes} where browser_hash = ${browserHash} order by created_at desc limit 1)`;
}

export function findRequested(db: Database, id: SQL) {
  return db.select().from(codes).where(eq(codes.id, id));
}

/** Whose mail brings its code. */
export function mailOfRequest(id: SQL): SQL {
  return sql`(select mail_id from ${codes} where id = ${id})`;
}

/** What the budgets of its tries are called; nothing for a request from before they stood beside it. */
export function triesOfRequest(id: SQL): TryNames {
  const name = (path: string) => sql`(select json_extract(budgets, ${path}) from ${codes} where id = ${id})`;
  return {
    addressHash: name("$.addressHash"),
    stranger: { tries: name("$.stranger.tries") },
    known: { tries: name("$.known.tries") },
  };
}

/** Requests that something else than their code answers: prepared statements, run by an act in one batch -------------------- */

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
