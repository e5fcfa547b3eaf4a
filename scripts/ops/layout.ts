export type Cells = Record<string, string>;
/** Which columns of a table share a line, which follow below it, and how wide each of the first is. */
export type Layout = { beside: string[]; below: string[]; widths: number[] };

/** Ids are copied to another command, so they're never cut: if they don't fit, they get a line of their own under their row. */
const ids = ["id", "subject"];
/** These follow the ids to that line. */
const addresses = ["email", "friend", "referrer", "to"];
/** These are of no use if they are cut. */
const whole = ["number", "order", "refund", "due", "owed", "amount", "refunded", "at", "date"];
/** What is no longer than this (an instant, a state, a sum) stays whole as long as ids and addresses can make room. */
const shortMax = 16;

type Round = { may: (head: string) => boolean; least: number };

const isAddress = (head: string) => addresses.includes(head);
const isText = (head: string) => !ids.includes(head) && !isAddress(head) && !whole.includes(head);
const gentle: Round[] = [{ may: isText, least: shortMax }];
const harsh: Round[] = [
  { may: isText, least: 10 },
  { may: isAddress, least: 20 },
  { may: (head) => isText(head) || isAddress(head), least: 1 },
];

export function isId(head: string): boolean {
  return ids.includes(head);
}

/** Puts everything side by side, else ids on a line of their own, else addresses, too. Only then is anything short cut. */
export function layOut(heads: string[], rows: readonly Cells[], room: number): Layout {
  const layouts = [[], ids, [...ids, ...addresses]]
    .map((wrapped) => ({
      beside: heads.filter((head) => !wrapped.includes(head)),
      below: heads.filter((head) => wrapped.includes(head)),
    }))
    .filter(({ beside }) => beside.length > 0)
    .map(({ beside, below }) => ({
      beside,
      below,
      widths: fitted(beside, widest(beside, rows), { room, rounds: gentle }),
    }));
  const fitting = layouts.find(({ widths }) => lengthOf(widths) <= room);
  if (fitting) return fitting;
  const { beside, below, widths } = layouts.at(-1) ?? { beside: heads, below: [], widths: widest(heads, rows) };
  return { beside, below, widths: fitted(beside, widths, { room, rounds: harsh }) };
}

function widest(heads: string[], rows: readonly Cells[]): number[] {
  return heads.map((head) => Math.max(head.length, ...rows.map((row) => (row[head] ?? "").length)));
}

/** The width of all columns, with two blanks between them. */
function lengthOf(widths: number[]): number {
  return widths.reduce((sum, width) => sum + width + 2, -2);
}

/** Narrows the widest column until all of them fit, or no round may take more. */
function fitted(heads: string[], widths: number[], { room, rounds }: { room: number; rounds: Round[] }): number[] {
  const left = [...widths];
  for (const { may, least } of rounds) {
    while (lengthOf(left) > room) {
      const shrinking = left.map((width, column) => (may(heads[column] ?? "") ? width : 0));
      const most = shrinking.indexOf(Math.max(...shrinking));
      if ((shrinking[most] ?? 0) <= least) break;
      left[most] = (left[most] ?? 0) - 1;
    }
  }
  return left;
}
