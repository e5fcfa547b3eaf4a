import type { App } from "#app/context.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { listLines, listMoments } from "#app/domain/orders/browse.store.server.ts";
import { findMeantOrder, readOrder } from "#app/domain/orders/store.server.ts";
import type { MeantOrder } from "#app/domain/orders/withdrawals.rules.ts";
import { listOwnWithdrawals } from "#app/domain/orders/personal-data.store.server.ts";

/** One order, whoever's: its lines, what happened to it and what was declared about it. Null: there is none. */
export async function showOrder({ db }: Pick<App, "db">, meant: MeantOrder) {
  const [found] = await findMeantOrder(db, meant);
  if (!found) return null;
  const { email, order: row } = found;
  const [lines, moments, withdrawals] = await db.batch([
    listLines(db, row.id, row.accountId),
    listMoments(db, row.id, row.accountId),
    listOwnWithdrawals(db, row.accountId),
  ]);
  const { checkoutUrl: _page, ...order } = readOrder(row);
  const own = withdrawals.filter(({ orderId }) => orderId === row.id).map(({ orderId: _order, ...facts }) => facts);
  return { number: orderNumber(order), email, ...order, lines, timeline: moments, withdrawals: own };
}
