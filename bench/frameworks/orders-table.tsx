import type { ComponentType, ReactNode } from "react";
import { caption, columns, lineText, type OrdersPage, paidGlyph, sayOrder } from "./orders-page.ts";

type OrderLink = ComponentType<{ order: string; children: ReactNode }>;
type OrdersTableProps = { page: OrdersPage; lines: number; OrderLink: OrderLink };

/** The site's table of orders, element by element, and as many lines as the rest of its page has elements. `OrderLink` is the framework's. */
export function OrdersTable({ page, lines, OrderLink }: OrdersTableProps) {
  return (
    <main>
      <div className="table-frame">
        <table className="table table-dense table-linked" role="table" data-columns={columns.length}>
          <caption className="visually-hidden">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((label) => (
                <th key={label} scope="col" role="columnheader">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {page.orders.map((order) => (
              <Row key={order.id} order={order} account={page.account} OrderLink={OrderLink} />
            ))}
          </tbody>
        </table>
      </div>
      {Array.from({ length: lines }, (_, nth) => (
        <p className="line" key={nth} id={`line-${nth}`}>
          <span className="words">{lineText}</span>
        </p>
      ))}
    </main>
  );
}

type RowProps = { order: OrdersPage["orders"][number]; account: OrdersPage["account"]; OrderLink: OrderLink };

function Row({ order, account, OrderLink }: RowProps) {
  const texts = sayOrder(order, account);
  return (
    <tr role="row">
      <th data-label={columns[0]} scope="row" role="rowheader">
        <OrderLink order={order.id}>
          {texts.what}
          <span className="visually-hidden">{texts.hidden}</span>
        </OrderLink>
      </th>
      <td className="bare" data-label={columns[1]} role="cell">
        <time dateTime={texts.instant} title={texts.title} suppressHydrationWarning>
          {texts.day}
        </time>
      </td>
      <td className="bare wide-only" data-label={columns[2]} role="cell">
        <span className="figures">{order.number}</span>
      </td>
      <td className="bare" data-label={columns[3]} role="cell">
        <span className="chip chip-good">
          <svg
            viewBox="0 0 12 12"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinecap="round"
            aria-hidden="true"
          >
            <path d={paidGlyph} />
          </svg>
          {texts.state}
        </span>
      </td>
      <td className="align-end" data-label={columns[4]} role="cell">
        <span className="money" suppressHydrationWarning>
          {texts.amount}
        </span>
      </td>
    </tr>
  );
}
