import type { App } from "#app/context.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { contractWith } from "#app/domain/orders/browse-orders.server.ts";
import { offerWithdrawal } from "#app/domain/orders/contract-offer.rules.ts";
import { listContract } from "#app/domain/orders/contract.store.server.ts";
import { listLines, listMoments } from "#app/domain/orders/browse.store.server.ts";
import { findMeantOrder, readOrder } from "#app/domain/orders/store.server.ts";
import type { MeantOrder } from "#app/domain/orders/withdrawals.rules.ts";
import { listOwnWithdrawals } from "#app/domain/orders/personal-data.store.server.ts";

/** One order, whoever's: its lines, what happened to it and what was declared about it. Null: there is none. */
export async function showOrder(app: Pick<App, "db" | "clock" | "product">, meant: MeantOrder) {
  const { db } = app;
  const [found] = await findMeantOrder(db, meant);
  if (!found) return null;
  const { email, order: row } = found;
  const [lines, moments, withdrawals, around] = await db.batch([
    listLines(db, row.id, row.accountId),
    listMoments(db, row.id, row.accountId),
    listOwnWithdrawals(db, row.accountId),
    listContract(db, row.id),
  ]);
  const { checkoutUrl: _page, ...order } = readOrder(row);
  const contract = contractWith(app, row.id, around);
  const declared = withdrawals.find(({ orderId }) => contract.some(({ id }) => id === orderId));
  const own = withdrawals.filter(({ orderId }) => orderId === row.id).map(({ orderId: _order, ...facts }) => facts);
  // What a withdrawal would send back: refunding any one of its orders as a whole has the site refund the rest.
  const withdrawal = offerWithdrawal(contract, declared?.declaredAt ?? app.clock());
  return { number: orderNumber(order), email, ...order, lines, timeline: moments, withdrawals: own, withdrawal };
}
