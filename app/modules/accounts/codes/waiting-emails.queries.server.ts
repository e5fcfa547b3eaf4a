import type { EmailId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { addEmail, holdEmail, type QueuedEmail, releaseEmail } from "#app/modules/email/queries.server.ts";
import { emails } from "#app/modules/email/schema.ts";
import type { WaitedQuota } from "./declaration-quotas.rules.ts";
import { addSiteFull, consumeEmailQuota, type EmailQuotaHit } from "./email-quotas.queries.server.ts";
import { quotaConsumed } from "./quota-uses.queries.server.ts";
import { waitingEmails } from "./schema.ts";

/** Queues an email, if `guard` holds, which counts against quotas and waits for them while one is full. */
export function addCountedEmail(
  db: Database,
  email: QueuedEmail,
  use: EmailQuotaHit<WaitedQuota["reason"]>,
  guard: SQL,
) {
  const { id } = email;
  return {
    counted: consumeEmailQuota(db, use, guard),
    email: addEmail(db, email, guard),
    waiting: [
      statement(
        db,
        sql`
        insert into ${waitingEmails} (email_id, quotas, try_at) select id, ${JSON.stringify(use.quotas)}, ${use.now + minuteMs}
        from ${emails} where id = ${id} and state = 'queued' and tries = 0 and ${guard} and not ${quotaConsumed(use)}`,
      ),
      holdEmail(db, id, emailWaits(id)),
    ] as const,
    siteFull: addSiteFull(db, use, guard),
  };
}

/** It still waits, so that two runs at the same time count it once. */
export function emailWaits(id: EmailId): SQL {
  return sql`exists (select 1 from ${waitingEmails} where email_id = ${id})`;
}

/** Its quotas had room: the outbox sends it. */
export function endWaiting(db: Database, id: EmailId, use: EmailQuotaHit<string>) {
  return [
    releaseEmail(db, id, use.now, quotaConsumed(use)),
    statement(db, sql`delete from ${waitingEmails} where email_id = ${id} and ${quotaConsumed(use)}`),
  ] as const;
}

export function postponeWaitingEmail(db: Database, id: EmailId, tryAt: number) {
  return db.update(waitingEmails).set({ tryAt }).where(eq(waitingEmails.emailId, id));
}
