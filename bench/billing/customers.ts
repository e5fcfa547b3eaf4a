import { randomUUID } from "node:crypto";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import type { Site } from "#tests/support/site/site.ts";

/** The local secret with which the site verifies Stripe's events. */
const secret = "local-stripe-webhook-secret";

/** Disables the Stripe emulator's webhook endpoints, so that months can pass without any event being delivered. */
export async function silenceEvents({ stripe }: Site): Promise<void> {
  const endpoints = await stripe?.sdk.webhookEndpoints.list();
  for (const { id } of endpoints?.data ?? []) await stripe?.sdk.webhookEndpoints.update(id, { disabled: true });
}

/** Creates accounts with an active monthly plan. Returns their Stripe customers' ids. */
export async function addCustomers(site: Site, name: string, count: number): Promise<string[]> {
  const { stripe } = site;
  if (!stripe) throw new Error("There is no Stripe emulator");
  const [price] = (await stripe.sdk.prices.list({ lookup_keys: [priceKey(small.id, "month")] })).data;
  const db = await site.database();
  const customers: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const email = `${name}-${nth}@example.com`;
    const { id: customer } = await stripe.sdk.customers.create({ email });
    const card = await stripe.sdk.paymentMethods.attach("pm_card_visa", { customer });
    await stripe.sdk.subscriptions.create({
      customer,
      items: [{ price: price?.id ?? "" }],
      default_payment_method: card.id,
    });
    await db.batch([
      db
        .prepare(
          `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
           values (?1, 'active', ?2, ?2, 'en', 'UTC', '1', 0)`,
        )
        .bind(`acc_${name}_${nth}`, email),
      db
        .prepare("insert into customers (account_id, provider_id, created_at) values (?, ?, 0)")
        .bind(`acc_${name}_${nth}`, customer),
    ]);
    customers.push(customer);
  }
  return customers;
}

/** Advances Stripe's clock by months: every customer existing by then gets one more invoice for each. */
export async function passMonths({ stripe }: Site, months: number): Promise<void> {
  for (let left = months; left > 0; left -= 12) {
    await stripe?.control("clock", { advanceDays: Math.ceil(Math.min(left, 12) * 30.44) });
  }
}

/** An event about a customer that the site hasn't received yet. */
export function eventOf(customer: string): string {
  const object = { id: "sub_bench", object: "subscription", customer };
  return JSON.stringify({
    id: `evt_${randomUUID().replaceAll("-", "")}`,
    object: "event",
    created: Math.floor(Date.now() / 1000),
    type: "customer.subscription.updated",
    data: { object },
  });
}

/** Delivers an event. Returns the milliseconds until the site has handled it. */
export async function deliver(site: Site, payload: string): Promise<number> {
  const signature = site.stripe?.sdk.webhooks.generateTestHeaderString({ payload, secret }) ?? "";
  const startedAt = performance.now();
  const answer = await site.fetch("/webhooks/stripe", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  if (answer.status !== 204) throw new Error(`An event was answered with ${answer.status}`);
  return performance.now() - startedAt;
}
