/**
 * A place in a sorted list: the values that it is sorted by, of the last row shown. Rows that come or go in between move nothing.
 */
export type Cursor = readonly (string | number)[];

/** `1~1763640000000~wdr_…`, say. */
export function writeCursor(values: Cursor): string {
  return values.join("~");
}

/** Null: that isn't one of a list sorted by so many values. */
export function readCursor(text: string, keys: number): Cursor | null {
  const parts = text.split("~");
  if (parts.length !== keys || !parts.every((part) => /^[\w.:-]{1,120}$/.test(part))) return null;
  return parts.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part));
}
