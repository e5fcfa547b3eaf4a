/**
 * Decides how the ledger and the customer's balance at Stripe are brought to agree. Stripe knows what invoices used, the ledger what was
 * earned and why credit is deducted; each is recorded on the other side. Invariant: credit never falls below zero on either side. Called
 * from `syncCredit`.
 */
import type { BalanceTransaction } from "#app/core/stripe/balance-transaction.ts";
import type { BalanceTransactionId, CheckoutId, CustomerId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { LedgerLineId } from "#app/core/id.ts";
import { type Line, type Why, whys } from "./rules.ts";
import { type Deduction } from "./deductions.rules.ts";

/** A transaction to create at Stripe. */
export type BalanceCall =
  | { kind: "post"; line: Line }
  | { kind: "deduct"; deduction: Deduction; amountMinor: number }
  | { kind: "return"; lineId: LedgerLineId; amountMinor: number };

/** The transaction to store on an existing line. `invoiceId` is set once it is known: a checkout has none until it is paid. */
export type Posting = {
  lineId: LedgerLineId;
  providerId: BalanceTransactionId | null;
  invoiceId?: InvoiceId | CheckoutId;
};

/** What Stripe's transactions change in the ledger, and what to create at Stripe. */
export type BalanceSync = { postings: Posting[]; lines: Line[]; calls: BalanceCall[] };

type Facts = { lines: Line[]; transactions: BalanceTransaction[]; customerId: CustomerId; currency: string };

/** Expects the transactions oldest first. */
export function planBalanceSync(facts: Facts): BalanceSync {
  const sync: BalanceSync = { postings: [], lines: [], calls: [] };
  const postedAs = new Map(facts.lines.flatMap(({ id, providerId }) => (providerId ? [[providerId, id]] : [])));
  const taken = new Set<LedgerLineId>();
  for (const transaction of facts.transactions) {
    const own = facts.lines.find(({ id }) => id === transaction.lineId);
    const isFirst = transaction.lineId !== null && !taken.has(transaction.lineId);
    if (isFirst && transaction.lineId !== null) taken.add(transaction.lineId);
    if (own && isFirst) {
      if (own.providerId !== transaction.id) sync.postings.push({ lineId: own.id, providerId: transaction.id });
      sync.lines.push(...differenceOf(transaction, creditChange(transaction) - own.amountMinor, facts));
    } else if (postedAs.has(transaction.id)) {
      sync.postings.push(...invoiceNoted(transaction, facts));
    } else if (isFirst && transaction.lineId && transaction.deduction) {
      sync.lines.push(deductionLine(transaction, transaction.lineId, facts));
    } else sync.lines.push(...foreignLine(transaction, facts));
  }
  sync.lines = sync.lines.filter(({ id }) => !facts.lines.some((line) => line.id === id));
  // A line of zero needs no transaction with any customer.
  const empty = facts.lines.filter((line) => line.amountMinor === 0 && line.customerId !== facts.customerId);
  sync.postings.push(...empty.map(({ id }) => ({ lineId: id, providerId: null })));
  sync.calls = callsFor(facts, taken);
  return sync;
}

/** Adds the invoice to a line that was written before its checkout had one. */
function invoiceNoted({ id, source, invoiceId }: BalanceTransaction, { lines }: Facts): Posting[] {
  const line = lines.find(({ providerId }) => providerId === id);
  if (!line || source === "other" || invoiceId === null || line.invoiceId === invoiceId) return [];
  return [{ lineId: line.id, providerId: id, invoiceId }];
}

/** How a transaction changed the credit for the next charges: owing less isn't credit. */
function creditChange({ amountMinor, afterMinor }: BalanceTransaction): number {
  return Math.max(0, afterMinor) - Math.max(0, afterMinor - amountMinor);
}

/** The balance before the next charge: credit, or, below zero, a debt that is carried to that charge. */
export function balanceAfter(transactions: BalanceTransaction[]): number {
  return transactions.at(-1)?.afterMinor ?? 0;
}

function callsFor({ lines, transactions, customerId }: Facts, taken: Set<LedgerLineId>): BalanceCall[] {
  const isGivenBack = (lineId: LedgerLineId) => transactions.some(({ returnsLineId }) => returnsLineId === lineId);
  const overdrawn = transactions.flatMap((transaction): BalanceCall[] => {
    const { lineId, amountMinor, afterMinor } = transaction;
    if (lineId === null || amountMinor >= 0 || afterMinor >= 0 || isGivenBack(lineId)) return [];
    return [{ kind: "return", lineId, amountMinor: Math.min(-amountMinor, -afterMinor) }];
  });
  const unposted = lines.filter(
    (line) => line.customerId !== customerId && line.amountMinor !== 0 && !taken.has(line.id),
  );
  return [...overdrawn, ...unposted.map((line): BalanceCall => ({ kind: "post", line }))];
}

/** If the balance was in debt or less than the deduction, the difference gets a separate line. */
function differenceOf(transaction: BalanceTransaction, amountMinor: number, facts: Facts): Line[] {
  if (amountMinor === 0) return [];
  const kind = amountMinor < 0 ? "applied" : "reversed";
  const why = amountMinor < 0 ? "debt" : "used-first";
  // The transaction belongs to the other line; this one explains the difference.
  return [{ ...lineOf(transaction, facts), providerId: null, kind, amountMinor, why }];
}

/** The line of a deduction that was made at Stripe, and wasn't written because the Worker was killed. */
function deductionLine(transaction: BalanceTransaction, id: LedgerLineId, facts: Facts): Line {
  const { kind = "", why = "", referralId = null, wantedMinor = 0 } = transaction.deduction ?? {};
  const amountMinor = creditChange(transaction);
  return {
    ...lineOf(transaction, facts),
    id,
    kind: kind === "expired" ? "expired" : "reversed",
    amountMinor,
    why: whys.find((known) => known === why) ?? "taken",
    referralId,
    owedMinor: Math.max(0, wantedMinor + amountMinor),
  };
}

function foreignLine(transaction: BalanceTransaction, facts: Facts): Line[] {
  const amountMinor = creditChange(transaction);
  if (amountMinor === 0) return [];
  return [{ ...lineOf(transaction, facts), amountMinor, ...sayForeign(transaction, amountMinor) }];
}

/** Says why credit changed: an invoice used it, a voided one returned it, one left it over, or a team member changed it. */
function sayForeign(
  { source, returnsLineId }: BalanceTransaction,
  amountMinor: number,
): { kind: Line["kind"]; why: Why } {
  const gives = amountMinor > 0;
  if (returnsLineId !== null) return { kind: "reversed", why: "used-first" };
  switch (source) {
    case "invoice":
      return gives ? { kind: "earned", why: "left-over" } : { kind: "applied", why: "order" };
    case "invoice-voided":
      return { kind: "applied", why: gives ? "order-void" : "debt" };
    case "other":
      return gives ? { kind: "earned", why: "given" } : { kind: "reversed", why: "taken" };
  }
}

/** The lines as they are once `sync` is written. */
export function withBalanceSync(lines: Line[], sync: BalanceSync, customerId: CustomerId): Line[] {
  const posted = lines.map((line) => {
    const posting = sync.postings.find(({ lineId }) => lineId === line.id);
    if (!posting) return line;
    const { providerId, invoiceId = line.invoiceId } = posting;
    return { ...line, providerId, invoiceId, customerId };
  });
  return [...posted, ...sync.lines];
}

/**
 * Limits deductions to the available credit, of which a balance below zero has none. Where no transaction is needed, because there is no
 * credit or no customer, a line records the deduction and what is still owed.
 */
export function planDeductions(
  deductions: Deduction[],
  balanceMinor: number,
  { customerId, currency, now }: { customerId: CustomerId | null; currency: string; now: number },
): { calls: Extract<BalanceCall, { kind: "deduct" }>[]; lines: Line[] } {
  const calls: Extract<BalanceCall, { kind: "deduct" }>[] = [];
  const lines: Line[] = [];
  let left = Math.max(0, balanceMinor);
  for (const deduction of deductions) {
    const amountMinor = Math.min(deduction.takeMinor, left);
    left -= amountMinor;
    if (customerId !== null && amountMinor > 0) calls.push({ kind: "deduct", deduction, amountMinor });
    else if (amountMinor > 0 || deduction.kind === "reversed") {
      const { id, kind, why, referralId, wantedMinor } = deduction;
      const facts = { id, kind, why, referralId, currency, customerId, happenedAt: now };
      const rest = { invoiceId: null, expiresAt: null, providerId: null, askedBack: null, closedAt: null };
      lines.push({ ...facts, ...rest, amountMinor: 0 - amountMinor, owedMinor: wantedMinor - amountMinor });
    }
  }
  return { calls, lines };
}

function lineOf(transaction: BalanceTransaction, { customerId, currency }: Facts) {
  const id: LedgerLineId = `line_${transaction.id}`;
  return {
    id,
    currency,
    referralId: null,
    invoiceId: transaction.invoiceId,
    owedMinor: 0,
    happenedAt: transaction.at,
    expiresAt: null,
    customerId,
    providerId: transaction.id,
    askedBack: null,
    closedAt: null,
  };
}
