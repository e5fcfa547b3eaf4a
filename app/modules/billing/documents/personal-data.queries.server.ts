import type { AccountId } from "#app/core/id.ts";
import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { buyerKeptYears } from "./rules.ts";
import { documents } from "./schema.ts";

export { listDocumentsOfAccount as listOwnDocuments } from "./queries.server.ts";

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

/** As the trigger `documents_buyer_erased` demands. */
const keptBuyer = sql`json_object('name', null, 'address', json_array(), 'country', json_extract(buyer, '$.country'),
  'vatIds', iif(exists (select 1 from json_each(taxes) where value ->> '$.isReverseCharge'),
    json(json_extract(buyer, '$.vatIds')), json_array()), 'paidBy', null)`;

const keptUntil = sql`unixepoch(printf('%04d-01-02', number_year + ${buyerKeptYears + 1})) * 1000`;

/**
 * Documents stay with their numbers, amounts and dates. Of the buyer, only the country stays, and the VAT ids of a reverse charge, for as
 * long as `buyerKeptYears` says.
 */
export function eraseDocuments(db: Database, accountId: AccountId, guard: SQL) {
  return statement(
    db,
    sql`
    update ${documents} set buyer = ${keptBuyer}, buyer_kept_until = ${keptUntil}
    where order_id in (select id from ${orders} where account_id = ${accountId}) and ${guard}`,
  );
}
