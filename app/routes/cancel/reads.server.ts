import { type AccountId, readId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { declarationShownMs } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { findDeclaration, findNewestPaidOrder } from "#app/modules/billing/cancellations/queries.server.ts";
import { findDeclaredEnd } from "#app/modules/billing/changes/declared-ends.queries.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";

/** The declaration that this browser sent, by its cookie. Null once that has expired. */
export async function findDeclared({ db, clock }: Pick<App, "db" | "clock">, cookie: string | null) {
  const id = readId("ccl", cookie);
  const [found] = id ? await findDeclaration(db, id, clock() - declarationShownMs) : [];
  return found ?? null;
}

/** What only a signed-in user sees: their newest order by its number, and a cancellation that isn't carried out yet. */
export async function readOwn({ db }: Pick<App, "db">, accountId: AccountId) {
  const { orders, open } = await batchNamed(db, {
    orders: findNewestPaidOrder(db, accountId),
    open: findDeclaredEnd(db, accountId),
  });
  return { order: orders[0] ? orderNumber(orders[0]) : null, waiting: open[0] ?? null };
}
