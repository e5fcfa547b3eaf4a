import type { ConsumerId, RequestId } from "#app/core/id.ts";
import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { codeTemplates } from "#app/modules/email/failed-emails.rules.ts";
import { emails } from "#app/modules/email/schema.ts";
import { codes } from "./schema.ts";
import type { TryNames } from "./quotas.queries.server.ts";
import { addRequest, type NewCodeRow } from "./queries.server.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The id of a page's request: from its URL, or without one the browser's newest. */
export function idOfRequest(requestId: RequestId | null, browserHash: string): SQL {
  if (requestId !== null) return sql`${requestId}`;
  return sql`(select id from ${codes} where browser_hash = ${browserHash} order by created_at desc limit 1)`;
}

export function findRequested(db: Database, id: SQL) {
  return db.select().from(codes).where(eq(codes.id, id));
}

/** The email that carries the request's code. */
export function emailOfRequest(id: SQL): SQL {
  return sql`(select email_id from ${codes} where id = ${id})`;
}

/** The quota names of the request's tries; null for a request stored before they were. */
export function triesOfRequest(id: SQL): TryNames {
  const name = (path: string) => sql`(select json_extract(quotas, ${path}) from ${codes} where id = ${id})`;
  return {
    addressHash: name("$.addressHash"),
    stranger: { tries: name("$.stranger.tries") },
    known: { tries: name("$.known.tries") },
  };
}

/** An address's newest request that waits for a code which was emailed. */
export function findEmailedRequest(db: Database, address: string, now: number) {
  const { id, purpose, expiresAt } = codes;
  return db
    .select({ id, purpose, expiresAt })
    .from(codes)
    .innerJoin(emails, eq(emails.id, codes.emailId))
    .where(
      and(
        eq(codes.address, address),
        eq(codes.state, "issued"),
        gt(codes.expiresAt, now),
        eq(emails.state, "sent"),
        inArray(emails.template, codeTemplates),
      ),
    )
    .orderBy(desc(codes.createdAt))
    .limit(1);
}

/** Puts another code in place of a request's own, while that is valid. */
export function changeCode(db: Database, id: RequestId, codeHash: string) {
  return db
    .update(codes)
    .set({ codeHash })
    .where(and(eq(codes.id, id), eq(codes.state, "issued")))
    .returning({ id: codes.id });
}

// Requests completed by other means than their code -------------------------------------------------------------------

/** Adds a request without an email. It replaces the last such one, since no quota counts them. */
export function addUnsentRequest(db: Database, request: NewCodeRow & { emailId: null }) {
  const { browserHash, accountId } = request;
  return [
    statement(
      db,
      sql`
      delete from ${codes}
      where browser_hash = ${browserHash} and account_id = ${accountId} and email_id is null and state <> 'used'`,
    ),
    addRequest(db, request, sql`true`),
  ] as const;
}

/** The request is still open, even if all tries at its code are used. */
export function requestIsOpen(id: RequestId, now: number): SQL {
  return sql`exists (select 1 from ${codes} where id = ${id} and ${waits(now)})`;
}

/** Uses the request up by another proof than its code, if `guard` holds. */
export function consumeRequest(
  db: Database,
  id: RequestId,
  attempt: { consumerId: ConsumerId; now: number },
  guard: SQL,
) {
  return statement(
    db,
    sql`
    update ${codes} set state = 'used', used_at = ${attempt.now}, consumer_id = ${attempt.consumerId}
    where id = ${id} and ${waits(attempt.now)} and ${guard}`,
  );
}

function waits(now: number): SQL {
  return sql`state in ('issued', 'exhausted') and expires_at > ${now}`;
}
