/** The order that a withdrawal is about. */
import type { AccountId, OrderId } from "#app/core/id.ts";
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import type { MeantOrder } from "#app/modules/billing/orders/rules.ts";

export type Meaning = {
  /** The canonical address, which identifies the account. */
  email: string;
  meant: MeantOrder | null;
  /** The signed-in account. Null if the declarer is signed out. */
  accountId: AccountId | null;
};

export const meantOrder = sql`${orders} meant join ${accounts} owner on owner.id = meant.account_id`;

/** Whether the order belongs to the address's account or to the signed-in one. */
export function isOfDeclarer({ meant, email, accountId }: Meaning): SQL {
  return sql`${isMeant(meant)} and (owner.email_canonical = ${email} or owner.id = ${accountId})`;
}

export function isMeant(meant: MeantOrder | null): SQL {
  if (meant && "id" in meant) return sql`meant.id = ${meant.id}`;
  return sql`meant.number_year = ${meant?.year ?? 0} and meant.number_in_year = ${meant?.inYear ?? 0}`;
}

/** No row if there is no such order. */
export function findDeclaredOrder(db: Database, meaning: Meaning) {
  return db
    .select({ id: sql<OrderId>`meant.id`, isOfAddress: sql<number>`owner.email_canonical = ${meaning.email}` })
    .from(meantOrder)
    .where(isOfDeclarer(meaning));
}
