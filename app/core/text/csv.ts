/**
 * CSV for spreadsheets: RFC 4180 in UTF-8, with commas, or with semicolons and decimal commas. Begins with a byte order mark, without which
 * Excel assumes another encoding. Spreadsheets can't interpret its text as a formula.
 */

/** With points and commas, or with decimal commas and semicolons, as spreadsheets in most of Europe expect. */
export const csvFormats = ["comma", "semicolon"] as const;
export type CsvFormat = (typeof csvFormats)[number];

/** Figures are formatted by us and stay numbers; other text may come from users or Stripe. */
export type Cell = { text: string } | { figures: string };

export const byteOrderMark = "\uFEFF";

const separators = { comma: ",", semicolon: ";" } satisfies Record<CsvFormat, string>;

export function writeCsvLine(cells: Cell[], format: CsvFormat): string {
  const written = cells.map((cell) =>
    "text" in cell ? quote(defuse(cell.text), format) : writeFigures(cell.figures, format),
  );
  return `${written.join(separators[format])}\r\n`;
}

/** Only numbers have a decimal point, alone or in a list; an instant has one between seconds and milliseconds. */
function writeFigures(figures: string, format: CsvFormat): string {
  const isNumbers = /^-?\d+\.\d+(?: -?\d+\.\d+)*$/.test(figures);
  return format === "semicolon" && isNumbers ? figures.replaceAll(".", ",") : figures;
}

/** Spreadsheets interpret text with these first characters as a formula, full-width ones too; an apostrophe before them prevents that. */
function defuse(value: string): string {
  return /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
}

function quote(value: string, format: CsvFormat): string {
  const needsQuotes = value.includes(separators[format]) || /["\r\n]|^\s|\s$/.test(value);
  return needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
}
