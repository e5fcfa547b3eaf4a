/**
 * Lots: what is left of each line that gave credit. Invariants: computed from the lines in the order they were written, never stored; the
 * lots add up to the balance. Called from the deductions, the ledger's sync and the page.
 */
import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { LedgerLineId } from "#app/core/id.ts";
import { type Line, reversedLineId, type Why } from "./rules.ts";

/** A line that gave credit, and what is left of it. */
export type Lot = { line: Line; leftMinor: number };
/** What one charge used of one lot. */
type Use = { lot: Lot; invoiceId: InvoiceId | CheckoutId; amountMinor: number };

/**
 * Computes the lots from all lines, in the order they were written. A deduction first uses its own lot (a reversed or expired one), then
 * the lot that expires first. Credit that a charge returns goes back to the lots it came from and keeps their origin and expiry.
 */
export function lotsOf(lines: Line[]): Lot[] {
  const lots: Lot[] = [];
  const uses: Use[] = [];
  const ownLots = ownLotsOf(lines);
  for (const line of lines) {
    if (line.amountMinor > 0) {
      const leftMinor = line.amountMinor - (returnWhys.includes(line.why) ? giveBack(uses, line) : 0);
      // Zero if all of it went back to older lots.
      if (leftMinor > 0) lots.push({ line, leftMinor });
    } else uses.push(...takeFrom(lots, line, ownLots.get(line.id) ?? null));
  }
  return lots;
}

/** Reasons of lines that return the credit an order had used. */
const returnWhys: readonly Why[] = ["order-refunded", "order-void"];

/** Returns credit to the lots that a charge used, the last used first. Returns how much of the line went back to lots. */
function giveBack(uses: Use[], { invoiceId, amountMinor }: Line): number {
  let left = amountMinor;
  for (const use of uses.toReversed()) {
    if (invoiceId === null || use.invoiceId !== invoiceId) continue;
    const given = Math.min(left, use.amountMinor);
    use.amountMinor -= given;
    use.lot.leftMinor += given;
    left -= given;
  }
  return amountMinor - left;
}

function takeFrom(lots: Lot[], taker: Line, own: LedgerLineId | null): Use[] {
  let wanted = -taker.amountMinor;
  const inOrder = lots.toSorted(
    (left, right) =>
      Number(right.line.id === own) - Number(left.line.id === own) ||
      // The difference is NaN if neither expires: then they are equal.
      (left.line.expiresAt ?? Infinity) - (right.line.expiresAt ?? Infinity) ||
      0,
  );
  const uses: Use[] = [];
  for (const lot of inOrder) {
    const taken = Math.min(wanted, lot.leftMinor);
    lot.leftMinor -= taken;
    wanted -= taken;
    if (taken > 0 && taker.invoiceId !== null) uses.push({ lot, invoiceId: taker.invoiceId, amountMinor: taken });
  }
  return uses;
}

/** A lot expires again if credit returns to it after its expiry. */
export function expiredLineId(lotId: LedgerLineId, nth: number): LedgerLineId {
  return nth === 1 ? `${lotId}.expired` : `${lotId}.expired.${nth}`;
}

/** The id of the line that uses a lot for what is owed. A lot can have several, since credit returns to it. */
export function madeUpLineId(lotId: LedgerLineId, nth: number): LedgerLineId {
  return `${lotId}.made-up.${nth}`;
}

/** The lot that each deduction was written for, both by the ids of their lines. The ids of a lot's deductions follow from the lot's own. */
export function ownLotsOf(lines: Line[]): Map<LedgerLineId, LedgerLineId> {
  const known = new Set(lines.map(({ id }) => id));
  const owned = lines
    .filter(({ amountMinor }) => amountMinor > 0)
    .flatMap(({ id: lot, kind, referralId }) => {
      const reversed = kind === "earned" && referralId !== null ? [reversedLineId(referralId)] : [];
      const expired = written(known, (nth) => expiredLineId(lot, nth));
      const madeUp = written(known, (nth) => madeUpLineId(lot, nth));
      return [...reversed, ...expired, ...madeUp].map((deduction) => [deduction, lot] as const);
    });
  return new Map(owned);
}

/** The ids of this series that lines already have: they are numbered from 1, without gaps. */
export function written(known: ReadonlySet<LedgerLineId>, idOf: (nth: number) => LedgerLineId): LedgerLineId[] {
  const ids: LedgerLineId[] = [];
  while (known.has(idOf(ids.length + 1))) ids.push(idOf(ids.length + 1));
  return ids;
}

/** Expired lots with nothing left, which needn't be read again. */
export function emptyLots(lines: Line[], now: number): LedgerLineId[] {
  const isOver = ({ line, leftMinor }: Lot) =>
    line.closedAt === null && line.expiresAt !== null && line.expiresAt <= now && leftMinor === 0;
  return lotsOf(lines)
    .filter(isOver)
    .map(({ line }) => line.id);
}

/** When credit expires next, and how much. Null if none does. */
export function nextExpiry(lines: Line[]): { at: number; amountMinor: number } | null {
  const open = lotsOf(lines).filter(({ line, leftMinor }) => leftMinor > 0 && line.expiresAt !== null);
  const at = Math.min(...open.map(({ line }) => line.expiresAt ?? Infinity));
  if (open.length === 0) return null;
  const due = open.filter(({ line }) => line.expiresAt === at);
  return { at, amountMinor: due.reduce((sum, { leftMinor }) => sum + leftMinor, 0) };
}
