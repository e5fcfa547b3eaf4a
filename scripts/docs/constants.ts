import { globSync, readFileSync } from "node:fs";
import { commentsOf, sourceFiles } from "./source.ts";

/** A named value of the code with its preceding comment. */
export type Constant = { file: string; name: string; value: unknown; written: string; comment: string };

/** Files whose exported values the reference lists. */
export function constantFiles(): string[] {
  return globSync([
    "app/modules/**/*rules.ts",
    "workers/monitoring/**/*rules.ts",
    "workers/monitoring/constants.ts",
    "app/http/forms/read-form.ts",
  ]).toSorted();
}

/** Exports of the modules, the tunnel and the form reader: numbers, texts and lists of words, as they are at run time. */
export async function exportedConstants(): Promise<Constant[]> {
  const found = constantFiles().map(async (file) => {
    const exported = (await import(/* @vite-ignore */ `../../${file}`)) as Record<string, unknown>;
    const comments = commentsOf(file);
    const text = readFileSync(file, "utf8");
    return Object.entries(exported)
      .filter(([, value]) => isNumbers(value) || typeof value === "string" || isWords(value))
      .map(([name, value]) => ({ file, name, value, written: "", comment: comments.get(name) ?? "", text }))
      .toSorted((left, right) => placeOf(left) - placeOf(right))
      .map(({ text: _text, ...constant }) => constant);
  });
  return (await Promise.all(found)).flat();
}

function placeOf({ text, name }: { text: string; name: string }): number {
  return text.indexOf(`export const ${name}`);
}

/** Numbers that one file uses and doesn't export, as written in the source. */
export function localNumbers(exported: readonly Constant[]): Constant[] {
  const number = /^(?:export )?const (\w+) = ((?:[\d_.]+|[()*/ ]|secondMs|minuteMs|hourMs|dayMs|KIB|MIB)+);/gm;
  const elsewhere = new Set([...exported.map(({ name }) => name), "KIB", "MIB"]);
  return (
    sourceFiles()
      // Sizes in components aren't limits; the units of time are only used in other values.
      .filter((path) => !path.startsWith("app/ui/") && path !== "app/core/time/time.ts")
      .flatMap((file) => {
        const comments = commentsOf(file);
        return [...readFileSync(file, "utf8").matchAll(number)]
          .filter(([, name = ""]) => !elsewhere.has(name))
          .map(([, name = "", written = ""]) => ({
            file,
            name,
            value: null,
            written,
            comment: comments.get(name) ?? "",
          }));
      })
  );
}

export function isNumbers(value: unknown): value is number | number[] {
  return typeof value === "number" || (Array.isArray(value) && value.every((part) => typeof part === "number"));
}

export function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string");
}
