import type { ReactNode } from "react";

/** A column of buttons has no label. */
type Column = { key: string; label: string; align?: "end" };
type Row = { id: string; cells: Record<string, ReactNode>; current?: boolean };
type DataTableProps = { caption: string; columns: readonly Column[]; rows: readonly Row[] };

/**
 * A table where there is room, stacked rows where there isn't. The roles repeat what the elements say, because a browser
 * forgets it when CSS lays a table out as blocks.
 */
export function DataTable({ caption, columns, rows }: DataTableProps) {
  return (
    <div className="table-frame">
      <table className="table" role="table">
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
                  {row.cells[column.key]}
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
  const shared = { className: alignment(column), "data-label": column.label };
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

function alignment(column: Column): string | undefined {
  return column.align === "end" ? "align-end" : undefined;
}
