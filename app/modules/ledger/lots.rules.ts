/**
 * Lots: what is left of each line that gave credit. Reckoned from the lines in the order in which they were written, never stored; what is
 * left of all lots is the balance. Called by the takings, the ledger's sync and the page.
 */
import { earnedLineId, type Line, type Why } from "./rules.ts";

/** A line that gave something, and what of it is left. */
export type Lot = { line: Line; leftMinor: number };
/** What one charge took from one lot. */
type Use = { lot: Lot; invoiceId: string; amountMinor: number };

/**
 * What is left of each line that gave something, the lines being in the order in which they were written. Whatever takes goes first
 * for its own lot (a reward that is asked back, one that ran out), then for whatever runs out first. Credit that a charge gives back
 * goes back to the lots that the charge took it from: it keeps their origin and their expiry.
 */
export function lotsOf(lines: Line[]): Lot[] {
  const lots: Lot[] = [];
  const uses: Use[] = [];
  for (const line of lines) {
    if (line.amountMinor > 0) {
      const leftMinor = line.amountMinor - (returnWhys.includes(line.why) ? giveBack(uses, line) : 0);
      // Zero where all of it went back: the line is no lot of its own.
      if (leftMinor > 0) lots.push({ line, leftMinor });
    } else uses.push(...takeFrom(lots, line));
  }
  return lots;
}

/** Lines by which an order returns the credit that it had used. */
const returnWhys: readonly Why[] = ["order-refunded", "order-void"];

/** What was taken last goes back first. Answers how much of the line found its lots. */
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

function takeFrom(lots: Lot[], taker: Line): Use[] {
  let wanted = -taker.amountMinor;
  const own = ownLotOf(taker.id);
  const inOrder = lots.toSorted(
    (left, right) =>
      Number(right.line.id === own) - Number(left.line.id === own) ||
      // Of two that never do, neither is first.
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

/** The lot that a line was written to take, by its name. */
export function ownLotOf(id: string): string | null {
  const [, lot, referral] = /^(?:(line_.+)\.(?:expired(?:\.\d+)?|made-up\.\d+)|line_([^.]+)\.reversed)$/.exec(id) ?? [];
  return referral === undefined ? (lot ?? null) : earnedLineId(referral);
}

/** Lots that ran out with nothing left in them: nobody needs to look at them again. */
export function emptyLots(lines: Line[], now: number): string[] {
  const isOver = ({ line, leftMinor }: Lot) =>
    line.closedAt === null && line.expiresAt !== null && line.expiresAt <= now && leftMinor === 0;
  return lotsOf(lines)
    .filter(isOver)
    .map(({ line }) => line.id);
}

/** When some of the credit runs out next, and how much; null: none does. */
export function nextExpiry(lines: Line[]): { at: number; amountMinor: number } | null {
  const open = lotsOf(lines).filter(({ line, leftMinor }) => leftMinor > 0 && line.expiresAt !== null);
  const at = Math.min(...open.map(({ line }) => line.expiresAt ?? Infinity));
  if (open.length === 0) return null;
  const due = open.filter(({ line }) => line.expiresAt === at);
  return { at, amountMinor: due.reduce((sum, { leftMinor }) => sum + leftMinor, 0) };
}
