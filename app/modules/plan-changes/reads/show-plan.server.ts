import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { runningSubscription, type Subscription } from "#app/modules/subscriptions/rules.ts";
import { findCustomer, listSubscriptions, readSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { listChargesOfPlan } from "#app/modules/orders/changes.queries.server.ts";
import { isOpen, type Order } from "#app/modules/orders/rules.ts";
import { readOrder } from "#app/modules/orders/queries.server.ts";

export type PlanStanding = {
  running: Subscription | null;
  /** The plan that ended last, where none runs. */
  ended: Subscription | null;
  creditMinor: number;
  /** What the running plan was charged for, newest first. */
  charges: Order[];
  /** The first renewal that isn't paid: it is collected before any other. */
  due: Order | null;
  /** What was chosen and isn't paid: a first payment, or a change. */
  open: Order | null;
};

/** All that the page of a plan shows, in one round trip. */
export async function showPlan({ db }: Pick<App, "db">, accountId: string): Promise<PlanStanding> {
  const { rows, customers, orders } = await batchNamed(db, {
    rows: listSubscriptions(db, accountId),
    customers: findCustomer(db, accountId),
    orders: listChargesOfPlan(db, accountId),
  });
  const subscriptions = rows.map(readSubscription);
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
