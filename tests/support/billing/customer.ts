import { small } from "./catalogue.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { checkoutFields } from "./checkout-fields.ts";

/** What a sign-up needs of a site: its pages and its email. */
type Open = Pick<Site, "visitor" | "codeTo">;

/** An account that signed up for a plan, on its confirmation page. */
export async function signUp(
  site: Open,
  address: string,
  query = `?plan=${small.id}&interval=month`,
): Promise<Visitor> {
  const visitor = await site.visitor().open(`/signup${query}`);
  await visitor.press("Send me a code", { email: address, terms: "on" });
  return visitor.press("Confirm", { code: await site.codeTo(address) });
}

/** A customer who pays for the cheapest plan with a card on the hosted page, and comes back. */
export async function buySmall(site: Open, address: string, card = "4242424242424242"): Promise<Visitor> {
  const visitor = await signUp(site, address);
  await visitor.press(`Start ${small.name}`);
  const paid = await fetch(visitor.url, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(checkoutFields(card)),
  });
  return visitor.open(paid.headers.get("Location") ?? "/payment/success");
}

export type OrderRow = { id: string; kind: string; state: string; number: string | null; customer: string };

/** Orders of an account, oldest first, with the customer that the payment provider has for it. */
export async function ordersOf(site: Site, address: string): Promise<OrderRow[]> {
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
