/** A file before and after the release was merged; null: it didn't exist. */
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

/** The optional settings of the config that the release added and that the product doesn't have. The file has the type `ProductConfig`. */
export function newSettings({ before, now }: Versions, product: object): string[] {
  const keysOf = (text: string | null) => {
    const [, body = ""] = /^export type ProductConfig = \{\n(.*?)^\};/ms.exec(text ?? "") ?? [];
    return [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, key = ""]) => key);
  };
  const known = keysOf(before);
  return keysOf(now).filter((key) => !known.includes(key) && !(key in product));
}

/** The texts that a team replaces and whose original reads differently now: their paths, such as `en.problems.email-missing`. */
export function changedTexts({ before, now }: Versions, replaced: object): string[] {
  const linesOf = (text: string | null, key: string) =>
    (text ?? "").split("\n").filter((line) => /^"?([\w-]+)"?:/.exec(line.trim())?.[1] === key);
  return leavesOf(replaced).filter((path) => {
    const key = path.split(".").at(-1) ?? "";
    return linesOf(before, key).join("\n") !== linesOf(now, key).join("\n");
  });
}

function leavesOf(value: object, path: readonly string[] = []): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object" && inner !== null ? leavesOf(inner, [...path, key]) : [[...path, key].join(".")],
  );
}
