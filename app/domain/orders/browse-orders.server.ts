import type { App } from "#app/context.ts";
import { type Order, pageSize } from "./rules.ts";
import { findOrder, listLines, listMoments, listOrders, readOrder } from "./store.server.ts";

export type OrderDetail = {
  order: Order;
  lines: {
    position: number;
    description: string;
    amountMinor: number;
    periodStartsAt: number | null;
    periodEndsAt: number | null;
  }[];
  moments: { what: string; happenedAt: number }[];
};

/** One page of an account's orders and, in the same round trip, the one that is open; null: not there, or not theirs. */
export async function browseOrders(
  app: Pick<App, "db">,
  accountId: string,
  wish: { orderId: string | null; after: string | null },
): Promise<{ orders: Order[]; next: string | null; detail: OrderDetail | null }> {
  const { db } = app;
  const orderId = wish.orderId ?? "";
  const [rows, found, lines, moments] = await db.batch([
    listOrders(db, accountId, readCursor(wish.after)),
    findOrder(db, orderId, accountId),
    listLines(db, orderId),
    listMoments(db, orderId),
  ]);
  const orders = rows.slice(0, pageSize).map(readOrder);
  const last = orders.at(-1);
  const [row] = found;
  return {
    orders,
    next: rows.length > pageSize && last ? `${last.createdAt}.${last.id}` : null,
    detail: row ? { order: readOrder(row), lines, moments } : null,
  };
}

function readCursor(text: string | null): { createdAt: number; id: string } | null {
  const parts = /^(\d{1,15})\.(ord_[a-z0-9]{1,40})$/.exec(text ?? "");
  return parts?.[2] ? { createdAt: Number(parts[1]), id: parts[2] } : null;
}
