import { type Id, readId } from "#app/core/id.ts";

/** An id that a test read from elsewhere, such as a cookie or a row in plain SQL; throws if it is of another kind. */
export function idOf<Prefix extends string>(prefix: Prefix, text: unknown): Id<Prefix> {
  const id = readId(prefix, String(text));
  if (id === null) throw new Error(`Not an id of kind ${prefix}: ${String(text)}`);
  return id;
}
