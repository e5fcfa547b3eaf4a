import { type Cursor, readCursor, writeCursor } from "#app/core/cursor.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { listedMax } from "../rules.ts";

/** A list that operators read page by page. */
export type List<Row, Shown> = {
  ask: (after: Cursor | null, limit: number) => PromiseLike<Row[]>;
  count: () => PromiseLike<{ count: number }[]>;
  /** How many values the sort key has. */
  keys: number;
  keysOf: (row: Row) => Cursor;
  /** What operators see of a page's rows. */
  show: (rows: Row[]) => Shown[] | Promise<Shown[]>;
};

export type RowsPage<Shown> = { rows: Shown[]; total: number; next: string | null };

export type CursorRefusal = { reason: "cursor-unknown" };

/** A page of rows, the total count, and the next page's cursor, which is null on the last page. */
export async function readPage<Row, Shown>(
  list: List<Row, Shown>,
  after: string | undefined,
): Promise<Result<RowsPage<Shown>, CursorRefusal>> {
  const cursor = after === undefined ? null : readCursor(after, list.keys);
  if (cursor === null && after !== undefined) return refused({ reason: "cursor-unknown" });
  const [rows, [counted]] = await Promise.all([list.ask(cursor, listedMax + 1), list.count()]);
  const last = rows.length > listedMax ? rows[listedMax - 1] : undefined;
  return done({
    rows: await list.show(rows.slice(0, listedMax)),
    total: counted?.count ?? 0,
    next: last === undefined ? null : writeCursor(list.keysOf(last)),
  });
}
