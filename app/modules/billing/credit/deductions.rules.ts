/**
 * Decides what is to be deducted from an account's credit now: reversed rewards first, then what is owed for earlier ones, then what
 * expired. Invariant: never more than there is. Called from the ledger's sync.
 */
import type { LedgerLineId, ReferralId } from "#app/core/id.ts";
import { expiredLineId, type Lot, lotsOf, madeUpLineId, written } from "./lots.rules.ts";
import { type Line, reversedLineId, type Why } from "./rules.ts";

export type Deduction = {
  /** The id of the line that will record it. */
  id: LedgerLineId;
  kind: "reversed" | "expired";
  why: Why;
  referralId: ReferralId | null;
  /** The amount to deduct now; the rest of `wantedMinor` stays owed. */
  takeMinor: number;
  wantedMinor: number;
};

export function deductionsDue(lines: Line[], now: number): Deduction[] {
  const lots = lotsOf(lines);
  const askedBack = lots.flatMap(({ line, leftMinor }): Deduction[] => {
    const { askedBack: why, referralId, amountMinor: wantedMinor } = line;
    if (why === null || line.closedAt !== null || referralId === null) return [];
    const id = reversedLineId(referralId);
    return [{ id, kind: "reversed", why, referralId, takeMinor: leftMinor, wantedMinor }];
  });
  const isNew = ({ id }: Deduction) => !lines.some((line) => line.id === id);
  const reversals = askedBack.filter(isNew);
  // What a reversal can't take from its own lot is owed from then on.
  const missingMinor = reversals.reduce((sum, { wantedMinor, takeMinor }) => sum + wantedMinor - takeMinor, 0);
  const others = [...makingUp(lines, lots, owedOf(lines) + missingMinor), ...expiring(lines, lots, now)];
  return [...reversals, ...others.filter(isNew)];
}

/** Deducts the used part of reversed rewards from any other credit. */
function makingUp(lines: Line[], lots: Lot[], owedMinor: number): Deduction[] {
  let owed = owedMinor;
  const known = new Set(lines.map(({ id }) => id));
  return lots.flatMap(({ line, leftMinor }): Deduction[] => {
    const takeMinor = Math.min(owed, leftMinor);
    if (isToBeReversed(line) || takeMinor === 0) return [];
    owed -= takeMinor;
    const idOf = (nth: number) => madeUpLineId(line.id, nth);
    const id = idOf(written(known, idOf).length + 1);
    return [{ id, kind: "reversed", why: "made-up", referralId: null, takeMinor, wantedMinor: takeMinor }];
  });
}

/** Whether the line's own reversal is still to take what is left of it. Credit that returns to it after that counts like any other. */
function isToBeReversed({ askedBack, closedAt }: Line): boolean {
  return askedBack !== null && closedAt === null;
}

/** What is still owed from future credit. */
export function owedOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.owedMinor + (line.why === "made-up" ? line.amountMinor : 0), 0);
}

function expiring(lines: Line[], lots: Lot[], now: number): Deduction[] {
  const known = new Set(lines.map(({ id }) => id));
  return lots.flatMap(({ line, leftMinor }): Deduction[] => {
    const { expiresAt } = line;
    if (expiresAt === null || expiresAt > now || isToBeReversed(line) || leftMinor === 0) return [];
    const idOf = (nth: number) => expiredLineId(line.id, nth);
    const id = idOf(written(known, idOf).length + 1);
    return [{ id, kind: "expired", why: "term", referralId: null, takeMinor: leftMinor, wantedMinor: leftMinor }];
  });
}
