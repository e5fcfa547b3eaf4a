/**
 * A position in a sorted list: the sort-key values of the last row shown, so rows inserted or deleted in between don't shift the next
 * page.
 */
export type Cursor = readonly (string | number)[];

/** Separates a cursor's values, unless the caller needs another character in its URL. */
const defaultSeparator = "~";

/** For example `1~1763640000000~wdr_…`. */
export function writeCursor(values: Cursor, separator = defaultSeparator): string {
  return values.join(separator);
}

/** Null if the text isn't a cursor with that many sort keys. */
export function readCursor(text: string, keys: number, separator = defaultSeparator): Cursor | null {
  const parts = text.split(separator);
  if (parts.length !== keys || !parts.every((part) => /^[\w.:-]{1,120}$/.test(part))) return null;
  return parts.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part));
}
