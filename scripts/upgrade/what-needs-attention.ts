import { findOriginal } from "./find-original.ts";

/** A file before and after the release was merged. Null if it didn't exist. */
export type Versions = { before: string | null; now: string | null };

/** What the changelog says about upgrading, without what it said before: an entry each, on one line. */
export function newEntries({ before, now }: Versions): string[] {
  const entriesOf = (text: string | null) =>
    [...(text ?? "").matchAll(/^### Upgrading\n(.*?)(?=^#|(?![^]))/gms)].flatMap(([, body = ""]) =>
      body
        .split(/^- /m)
        .slice(1)
        .map((entry) => entry.trim().replaceAll(/\s+/g, " ")),
    );
  const known = new Set(entriesOf(before));
  return entriesOf(now).filter((entry) => !known.has(entry));
}

/** The optional settings of the config that the release added and that the product doesn't have. The files have the type `ProductConfig`, or add to it. */
export function newSettings({ before, now }: Versions, product: object): string[] {
  const keysOf = (text: string | null) => {
    const parts = (text ?? "").matchAll(
      /^( *)(?:export )?(?:type ProductConfig =|interface ProductConfig) \{\n(.*?)^\1\}/gms,
    );
    return [...parts].flatMap(([, indent = "", body = ""]) =>
      [...body.matchAll(new RegExp(`^${indent} {2}(\\w+)\\?:`, "gm"))].map(([, key = ""]) => key),
    );
  };
  const known = keysOf(before);
  return keysOf(now).filter((key) => !known.includes(key) && !(key in product));
}

/**
 * The texts that a team replaces and whose original reads differently now: their paths, such as `en.problems.email-missing`. `constant` is
 * what the messages file exports them as.
 */
export function changedTexts({ before, now }: Versions, constant: string, replaced: object): string[] {
  const originalIn = (text: string | null, path: string[]) => text && findOriginal(text, constant, path);
  return leavesOf(replaced)
    .filter((path) => originalIn(before, path) !== originalIn(now, path))
    .map((path) => path.join("."));
}

/** A list is replaced as a whole. */
function leavesOf(value: object, path: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? leavesOf(inner, [...path, key])
      : [[...path, key]],
  );
}
