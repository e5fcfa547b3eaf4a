import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { batchNamed, type Statement } from "#app/db/batch.server.ts";
import type { App, Base, PaymentAccess, Site } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { findCustomer } from "#app/modules/billing/subscriptions/queries.server.ts";
import {
  type BalanceCall,
  balanceAfter,
  planBalanceSync,
  planDeductions,
  type BalanceSync,
  withBalanceSync,
} from "../balance-sync.rules.ts";
import { balanceOf, type Line } from "../rules.ts";
import { emptyLots, ownLotsOf } from "../lots.rules.ts";
import { deductionsDue } from "../deductions.rules.ts";
import {
  addLine,
  closeLine,
  lineExists,
  listLedgerLines,
  changePosting,
  changeComparedAt,
  ledgerIsUnchanged,
} from "../queries.server.ts";

import { listUnrecordedUses, returnCredit } from "../uses.queries.server.ts";

export type Deps = Base & Site & PaymentAccess;

type Customer = { providerId: CustomerId; syncedAt: number };
type Account = { id: AccountId; currency: string; now: number };

/** Rounds of comparing an account with Stripe in one run; the next run continues. */
const looksMax = 5;

/**
 * Makes an account's ledger and its customer balance at Stripe agree, and makes the deductions that are due. Idempotent and safe to run
 * concurrently: each line is unique by its cause, on both sides. An account without a customer has a ledger too, whose lines are
 * transferred once it has a customer.
 */
export async function syncCredit(app: Deps, accountId: AccountId): Promise<Result<null, ProviderFailure>> {
  const { db, payments } = app;
  const now = app.clock();
  const account = { id: accountId, currency: app.product.currency, now };
  const {
    customer: [customer],
    lines,
    unrecorded,
  } = await batchNamed(db, {
    returnCredit: returnCredit(db, accountId, now),
    customer: findCustomer(db, accountId),
    lines: listLedgerLines(db, accountId),
    unrecorded: listUnrecordedUses(db, accountId),
  });
  if (!customer || !payments) return customer ? done(null) : deductWithoutCustomer(app, account, lines, null);
  const posted = lines.filter(({ customerId }) => customerId === customer.providerId);
  // The ledger contains credit only, and never a debt.
  const isInSync =
    balanceOf(posted) === Math.max(0, customer.creditMinor) &&
    posted.length === lines.length &&
    unrecorded.length === 0;
  if (!isInSync || deductionsDue(lines, now).length + emptyLots(lines, now).length > 0) {
    return compare({ ...app, payments }, account, customer);
  }
  const isRecorded =
    customer.ledgerSyncedAt === customer.syncedAt || (lines.length === 0 && customer.ledgerSyncedAt === 0);
  if (!isRecorded) await recordComparison(app, account, customer, { askedAt: customer.syncedAt, creditMinor: null });
  return done(null);
}

type Comparing = Deps & { payments: NonNullable<App["payments"]> };

/** Reads Stripe's transactions, records them, creates what is missing at Stripe, and reads again, until nothing is left to do. */
async function compare(app: Comparing, account: Account, customer: Customer): Promise<Result<null, ProviderFailure>> {
  const { db, payments } = app;
  const { providerId: customerId } = customer;
  for (let round = 0; round < looksMax; round += 1) {
    const askedAt = app.wallClock();
    const listed = await payments.listBalanceTransactions(customerId, account.currency);
    const lines = await listLedgerLines(db, account.id);
    if (!listed.ok) {
      if (!isMissing(listed.refusal)) return listed;
      await recordComparison(app, account, customer, { askedAt, creditMinor: null });
      return deductWithoutCustomer(app, account, lines, customerId);
    }
    const sync = planBalanceSync({ lines, transactions: listed.value, customerId, currency: account.currency });
    const after = withBalanceSync(lines, sync, customerId);
    const deductions = sync.calls.length > 0 ? [] : deductionsDue(after, account.now);
    const creditMinor = balanceAfter(listed.value);
    const deduction = planDeductions(deductions, creditMinor, { customerId, ...account });
    await write(app, account, customerId, { ...sync, lines: [...sync.lines, ...deduction.lines] }, after);
    const calls: BalanceCall[] = [...sync.calls, ...deduction.calls];
    if (calls.length === 0) {
      await recordComparison(app, account, customer, { askedAt, creditMinor });
      return done(null);
    }
    for (const call of calls) {
      const made = await makeCall(app, account, customerId, call);
      if (!made.ok) return made;
    }
  }
  return done(null);
}

function makeCall(app: Comparing, { currency }: Account, customerId: CustomerId, call: BalanceCall) {
  const input = { customerId, currency };
  switch (call.kind) {
    case "post":
      return app.payments.addBalanceTransaction({
        ...input,
        key: call.line.id,
        lineId: call.line.id,
        amountMinor: call.line.amountMinor,
      });
    case "deduct": {
      const { id: lineId, kind, why, referralId, wantedMinor } = call.deduction;
      const deduction = { kind, why, referralId, wantedMinor };
      return app.payments.addBalanceTransaction({
        ...input,
        key: lineId,
        lineId,
        amountMinor: -call.amountMinor,
        deduction,
      });
    }
    case "return": {
      const { lineId: returnsLineId, amountMinor } = call;
      return app.payments.addBalanceTransaction({
        ...input,
        key: `${returnsLineId}.back`,
        lineId: null,
        returnsLineId,
        amountMinor,
      });
    }
  }
}

/** Without a customer there is only the ledger. Of concurrent runs, one finds the lines unchanged and writes. */
async function deductWithoutCustomer(
  app: Deps,
  account: Account,
  lines: Line[],
  forgottenId: CustomerId | null,
): Promise<Result<null, ProviderFailure>> {
  const { db } = app;
  const deductions = deductionsDue(lines, account.now);
  const taken = planDeductions(deductions, balanceOf(lines), { ...account, customerId: null }).lines;
  const statements: Statement[] = taken.map((line, index) =>
    addLine(db, account.id, line, ledgerIsUnchanged(account.id, lines.length + index, forgottenId)),
  );
  statements.push(...closings(app, account, taken, lines));
  await runAll(app, statements);
  return done(null);
}

async function write(
  app: Deps,
  account: Account,
  customerId: CustomerId,
  sync: BalanceSync,
  after: Line[],
): Promise<void> {
  const { db } = app;
  await runAll(app, [
    ...sync.lines.map((line) => addLine(db, account.id, line)),
    ...sync.postings.map((posting) => changePosting(db, { ...posting, customerId })),
    ...closings(app, account, sync.lines, after),
  ]);
}

/** Closes lots that expired empty, and lines whose rest was deducted. */
function closings({ db }: Deps, { now }: Account, taken: Line[], lines: Line[]): Statement[] {
  const ownLots = ownLotsOf([...lines, ...taken]);
  const closed = taken.flatMap(({ id, why }) => {
    const lotId = why === "made-up" ? undefined : ownLots.get(id);
    return lotId === undefined ? [] : [closeLine(db, lotId, now, lineExists(id))];
  });
  return [...closed, ...emptyLots(lines, now).map((id) => closeLine(db, id, now))];
}

async function runAll({ db }: Deps, statements: Statement[]): Promise<void> {
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

async function recordComparison(
  { db }: Deps,
  { id }: Account,
  { providerId, syncedAt }: Customer,
  seen: { askedAt: number; creditMinor: number | null },
): Promise<void> {
  await changeComparedAt(db, id, { ...seen, customerId: providerId, syncedAt });
}
