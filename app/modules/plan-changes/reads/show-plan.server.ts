import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { runningSubscription, type Subscription } from "#app/modules/subscriptions/rules.ts";
import { findCustomer, listSubscriptions } from "#app/modules/subscriptions/queries.server.ts";
import { listChargesOfPlan } from "#app/modules/orders/changes.queries.server.ts";
import { isOpen, type Order } from "#app/modules/orders/rules.ts";
import { readOrder } from "#app/modules/orders/queries.server.ts";

export type ShownPlan = {
  running: Subscription | null;
  /** The last plan that ended, if none is running. */
  ended: Subscription | null;
  creditMinor: number;
  /** The running plan's charges, newest first. */
  charges: Order[];
  /** The first unpaid renewal, which is collected before any other. */
  due: Order | null;
  /** A chosen and unpaid order: a first payment or a change. */
  open: Order | null;
};

/** Everything the page of a plan shows, in one round trip. */
export async function showPlan({ db }: Pick<App, "db">, accountId: AccountId): Promise<ShownPlan> {
  const { subscriptions, customers, orders } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, accountId),
    customers: findCustomer(db, accountId),
    orders: listChargesOfPlan(db, accountId),
  });
  const running = runningSubscription(subscriptions);
  const charges = orders.map(readOrder);
  const open = charges.filter(({ state }) => isOpen(state));
  return {
    running,
    ended: running ? null : (subscriptions.find(({ state }) => state === "ended") ?? null),
    creditMinor: customers[0]?.creditMinor ?? 0,
    charges,
    due: open.findLast(({ kind }) => kind === "renewal") ?? null,
    open: open.find(({ kind }) => kind !== "renewal") ?? null,
  };
}
