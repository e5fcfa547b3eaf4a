import { customType } from "drizzle-orm/sqlite-core";

type Kind = "array" | "object";

/** A text column that stores JSON. Anything but JSON of this kind was written by a bug, and throws when it is read. */
export function jsonColumn<Data>(kind: Kind, column?: string) {
  const json = customType<{ data: Data; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (text) => readJson<Data>(kind, text),
  });
  return column === undefined ? json() : json(column);
}

/** The same for JSON that a query builds. */
export function readJson<Data>(kind: Kind, text: string): Data {
  const value: unknown = JSON.parse(text);
  const found = Array.isArray(value) ? "array" : typeof value;
  if (found !== kind) throw new Error(`The database contains JSON that is no ${kind}, but ${found}.`);
  // The commands that write the column decide about its parts.
  return value as Data;
}
