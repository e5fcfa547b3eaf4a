import { paymentMessages } from "#app/routes/payment/messages.ts";
import { orderStateMessages } from "#app/routes/settings/orders/messages.ts";
import { unconfirmedMessages } from "#app/routes/settings/messages.ts";
import { offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

export const planPath = pages.plan;

/** However a page says that Stripe hasn't confirmed a payment so far. */
export const beingConfirmed = new RegExp(
  [
    unconfirmedMessages.en.title,
    unconfirmedMessages.en.titleFor(gap),
    unconfirmedMessages.en.titleOf(gap),
    paymentMessages.en.unconfirmed.title,
    orderStateMessages.en.unconfirmed,
    offerRefusalMessages.en.refusals["payment-unconfirmed"],
  ]
    .map((message) => fillGaps(message).source)
    .join("|"),
);

/** The confirmation of a choice, as its button on the page of plans leads there. */
export async function choose(visitor: Visitor, plan: string, interval = "month"): Promise<Visitor> {
  return visitor.post({ plan, interval, intent: "quote" }, "/settings/upgrade");
}

/** The fields of a confirmation's form. */
export function confirmation(visitor: Visitor): Record<string, string> {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(visitor.html)?.[1] ?? "";
  return { plan: value("plan"), interval: value("interval"), quote: value("quote"), intent: "confirm" };
}

/** The amount that a confirmation quotes, in minor units, and the time that it was calculated for. */
export function quoted(visitor: Visitor): { amountMinor: number; prorationAt: number } {
  const [amountMinor, , , prorationAt] = (confirmation(visitor).quote ?? "").split(".");
  return { amountMinor: Number(amountMinor), prorationAt: Number(prorationAt) };
}

/** Simultaneous requests with the same cookies: clicks, tabs, retries. */
export async function atOnce(
  site: Site,
  visitor: Visitor,
  bodies: Record<string, string>[],
  path = "/settings/upgrade",
) {
  const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { Origin: site.origin, Cookie, "Content-Type": "application/x-www-form-urlencoded" };
  return Promise.all(
    bodies.map((fields) => site.fetch(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() })),
  );
}

/** The customer behind an address, at the provider. */
export async function customerOf(site: Site, address: string): Promise<string> {
  const found = await site.stripe?.sdk.customers.list({ email: address });
  return found?.data[0]?.id ?? "nobody";
}

/** An account's invoices at the provider, newest first. */
export async function invoicesOf(site: Site, address: string) {
  const customer = await customerOf(site, address);
  return (await site.stripe?.sdk.invoices.list({ customer, limit: 100 }))?.data ?? [];
}

/** An account's orders, oldest first. */
export async function ordersOf(site: Site, address: string) {
  const database = await site.database();
  const { results } = await database
    .prepare(
      `select o.id, o.kind, o.state, o.plan_id as planId, o.interval, o.amount_minor as amountMinor,
         o.credit_minor as creditMinor, o.number_in_year as number, o.failure, o.attempts
       from orders o join accounts a on a.id = o.account_id where a.email_canonical = ? order by o.created_at, o.rowid`,
    )
    .bind(address)
    .all<{
      id: string;
      kind: string;
      state: string;
      planId: string;
      interval: string;
      amountMinor: number;
      creditMinor: number;
      number: number | null;
      failure: string | null;
      attempts: number;
    }>();
  return results;
}

/** The running plan at the provider. */
export async function subscriptionOf(site: Site, address: string) {
  const customer = await customerOf(site, address);
  const found = await site.stripe?.sdk.subscriptions.list({ customer });
  const [subscription] = found?.data ?? [];
  const [item] = subscription?.items.data ?? [];
  if (!subscription || !item) throw new Error(`${address} has no running plan`);
  return { ...subscription, item, priceKey: item.price.lookup_key };
}

/** So that what one test leaves behind isn't renewed in the next one. */
export async function endAllPlans(site: Site): Promise<void> {
  const found = await site.stripe?.sdk.subscriptions.list({ limit: 100 });
  for (const { id, status } of found?.data ?? []) {
    if (status !== "incomplete_expired") await site.stripe?.sdk.subscriptions.cancel(id);
  }
}

/** The provider's current time, in seconds. */
export async function providerNow(site: Site): Promise<number> {
  const clock = await fetch(`${site.stripe?.origin}/control/clock`, { method: "POST", body: '{"advanceDays":0}' });
  const { now } = (await clock.json()) as { now: number };
  return now;
}

/** Sets the site's clock to the provider's time this many days from now. */
export async function keepPace(site: Site, aheadDays = 0): Promise<void> {
  await site.setClock((await providerNow(site)) / 86_400 - Date.now() / 86_400_000 + aheadDays);
}

/** Advances the provider's time: what is due happens in order, and its events arrive. */
export async function advance(site: Site, days: number): Promise<string[]> {
  const clock = await site.stripe?.control("clock", { advanceDays: days });
  return clock?.events.map(({ type }) => type) ?? [];
}

/** From the end of a period until its renewal has been charged: it stays a draft for an hour. */
const draftDays = 0.1;

/**
 * Advances the provider's time until the running plan of an address has just been renewed: 28 to 31 days after a monthly one began. A
 * fixed number of days would, after a shorter month, reach Stripe's next attempt as well.
 */
export async function advanceToRenewal(site: Site, address: string): Promise<void> {
  const { item } = await subscriptionOf(site, address);
  await advance(site, (item.current_period_end - (await providerNow(site))) / 86_400 + draftDays);
}
