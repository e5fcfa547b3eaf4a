/** Answers as people read them in a terminal: no line of a table is longer than `columnsMax`. */
import { formatMoney } from "#app/core/money/money.ts";
import { type Cells, isId, layOut } from "./layout.ts";

export const columnsMax = 100;

export type Row = Record<string, unknown>;

/** Rows without empty columns; wide cells are shortened until a line fits. Values to copy are never shortened: they move to a separate line. */
export function table(rows: readonly Row[], indent = "", columns = columnsMax): string {
  if (rows.length === 0) return `${indent}none`;
  const heads = headsOf(rows);
  const cells = rows.map((row) => Object.fromEntries(heads.map((head) => [head, cell(row[head])])));
  const { beside, below, widths } = layOut(heads, cells, columns - indent.length);
  const line = (texts: string[]) =>
    (indent + texts.map((text, column) => cut(text, widths[column] ?? 0)).join("  ")).trimEnd();
  const linesOf = (row: Cells) => [
    line(beside.map((head) => row[head] ?? "")),
    ...linesBelow(row, below, columns - indent.length - 2).map((text) => `${indent}  ${text}`),
  ];
  return [line(beside), ...cells.flatMap(linesOf)].join("\n");
}

/** Addresses have their column's name in front, since there is no head above them. */
function linesBelow(row: Cells, heads: string[], room: number): string[] {
  const lines: string[] = [];
  for (const head of heads.filter((name) => row[name])) {
    const text = isId(head) ? (row[head] ?? "") : cut(`${head} ${row[head]}`, room).trimEnd();
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + text.length <= room) lines[lines.length - 1] = `${last}  ${text}`;
    else lines.push(text);
  }
  return lines;
}

function headsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(Object.keys))].filter((head) => rows.some((row) => cell(row[head]) !== ""));
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width);
}

export function cell(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  return typeof value === "string" ? shortInstant(value) : typeof value === "object" ? "" : String(value);
}

/** What a customer typed, cut because it may be long. */
export function quoted(typed: unknown): string {
  return `"${String(typed).slice(0, 20)}"`;
}

/** Turns "2026-11-23T14:30:12.345Z" into "2026-11-23 14:30": in UTC, as all instants are. */
function shortInstant(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/, "$1 $2");
}

/** Formats amounts with their currency, if the row or what contains it says which: `amountMinor` becomes "amount". */
export function withMoney(row: Row, inherited: unknown = null): Row {
  const currency = row["currency"] ?? inherited;
  if (typeof currency !== "string") return row;
  const pairs = Object.entries(row).flatMap(([name, value]) => {
    if (name === "currency") return [];
    const isAmount = name.endsWith("Minor") && typeof value === "number";
    return [[isAmount ? name.slice(0, -"Minor".length) : name, isAmount ? money(value, currency) : value]];
  });
  return Object.fromEntries(pairs);
}

export function money(amountMinor: unknown, currency: unknown): string {
  if (typeof amountMinor !== "number" || typeof currency !== "string") return "";
  return formatMoney({ amountMinor, currency }, "en");
}

/** Any answer: names and values, narrow lists as tables, wide ones as a block per item, and nothing that is empty. */
export function spell(value: unknown, depth = 0, currency: unknown = null): string {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) {
    const rows = value.map((part: unknown) => (isRow(part) ? withMoney(part, currency) : part));
    if (rows.length === 0) return `${indent}none`;
    if (!rows.every(isFlat))
      return rows.map((part) => spell(part, depth, currency)).join(rows.every(isRow) ? "\n\n" : "\n");
    const whole = table(rows, indent, Infinity);
    return table(rows, indent) === whole ? whole : rows.map((row) => facts(row, indent)).join("\n\n");
  }
  if (!isRow(value)) return `${indent}${cell(value)}`;
  const own = value["currency"] ?? currency;
  const row = withMoney(value, own);
  const nested = Object.entries(row).filter(([, part]) => typeof part === "object" && part !== null);
  const flat = Object.fromEntries(Object.entries(row).filter(([, part]) => typeof part !== "object" || part === null));
  return [facts(flat, indent), ...nested.map(([name, part]) => `${indent}${name}\n${spell(part, depth + 1, own)}`)]
    .filter((part) => part !== "")
    .join("\n");
}

function facts(row: Row, indent: string): string {
  const pairs = Object.entries(row).filter(([, part]) => cell(part) !== "");
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, part]) => `${indent}${name.padEnd(width)}  ${cell(part)}`).join("\n");
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFlat(value: unknown): value is Row {
  return isRow(value) && Object.values(value).every((part) => typeof part !== "object" || part === null);
}

export function rowsOf(list: unknown): Row[] {
  return Array.isArray(list) ? list.filter(isRow) : [];
}
