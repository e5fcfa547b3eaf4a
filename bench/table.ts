export type Table = {
  title: string;
  /** Explains the figures, where the column heads can't. */
  notes: readonly string[];
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

/** Plain text: names to the left, figures to the right. */
export function formatTable({ title, notes, head, rows }: Table): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [title, ...notes.map((note) => `  ${note}`), "", line(head), rule, ...rows.map(line), ""].join("\n");
}

export function wholeNumber(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** NaN means that it can't be measured on this machine. */
export function figure(value: number, unit: string, digits = 0): string {
  if (Number.isNaN(value)) return "not measurable here";
  return `${digits === 0 ? wholeNumber(value) : value.toFixed(digits)} ${unit}`;
}

/** Yields its tables as they are ready. With `isRecorded`, it stores its figures if it compares with stored ones. */
export type Bench = (rounds: number, isRecorded: boolean) => AsyncIterable<Table>;
