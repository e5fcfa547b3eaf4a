import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { AccountId, LedgerLineId, ReferralId } from "#app/core/id.ts";
import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { customers } from "#app/modules/billing/subscriptions/schema.ts";
import { ledgerLines } from "./schema.ts";
import type { Posting } from "./balance-sync.rules.ts";
import { earnedLineId, expiryOf, type Line, type Why } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** Every line of an account, in the order they were written. */
export const listLedgerLines = prepared((db: Database, accountId: AccountId) => {
  const { accountId: owner, ...facts } = columns;
  return db
    .select(facts)
    .from(ledgerLines)
    .where(eq(owner, accountId))
    .orderBy(sql`rowid`);
});

const columns = {
  id: ledgerLines.id,
  accountId: ledgerLines.accountId,
  kind: ledgerLines.kind,
  amountMinor: ledgerLines.amountMinor,
  currency: ledgerLines.currency,
  why: ledgerLines.why,
  referralId: ledgerLines.referralId,
  invoiceId: ledgerLines.invoiceId,
  owedMinor: ledgerLines.owedMinor,
  happenedAt: ledgerLines.happenedAt,
  expiresAt: ledgerLines.expiresAt,
  customerId: ledgerLines.customerId,
  providerId: ledgerLines.providerId,
  askedBack: ledgerLines.askedBack,
  closedAt: ledgerLines.closedAt,
};

/** The reward of a referral. */
export function findEarned(db: Database, referralId: ReferralId) {
  const { id, amountMinor, currency } = ledgerLines;
  return db
    .select({ amountMinor, currency })
    .from(ledgerLines)
    .where(eq(id, earnedLineId(referralId)));
}

/** Credit not transferred to the present customer yet, which a payment may count on already. */
export const sumUnposted = prepared((db: Database, accountId: AccountId) => {
  const isPosted = sql`exists (select 1 from ${customers}
    where ${customers.accountId} = ${ledgerLines.accountId} and ${customers.providerId} = ${ledgerLines.customerId})`;
  return db
    .select({ amountMinor: sql<number>`coalesce(sum(${ledgerLines.amountMinor}), 0)` })
    .from(ledgerLines)
    .where(and(eq(ledgerLines.accountId, accountId), sql`not ${isPosted}`));
});

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Adds a reward, once per referral, if `guard` holds. */
export function addEarned(
  db: Database,
  reward: { referralId: ReferralId; accountId: AccountId; amountMinor: number; currency: string; now: number },
  guard: SQL,
) {
  const { referralId, accountId, amountMinor, currency, now } = reward;
  return statement(
    db,
    sql`
    insert into ${ledgerLines} (id, account_id, kind, amount_minor, currency, why, referral_id, happened_at, expires_at)
    select ${earnedLineId(referralId)}, ${accountId}, 'earned', ${amountMinor}, ${currency}, 'friend', ${referralId}, ${now},
      ${expiryOf(now)}
    where ${guard}
    on conflict do nothing`,
  );
}

/** Requests the reversal of a reward, if `guard` holds: the ledger's sync deducts what is left of it. Expired rewards are excluded. */
export function requestReversal(db: Database, referralId: ReferralId, why: Why, guard: SQL) {
  return statement(
    db,
    sql`
    update ${ledgerLines} set asked_back = ${why}
    where id = ${earnedLineId(referralId)} and asked_back is null and closed_at is null and ${guard}`,
  );
}

/** Adds a line once, if `guard` holds. */
export function addLine(db: Database, accountId: AccountId, line: Line, guard: SQL = sql`true`) {
  const { id, kind, amountMinor, currency, why, referralId, invoiceId, owedMinor } = line;
  const { happenedAt, expiresAt, customerId, providerId } = line;
  return statement(
    db,
    sql`
    insert into ${ledgerLines} (id, account_id, kind, amount_minor, currency, why, referral_id, invoice_id, owed_minor,
      happened_at, expires_at, customer_id, provider_id)
    select ${id}, ${accountId}, ${kind}, ${amountMinor}, ${currency}, ${why}, ${referralId}, ${invoiceId}, ${owedMinor},
      ${happenedAt}, ${expiresAt}, ${customerId}, ${providerId}
    where ${guard}
    on conflict do nothing`,
  );
}

/**
 * Whether no line was added since `linesRead` were read, and the account has no customer at Stripe whose balance would come first.
 * `forgottenId` is a customer that was deleted there.
 */
export function ledgerIsUnchanged(accountId: AccountId, linesRead: number, forgottenId: CustomerId | null): SQL {
  return sql`not exists (select 1 from ${customers} where account_id = ${accountId} and provider_id is not ${forgottenId})
    and (select count(*) from ${ledgerLines} where account_id = ${accountId}) = ${linesRead}`;
}

export function changePosting(
  db: Database,
  { lineId, providerId, customerId, invoiceId }: Posting & { customerId: CustomerId },
) {
  return db
    .update(ledgerLines)
    .set({ providerId, customerId, ...(invoiceId !== undefined && { invoiceId }) })
    .where(eq(ledgerLines.id, lineId));
}

/** Closes a line, if `guard` holds: it needs no further handling. */
export function closeLine(db: Database, id: LedgerLineId, now: number, guard: SQL = sql`true`) {
  return db
    .update(ledgerLines)
    .set({ closedAt: now })
    .where(and(eq(ledgerLines.id, id), isNull(ledgerLines.closedAt), guard));
}

export function lineExists(id: LedgerLineId): SQL {
  return sql`exists (select 1 from ${ledgerLines} line where line.id = ${id})`;
}

/** Stores the balance by Stripe's list, unless a later answer is stored. */
export function changeComparedAt(
  db: Database,
  accountId: AccountId,
  seen: { customerId: CustomerId; syncedAt: number; askedAt: number; creditMinor: number | null },
) {
  const { customerId, syncedAt, askedAt, creditMinor } = seen;
  return db
    .update(customers)
    .set({ ledgerSyncedAt: syncedAt, ...(creditMinor !== null && { creditMinor }) })
    .where(
      and(
        eq(customers.accountId, accountId),
        eq(customers.providerId, customerId),
        lte(customers.syncedAt, Math.max(askedAt, syncedAt)),
      ),
    );
}
