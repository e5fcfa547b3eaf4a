type Column = { key: string; short: string; text: string; value: number };

/** A column chart. The texts are its accessible content; pointing at a column shows its text, too. */
export function ColumnChart({ label, columns }: { label: string; columns: readonly Column[] }) {
  const highest = Math.max(1, ...columns.map(({ value }) => value));
  return (
    <ol className="columns" aria-label={label}>
      {columns.map(({ key, short, text, value }) => (
        <li key={key} title={text}>
          <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
            <rect className="columns-bar" y={100 - share(value, highest)} width="10" height={share(value, highest)} />
          </svg>
          <span aria-hidden="true">{short}</span>
          <span className="visually-hidden">{text}</span>
        </li>
      ))}
    </ol>
  );
}

/** A percentage. Small values get a visible minimum; zero is a line on the baseline. */
function share(value: number, highest: number): number {
  return value <= 0 ? 1 : Math.max(4, (value / highest) * 100);
}
