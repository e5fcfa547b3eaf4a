import type { ConsumerId, AccountId, QuotaUseId, RequestId } from "#app/core/id.ts";
import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { codes } from "./schema.ts";
import { hasTries } from "./quotas.queries.server.ts";
import { quotaConsumed } from "./quota-uses.queries.server.ts";
import { type Code, type CodeQuotas, liveCodesMax, type Purpose, triesPerCodeMax } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** This browser's request. Another browser's isn't found. */
export const findCode = prepared((db: Database, id: RequestId, browserHash: string) =>
  db
    .select()
    .from(codes)
    .where(and(eq(codes.id, id), eq(codes.browserHash, browserHash))),
);

/** This browser's latest request, in any state. */
export function findNewestCode(db: Database, browserHash: string) {
  return db.select().from(codes).where(eq(codes.browserHash, browserHash)).orderBy(desc(codes.createdAt)).limit(1);
}

/** The codes that digits may match: same address, purpose, browser and account as the request, the newest two that are valid. */
export function listLiveCodes(db: Database, request: RequestId, browserHash: string, now: number) {
  const requests = db
    .select({ address: codes.address, purpose: codes.purpose, accountId: codes.accountId })
    .from(codes)
    .where(and(eq(codes.id, request), eq(codes.browserHash, browserHash)))
    .as("asked");
  return db
    .select({ code: codes })
    .from(codes)
    .innerJoin(requests, and(eq(codes.address, requests.address), eq(codes.purpose, requests.purpose)))
    .where(
      and(
        eq(codes.browserHash, browserHash),
        // `is` also matches null: sign-up and sign-in have no account yet.
        sql`${codes.accountId} is ${requests.accountId}`,
        eq(codes.state, "issued"),
        gt(codes.expiresAt, now),
      ),
    )
    .orderBy(desc(codes.createdAt))
    .limit(liveCodesMax);
}

/** This browser's newest valid request for an address, so that a second click finds it instead of sending another email. */
export function findLiveRequest(db: Database, address: string, purpose: Purpose, browserHash: string, now: number) {
  return db
    .select({ id: codes.id })
    .from(codes)
    .where(
      and(
        eq(codes.browserHash, browserHash),
        eq(codes.address, address),
        eq(codes.purpose, purpose),
        eq(codes.state, "issued"),
        gt(codes.expiresAt, now),
      ),
    )
    .orderBy(desc(codes.createdAt))
    .limit(1);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** The code was issued; for the statement that queues its email. */
export function codeIssued(id: RequestId): SQL {
  return sql`exists (select 1 from ${codes} where id = ${id})`;
}

/** Stored with its quota names, so that its page reads both in one query without knowing the address. */
export type NewCodeRow = Omit<Code, "state" | "wrongTries"> & { quotas: CodeQuotas };

/** Issues a code if its email was granted, and supersedes all but the newest two of its kind. */
export function addCode(db: Database, code: NewCodeRow, send: { id: QuotaUseId }) {
  return [
    addRequest(db, code, quotaConsumed(send)),
    statement(
      db,
      sql`
      update ${codes} set state = 'superseded'
      where address = ${code.address} and purpose = ${code.purpose} and browser_hash = ${code.browserHash}
        and state = 'issued' and ${quotaConsumed(send)}
        and id not in (
          select id from ${codes}
          where address = ${code.address} and purpose = ${code.purpose} and browser_hash = ${code.browserHash}
            and state = 'issued'
          order by created_at desc, id desc limit ${liveCodesMax})`,
    ),
  ] as const;
}

export function addRequest(db: Database, code: NewCodeRow, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${codes} (id, address, address_typed, browser_hash, purpose, state, code_hash, carried, created_at, expires_at,
      account_id, email_id, quotas)
    select ${code.id}, ${code.address}, ${code.addressTyped}, ${code.browserHash}, ${code.purpose}, 'issued',
      ${code.codeHash}, ${JSON.stringify(code.carried)}, ${code.createdAt}, ${code.expiresAt}, ${code.accountId}, ${code.emailId},
      ${JSON.stringify(code.quotas)}
    where ${guard}`,
  );
}

type Consumption = { id: RequestId; consumerId: ConsumerId; triesQuota: string; now: number };

/** Uses the code up for one attempt, if the quotas allow another try. Later statements of the batch check `codeConsumed`. */
export function consumeCode(db: Database, { id, consumerId, triesQuota, now }: Consumption, guard: SQL = sql`true`) {
  return statement(
    db,
    sql`
    update ${codes} set state = 'used', used_at = ${now}, consumer_id = ${consumerId}
    where id = ${id} and state = 'issued' and expires_at > ${now} and wrong_tries < ${triesPerCodeMax}
      and ${hasTries(triesQuota, now)} and ${guard}`,
  );
}

export function codeConsumed(id: RequestId, consumerId: ConsumerId): SQL {
  return sql`exists (select 1 from ${codes} where id = ${id} and consumer_id = ${consumerId})`;
}

/** Supersedes the other valid codes of its kind after one was used. */
export function retireSiblings(db: Database, code: Pick<Code, "address" | "purpose" | "browserHash">, isConsumed: SQL) {
  return statement(
    db,
    sql`
    update ${codes} set state = 'superseded'
    where address = ${code.address} and purpose = ${code.purpose} and browser_hash = ${code.browserHash}
      and state = 'issued' and ${isConsumed}`,
  );
}

/** Supersedes an account's pending requests in every browser, because its address changed. */
export function retireCodesOfAccount(db: Database, accountId: AccountId, guard: SQL) {
  return statement(
    db,
    sql`
    update ${codes} set state = 'superseded'
    where account_id = ${accountId} and state in ('issued', 'exhausted') and ${guard}`,
  );
}

/**
 * A code of this kind is valid that wasn't compared with the same digits last: for the WHERE of counting a wrong try. Digits that are sent
 * twice in a row reveal nothing the second time, unless a code was sent in between.
 */
export function isNewTry(code: LiveCodes, wrongHash: string, now: number): SQL {
  return sql`exists (select 1 from ${codes} where ${liveCodes(code, now)} and last_wrong_hash is not ${wrongHash})`;
}

/** Counts a wrong try on every valid code of its kind; the fifth exhausts it. */
export function addTryToCodes(db: Database, code: LiveCodes, wrongHash: string, counted: SQL, now: number) {
  return statement(
    db,
    sql`
    update ${codes} set wrong_tries = wrong_tries + 1, last_wrong_hash = ${wrongHash},
      state = case when wrong_tries + 1 >= ${triesPerCodeMax} then 'exhausted' else state end
    where ${liveCodes(code, now)} and ${counted}`,
  );
}

type LiveCodes = Pick<Code, "address" | "purpose" | "browserHash">;

function liveCodes(code: LiveCodes, now: number): SQL {
  return sql`address = ${code.address} and purpose = ${code.purpose} and browser_hash = ${code.browserHash}
    and state = 'issued' and expires_at > ${now}`;
}
