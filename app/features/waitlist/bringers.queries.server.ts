import { type SQL, sql } from "drizzle-orm";
import type { Bringers } from "#app/app.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { countedStates } from "./queue.rules.ts";
import { entries } from "./schema.ts";

/** A friend's link on the waitlist brings an address before it has an account. */
export const bringers: Bringers = {
  requestsOf: (product, address) => sql`
    select asked.id, asked.created_at as at,
      (select email_canonical from ${entries} friend where friend.id = asked.referrer_entry_id) as brought_by
    from ${entries} asked
    where asked.gate in ${gatesOf(product)} and asked.email_canonical = ${address} and asked.state in ${countedStates}`,
  broughtBy: (product, address): SQL => sql`
    select brought.email_canonical as address, brought.created_at as at
    from ${entries} own join ${entries} brought on brought.referrer_entry_id = own.id and brought.state in ${countedStates}
    where own.gate in ${gatesOf(product)} and own.email_canonical = ${address}`,
};

/** Every gate that may have a waitlist. */
function gatesOf({ plans }: ProductConfig): string[] {
  return ["signup", ...plans.map(({ id }) => `plan:${id}`)];
}
