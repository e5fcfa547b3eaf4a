/**
 * Takings: what is to be taken from an account's credit now. Rewards that are asked back go first, then what is owed of earlier ones, then
 * what ran out; never more than there is. Called by the ledger's sync.
 */
import { type Lot, lotsOf, ownLotOf } from "./lots.rules.ts";
import type { Line, Why } from "./rules.ts";

/** A movement downwards that is to happen. */
export type Taking = {
  /** Of the line that will say so. */
  id: string;
  kind: "reversed" | "expired";
  why: Why;
  referralId: string | null;
  /** So much is to be taken, as far as it is there; the rest of what was wanted stays owed. */
  takeMinor: number;
  wantedMinor: number;
};

/** What is to be taken now: rewards that are asked back, then what is owed of earlier ones, then what ran out. */
export function takingsDue(lines: Line[], now: number): Taking[] {
  const lots = lotsOf(lines);
  const askedBack = lots.flatMap(({ line, leftMinor }): Taking[] => {
    const { askedBack: why, referralId, amountMinor: wantedMinor } = line;
    if (why === null || line.closedAt !== null || referralId === null) return [];
    const id = `line_${referralId}.reversed`;
    return [{ id, kind: "reversed", why, referralId, takeMinor: leftMinor, wantedMinor }];
  });
  const isNew = ({ id }: Taking) => !lines.some((line) => line.id === id);
  const reversals = askedBack.filter(isNew);
  // What a reversal doesn't find in its own lot is owed from that moment on.
  const missingMinor = reversals.reduce((sum, { wantedMinor, takeMinor }) => sum + wantedMinor - takeMinor, 0);
  const others = [...makingUp(lines, lots, owedOf(lines) + missingMinor), ...expiring(lines, lots, now)];
  return [...reversals, ...others.filter(isNew)];
}

/** What was used of a reward before it was asked back comes off whatever credit there is, of any origin. */
function makingUp(lines: Line[], lots: Lot[], owedMinor: number): Taking[] {
  let owed = owedMinor;
  return lots.flatMap(({ line, leftMinor }): Taking[] => {
    const takeMinor = Math.min(owed, leftMinor);
    if (isToBeReversed(line) || takeMinor === 0) return [];
    owed -= takeMinor;
    const nth = lines.filter(({ id, why }) => why === "made-up" && ownLotOf(id) === line.id).length + 1;
    const id = `${line.id}.made-up.${nth}`;
    return [{ id, kind: "reversed", why: "made-up", referralId: null, takeMinor, wantedMinor: takeMinor }];
  });
}

/** Its own reversal takes what is left of it. What comes back to it after that is credit like any other. */
function isToBeReversed({ askedBack, closedAt }: Line): boolean {
  return askedBack !== null && closedAt === null;
}

/** What credit to come still has to make up for. */
export function owedOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.owedMinor + (line.why === "made-up" ? line.amountMinor : 0), 0);
}

function expiring(lines: Line[], lots: Lot[], now: number): Taking[] {
  return lots.flatMap(({ line, leftMinor }): Taking[] => {
    const { expiresAt } = line;
    if (expiresAt === null || expiresAt > now || isToBeReversed(line) || leftMinor === 0) return [];
    // A lot runs out again when credit comes back to it after its months.
    const nth = lines.filter(({ id: known, why }) => why === "term" && ownLotOf(known) === line.id).length + 1;
    const id = nth === 1 ? `${line.id}.expired` : `${line.id}.expired.${nth}`;
    return [{ id, kind: "expired", why: "term", referralId: null, takeMinor: leftMinor, wantedMinor: leftMinor }];
  });
}
