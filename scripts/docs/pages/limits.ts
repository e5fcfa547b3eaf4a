import { type Constant, isNumbers, localNumbers } from "../constants.ts";
import { code, type Page, section, sentence, table } from "../markdown.ts";

export function limitsPage(constants: readonly Constant[]): Page {
  const numbers = constants.filter(({ value }) => isNumbers(value));
  const texts = constants.filter(({ value }) => typeof value === "string");
  return {
    file: "limits.md",
    title: "Limits and other numbers",
    about: "Every number that a module exports or a file uses for itself, by file.",
    sections: [
      section("Exported", describe(numbers)),
      section("Used in one file", describe(localNumbers(constants))),
      section(
        "Texts",
        table(
          ["constant", "value", "file", "description"],
          texts.map(({ file, name, value, comment }) => [
            code(name),
            code(String(value)),
            code(file),
            sentence(comment),
          ]),
        ),
      ),
    ],
  };
}

function describe(numbers: readonly Constant[]): string {
  const rows = numbers.map(({ file, name, value, written, comment }) => [
    code(name),
    isNumbers(value)
      ? [value]
          .flat()
          .map((number) => spellNumber(name, number))
          .join(", ")
      : code(written),
    code(file),
    sentence(comment),
  ]);
  return table(["constant", "value", "file", "description"], rows);
}

const units = [
  { ms: 86_400_000, unit: "d" },
  { ms: 3_600_000, unit: "h" },
  { ms: 60_000, unit: "min" },
  { ms: 1000, unit: "s" },
];

/** In the largest unit of which it is a whole number; the name contains the unit. */
export function spellNumber(name: string, value: number): string {
  if (/Ms$|_MS$/.test(name)) {
    const { ms, unit } = units.find((candidate) => value !== 0 && value % candidate.ms === 0) ?? { ms: 1, unit: "ms" };
    return `${spell(value / ms)} ${unit}`;
  }
  if (/_S$|Seconds/.test(name)) return `${spell(value)} s`;
  if (/bytes/i.test(name) && value % 1024 === 0) {
    return value % (1024 * 1024) === 0 ? `${spell(value / 1024 / 1024)} MiB` : `${spell(value / 1024)} KiB`;
  }
  return spell(value);
}

function spell(value: number): string {
  return value.toLocaleString("en-GB", { maximumFractionDigits: 10 });
}
