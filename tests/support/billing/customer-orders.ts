import type { Site } from "#tests/support/site/site.ts";

export type OrderRow = { id: string; kind: string; state: string; number: string | null; customer: string };

/** Orders of an account, oldest first, with the customer that the payment provider has for it. */
export async function ordersOfCustomer(site: Site, address: string): Promise<OrderRow[]> {
  const { results } = await (
    await site.database()
  )
    .prepare(
      `select o.id, o.kind, o.state, c.provider_id as customer,
         o.number_year || '-' || substr('000000' || o.number_in_year, -6) as number
       from orders o join accounts a on a.id = o.account_id left join customers c on c.account_id = a.id
       where a.email_canonical = ? order by o.created_at, o.id`,
    )
    .bind(address)
    .all<OrderRow>();
  return results;
}
