import type { AccountId, EmailId, EntryId, OrderId } from "#app/core/id.ts";
import { and, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, lte, ne, not, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { documents } from "#app/modules/billing/documents/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { emails } from "./schema.ts";
import { type EmailRefusalReason, kindOf, recentEmailsMax, tryLeaseMs } from "./rules.ts";
import type { EmailContent } from "./templates.rules.ts";

export type QueuedEmail = {
  id: EmailId;
  template: EmailContent["template"];
  /** Canonical; not stored. */
  address: string;
  sealed: string;
  /** The order whose payment or refund it is about. */
  orderId?: OrderId;
  /** Whose email it is if no account has the address: an account's former one, or one typed on the withdrawal page. */
  accountId?: AccountId;
  /** The same for an address that waits at the gate. */
  entryId?: EntryId;
  now: number;
};

/** The guard of an email about the statement just before it. */
export { justChanged } from "#app/db/database.server.ts";

export function findEmail(db: Database, id: EmailId | SQL) {
  return db.select().from(emails).where(eq(emails.id, id));
}

/** The ids of an account's emails of these templates since then: what it was informed of already. */
export function listEmailsSince(
  db: Database,
  account: AccountId | SQL,
  templates: EmailContent["template"][],
  since: number,
) {
  const { id, recipientId, template, createdAt } = emails;
  return db
    .select({ id })
    .from(emails)
    .where(and(eq(recipientId, account), gte(createdAt, since), inArray(template, templates)));
}

/** The newest emails to an account, without their contents. */
export const listRecentEmails = prepared((db: Database, accountId: AccountId) => {
  const { id, template, state, createdAt, sentAt, returned } = emails;
  return db
    .select({ id, template, state, createdAt, sentAt, returned })
    .from(emails)
    .where(eq(emails.recipientId, accountId))
    .orderBy(desc(createdAt))
    .limit(recentEmailsMax);
});

/**
 * Queues an email if `guard` holds (the row it is about exists), once per id. Nothing is queued if the recipient's account switched this
 * kind off, or was erased: its address has no domain then (`changeToGone`).
 */
export function addEmail(db: Database, email: QueuedEmail, guard: SQL = sql`true`) {
  return statement(
    db,
    sql`
    insert into ${emails} (id, state, template, sealed, created_at, next_try_at, order_id, recipient_id)
    select ${email.id}, 'queued', ${email.template}, ${email.sealed}, ${email.now}, ${email.now}, ${email.orderId ?? null},
      coalesce(
        (select id from ${accounts} where email_canonical = ${email.address}),
        ${email.accountId ?? email.entryId ?? null})
    where ${guard} and ${email.address} like '%_@_%._%' and ${isWanted(email)}
    on conflict do nothing`,
  );
}

/** Removes an email whose kind was switched off after it was queued, as if it had never been. */
export function removeUnwanted(db: Database, email: { id: EmailId } & Addressed) {
  return db
    .delete(emails)
    .where(and(eq(emails.id, email.id), eq(emails.state, "queued"), not(isWanted(email))))
    .returning({ id: emails.id });
}

/** The outbox doesn't try an email without a time for it. */
export function holdEmail(db: Database, id: EmailId, guard: SQL) {
  return statement(db, sql`update ${emails} set next_try_at = null where id = ${id} and state = 'queued' and ${guard}`);
}

/** Makes an email due that was held. */
export function releaseEmail(db: Database, id: EmailId, now: number, guard: SQL) {
  return statement(
    db,
    sql`update ${emails} set next_try_at = ${now} where id = ${id} and state = 'queued' and ${guard}`,
  );
}

/** Takes an email that was just queued for sent, so that whoever waits for it sees nothing else. */
export function withholdEmail(db: Database, id: EmailId, now: number, guard: SQL) {
  return statement(
    db,
    sql`update ${emails} set state = 'sent', sent_at = ${now}, sealed = null, next_try_at = null
      where id = ${id} and state = 'queued' and tries = 0 and ${guard}`,
  );
}

type Addressed = { template: string; address: string };

function isWanted({ template, address }: Addressed): SQL {
  const kind = kindOf(template);
  if (kind === null) return sql`true`;
  return sql`not exists (
    select 1 from ${accounts}, json_each(${accounts.emailsOff}) off
    where ${accounts.emailCanonical} = ${address} and off.value = ${kind})`;
}

/** Leases a due email for one try; a second caller gets nothing. */
export function leaseEmail(db: Database, id: EmailId, now: number) {
  return db
    .update(emails)
    .set({ tries: sql`${emails.tries} + 1`, nextTryAt: now + tryLeaseMs })
    .where(and(eq(emails.id, id), eq(emails.state, "queued"), lte(emails.nextTryAt, now)))
    .returning({ ...getTableColumns(emails), orderNumber: numberOfItsOrder, creditNote: numberOfItsCreditNote });
}

/** As `spellNumber` writes it; null while the order has none. */
const numberOfItsOrder = sql<string | null>`(
  select printf('%d-%06d', number_year, number_in_year) from ${orders}
  where id = ${emails.orderId} and number_year is not null)`;

/**
 * As `documentNumber` writes it: of the credit note whose cause is part of the email's id, the longest, as one that takes another back has that
 * one's cause in its own. Null if the email is about none. Both columns with their tables, since `returning`
 * names its own without; and a plus, or SQLite reads all credit notes by the index of their numbers.
 */
const numberOfItsCreditNote = sql<string | null>`(
  select printf('CN-%d-%06d', number_year, number_in_year) from ${documents}
  where documents.order_id = emails.order_id and +kind = 'credit-note' and instr(${emails.id} || '.', '.' || cause || '.') > 0
  order by length(cause) desc limit 1)`;

/** Makes the next try due now. If it is due within a lease it may be running, and is left as it is. */
export function changeEmailToDue(db: Database, id: EmailId, now: number) {
  return db
    .update(emails)
    .set({ nextTryAt: now })
    .where(and(eq(emails.id, id), eq(emails.state, "queued"), gt(emails.nextTryAt, now + tryLeaseMs)));
}

/** Marks the email as sent, even if its try was given up meanwhile, and wipes its content. */
export function changeToSent(db: Database, id: EmailId, serviceId: string | null, now: number) {
  return db
    .update(emails)
    .set({ state: "sent", sentAt: now, sealed: null, nextTryAt: null, refusal: null, quotaUntil: null, serviceId })
    .where(and(eq(emails.id, id), ne(emails.state, "sent")));
}

/** Applies to the newest try only: the failure of one that lost its lease says nothing about its successor. */
export function changeAfterFailure(
  db: Database,
  { id, tries }: { id: EmailId; tries: number },
  failure: {
    retryAt: number | null;
    tries: number;
    sealed: string | null;
    refusal: EmailRefusalReason | null;
    quotaUntil: number | null;
  },
) {
  const { retryAt, sealed, refusal, quotaUntil, tries: counted } = failure;
  const ended = retryAt === null ? ({ state: "failed", sealed } as const) : {};
  return db
    .update(emails)
    .set({ nextTryAt: retryAt, tries: counted, refusal, quotaUntil, ...ended })
    .where(and(eq(emails.id, id), eq(emails.state, "queued"), eq(emails.tries, tries)));
}

/** Queues a failed email again whose content is still stored, from the first try on. */
export function requeueEmail(db: Database, id: EmailId, now: number) {
  return db
    .update(emails)
    .set({ state: "queued", tries: 0, nextTryAt: now, refusal: null })
    .where(and(eq(emails.id, id), eq(emails.state, "failed"), isNotNull(emails.sealed)));
}
