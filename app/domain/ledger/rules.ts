/**
 * The ledger room: what credit somebody has, and how it came about. A line is one movement and is never edited; the sum of the lines is
 * the credit. Rewards run out; what is taken goes from whatever runs out first, and nobody can owe us anything by it.
 */
import { monthsLater } from "#app/domain/kernel/time.ts";

export type LineKind = "earned" | "applied" | "reversed" | "expired";

/** What a line says of itself, by kind: a page has a sentence for each. */
export const whys = [
  // Earned: a friend stayed; a change of plan left something over; the team gave it.
  ...["friend", "left-over", "given"],
  // Applied: an order used it, or was given up and it came back; it paid for what was carried from an earlier charge.
  ...["order", "order-void", "debt"],
  // Reversed: the friend's money went back, or came by a card of one's own; other credit makes up for what was used by then; the order that had used it was
  // refunded; the team took it; it was gone by the time that it was to be taken.
  ...["refund", "dispute", "same-card", "made-up", "order-refunded", "taken", "used-first"],
  // Expired: its months are over; its owner is gone.
  ...["term", "gone"],
] as const;
export type Why =
  | ("friend" | "left-over" | "given")
  | ("order" | "order-void" | "debt")
  | ("refund" | "dispute" | "same-card" | "made-up" | "order-refunded" | "taken" | "used-first")
  | ("term" | "gone");

export type Line = {
  id: string;
  kind: LineKind;
  amountMinor: number;
  currency: string;
  why: Why;
  referralId: string | null;
  invoiceId: string | null;
  owedMinor: number;
  happenedAt: number;
  expiresAt: number | null;
  customerId: string | null;
  providerId: string | null;
  askedBack: Why | null;
  closedAt: number | null;
};

/** A reward can be used for so many months. What somebody paid themselves, or was given, doesn't run out. */
export const creditMonths = 12;
/** Lines on the page, newest first. */
export const listedLinesMax = 50;

export function expiryOf(earnedAt: number): number {
  return monthsLater(earnedAt, creditMonths);
}

export function earnedLineId(referralId: string): string {
  return `line_${referralId}.earned`;
}

export function balanceOf(lines: Pick<Line, "amountMinor">[]): number {
  return lines.reduce((sum, line) => sum + line.amountMinor, 0);
}

/** A line that gave something, and what of it is left. */
type Lot = { line: Line; leftMinor: number };
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
  const due = [...askedBack, ...makingUp(lines, lots), ...expiring(lines, lots, now)];
  return due.filter(({ id }) => !lines.some((line) => line.id === id));
}

/** What was used of a reward before it was asked back comes off whatever credit there is, of any origin. */
function makingUp(lines: Line[], lots: Lot[]): Taking[] {
  let owed = owedOf(lines);
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
