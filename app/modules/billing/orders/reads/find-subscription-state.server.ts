import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { listUnsoldPrices, readUnsoldPrices } from "#app/modules/catalogue/unsold-prices.queries.server.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { findOpenChoice, findUnconfirmed, readOrder } from "../queries.server.ts";
import type { Order } from "../rules.ts";
import { isUnderWay } from "../states.rules.ts";

/** The running plan, the order whose payment is processing or unconfirmed, and the lookup keys of the prices that aren't on sale. */
export async function findSubscriptionState(
  { db }: Pick<App, "db">,
  accountId: AccountId,
): Promise<{ running: Subscription | null; underWay: Order | null; unsold: ReadonlySet<string> }> {
  const { subscriptions, unconfirmed, choices, unsold } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, accountId),
    unconfirmed: findUnconfirmed(db, accountId),
    choices: findOpenChoice(db, accountId),
    unsold: listUnsoldPrices(db),
  });
  const orders = [...unconfirmed, ...choices].map(readOrder);
  return {
    running: runningSubscription(subscriptions),
    underWay: orders.find(isUnderWay) ?? null,
    unsold: readUnsoldPrices(unsold),
  };
}
