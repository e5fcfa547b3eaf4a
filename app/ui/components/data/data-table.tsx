import type { ReactNode } from "react";
import { Link } from "#app/ui/components/link.tsx";

/**
 * A column of buttons has no label. On a phone, a `bare` column needs none (a day, a number, a state), and a `wideOnly` column is left out.
 */
type Column = { key: string; label: string; align?: "end"; bare?: true; wideOnly?: true };
/** With `to`, the row is a link, whose name is in its first cell. */
type Row = { id: string; cells: Record<string, ReactNode>; current?: boolean; to?: string };
type DataTableProps = { caption: string; columns: readonly Column[]; rows: readonly Row[] };

/**
 * A table on wide screens, stacked rows on narrow ones. The ARIA roles repeat the elements' own, because browsers drop those when CSS
 * displays a table as blocks.
 */
export function DataTable({ caption, columns, rows }: DataTableProps) {
  return (
    <div className="table-frame">
      <table className={classNames(columns, rows)} role="table" data-columns={columns.length}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) =>
              column.label === "" ? (
                <td key={column.key} role="cell" />
              ) : (
                <th key={column.key} scope="col" role="columnheader" className={alignment(column)}>
                  {column.label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.id} role="row" aria-current={row.current || undefined}>
              {columns.map((column, index) => (
                <Cell key={column.key} column={column} isFirst={index === 0}>
                  {index === 0 && row.to ? <Link to={row.to}>{row.cells[column.key]}</Link> : row.cells[column.key]}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ column, isFirst, children }: { column: Column; isFirst: boolean; children: ReactNode }) {
  const shared = { className: column.bare ? bareName(column) : alignment(column), "data-label": column.label };
  if (isFirst) {
    return (
      <th {...shared} scope="row" role="rowheader">
        {children}
      </th>
    );
  }
  return (
    <td {...shared} role="cell">
      {children}
    </td>
  );
}

function classNames(columns: readonly Column[], rows: readonly Row[]): string {
  const isLinked = rows.some(({ to }) => to !== undefined);
  return ["table", isDense(columns) && "table-dense", isLinked && "table-linked"].filter(Boolean).join(" ");
}

function bareName({ wideOnly }: Column): string {
  return wideOnly ? "bare wide-only" : "bare";
}

/** Two columns fit side by side on any screen. */
function isDense(columns: readonly Column[]): boolean {
  return columns.length === 2 || columns.some(({ bare }) => bare);
}

function alignment(column: Column): string | undefined {
  return column.align === "end" ? "align-end" : undefined;
}
