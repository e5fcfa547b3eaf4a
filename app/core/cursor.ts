/**
 * A position in a sorted list: the sort-key values of the last row shown, so rows inserted or deleted in between don't shift the next
 * page.
 */
export type Cursor = readonly (string | number)[];

/** Between a cursor's values, where no URL says otherwise. */
const defaultSeparator = "~";

/** For example `1~1763640000000~wdr_…`. */
export function writeCursor(values: Cursor, separator = defaultSeparator): string {
  return values.join(separator);
}

/** Null: not a cursor for a list with that many sort keys. */
export function readCursor(text: string, keys: number, separator = defaultSeparator): Cursor | null {
  const parts = text.split(separator);
  if (parts.length !== keys || !parts.every((part) => /^[\w.:-]{1,120}$/.test(part))) return null;
  return parts.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part));
}
