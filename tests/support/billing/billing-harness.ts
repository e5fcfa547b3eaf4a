import { idOf } from "#tests/support/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { Stripe } from "stripe";
import type { App, Billing } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { handleWebhook } from "#tests/support/billing/handle-webhook.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { priceAfterCredit, startCheckout } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, isTaxedByStripe, priceOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import { product } from "#app/product/config.ts";
import { small } from "./catalogue.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";
import { seedEmulator } from "./seed-emulator.ts";
import { referralTerms, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

const webhookSecret = "local-stripe-webhook-secret";
const emulatorHosts = ".emulator.test";

/** The SDK uses the global fetch: requests to an emulator's host are answered by that emulator, without a socket. */
const outside = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { hostname, pathname } = new URL(request.url);
  if (!hostname.endsWith(emulatorHosts)) return outside(request);
  // With a form's own content type the runtime warns of every body that is read as text; the pages read theirs as a
  // form.
  if (!/^\/(checkout|portal)\//.test(pathname)) request.headers.set("Content-Type", "text/plain");
  return env.STRIPE_ACCOUNT.getByName(hostname).fetch(request);
};

export type BillingHarness = Awaited<ReturnType<typeof openBillingHarness>>;
type Outcome = "paid" | "declined" | "action" | "processing" | "cancelled" | "expired";

let people = 0;

/** Children first. A new billing harness finds no order's number taken and no email queued. */
const money = [
  "withdrawals",
  "friend_discounts",
  "customer_hashes",
  "history_events",
  "documents",
  "order_lines",
  "orders",
  "cancellation_reasons",
  "subscriptions",
  "customers",
  "ledger_lines",
  "webhook_events",
  "job_cursors",
  "emails",
];

/**
 * A customer, a Stripe emulator of their own, and the site's commands on a real database: the provider's own answers
 * in any order, at any time. The emulator's events are only delivered by the test.
 */
export async function openBillingHarness(sold: ProductConfig = { ...product, referral: referralTerms }) {
  people += 1;
  await emptyTables(...money);
  const accountId: AccountId = `acc_buyer_${people}`;
  const origin = `http://${accountId.replaceAll("_", "-")}-${crypto.randomUUID().slice(0, 8)}${emulatorHosts}:8788`;
  const stripe = new Stripe("local-key", { ...sdkAddress(origin), httpClient: Stripe.createFetchHttpClient() });
  await seedEmulator(new URL(origin).hostname, sold, async () => {
    await setUpStripe({ stripe, product: sold, origin: env.PUBLIC_ORIGIN, log: () => undefined });
    // Events are delivered only by the test.
    for (const { id } of (await stripe.webhookEndpoints.list()).data) {
      await stripe.webhookEndpoints.update(id, { disabled: true });
    }
  });
  const reports: string[] = [];
  let ahead = 0;
  const app = testApp({
    product: sold,
    clock: () => Date.now() + ahead,
    gate: { kind: "none" },
    report: (error) => reports.push(error instanceof Error ? error.message : String(error)),
    payments: openPaymentProvider({
      key: "local-key",
      webhookSecrets: webhookSecret,
      apiBase: origin,
      automaticTax: isTaxedByStripe(sold),
      billingAddress: sold.billingAddress,
    }),
  });
  await env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?2, ?2, 'en', 'UTC', '', 0)`,
  )
    .bind(accountId, `${accountId}@example.com`)
    .run();
  const control = async (order: string, body: object) => {
    const response = await fetch(`${origin}/control/${order}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`control ${order}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const payments = app.payments;
  if (!payments) throw new Error("There is no provider");
  return {
    app,
    accountId,
    stripe,
    control,
    reports,
    payments,
    emulatorHost: new URL(origin).hostname,
    /** Advances the provider's clock and ours: what is due in between happens. */
    async pass(days: number) {
      const seconds = Math.round((days * dayMs) / secondMs);
      ahead += seconds * secondMs;
      await control("clock", { advanceDays: (seconds * secondMs) / dayMs });
    },
    async account() {
      const [account] = await findAccount(app.db, accountId);
      if (!account) throw new Error("There is no account");
      return account;
    },
    /** Begins a purchase; returns its order and checkout. */
    async choose(
      planId = small.id,
      interval: Interval = "month",
      own: App = app,
      reductions: { creditMinor: number } = { creditMinor: 0 },
    ) {
      const plan = findPlan(sold, planId);
      const price = plan && priceOf(sold, plan, interval);
      if (!price) throw new Error(`There is no plan ${planId}`);
      const { amountMinor, currency } = priceAfterCredit(price, reductions);
      const quoted = { amountMinor, currency, quotedAt: own.clock(), prorationAt: null };
      const input = { planId, interval, quote: await writeQuote(own.pepper, accountId, quoted), ...reductions };
      return startCheckout(own, await this.account(), input);
    },
    /** What a customer does on the hosted page. */
    async leaveCheckout(url: string, outcome: Outcome) {
      await control("checkout", { session: new URL(url).pathname.split("/").at(-1), outcome });
    },
    /** On one of the provider's pages: a card number typed at the checkout, a button in the portal. */
    async send(url: string, fields: Record<string, string>) {
      const answer = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
      if (answer.status >= 400) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      return answer.headers.get("Location") ?? "";
    },
    async buy(planId = small.id, interval: Interval = "month", outcome: Outcome = "paid") {
      const begun = await this.choose(planId, interval);
      if (!begun.ok) throw new Error(`No checkout: ${begun.refusal.reason}`);
      await this.leaveCheckout(begun.value.url, outcome);
      return begun.value.orderId;
    },
    reconcile: (own: App = app) => reconcileCustomer(own, accountId),
    /** The card that is charged from now on, by Stripe's name for it: `pm_card_chargeCustomerFail`. */
    async useCard(name: string) {
      const customer = await this.customerId();
      const { id } = await stripe.paymentMethods.attach(name, { customer });
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
      for (const subscription of (await stripe.subscriptions.list({ customer })).data) {
        await stripe.subscriptions.update(subscription.id, { default_payment_method: "" });
      }
    },
    async customerId() {
      const row = await env.DB.prepare("select provider_id as id from customers where account_id = ?")
        .bind(accountId)
        .first<{ id: string }>();
      return row?.id ?? "";
    },
    /** All that the provider says now, to be repeated at any time. */
    async record(): Promise<Billing> {
      const fetched = await payments.withOwnDeadline().fetchBilling(idOf("cus", await this.customerId()));
      if (!fetched.ok) throw new Error(fetched.refusal.reason);
      return fetched.value;
    },
    /** The provider's events so far, oldest first. */
    async events() {
      const events: Stripe.Event[] = [];
      for await (const event of stripe.events.list({ limit: 100 })) events.unshift(event);
      return events;
    },
    async hear(event: Stripe.Event, own: App = app) {
      const payload = JSON.stringify(event);
      const cryptoProvider = Stripe.createSubtleCryptoProvider();
      const input = { payload, secret: webhookSecret, cryptoProvider };
      return handleWebhook(own, payload, await stripe.webhooks.generateTestHeaderStringAsync(input));
    },
    /** All billing rows of this customer, and the emails about them. */
    rows: () => rowsOf(accountId),
  };
}

function sdkAddress(origin: string) {
  const { hostname, port } = new URL(origin);
  return { host: hostname, port: Number(port), protocol: "http", telemetry: false, maxNetworkRetries: 0 } as const;
}

export type Row = Record<string, string | number | null>;
export type Photograph = [table: string, rows: Row[]][];

/** All billing rows, to be restored: the same past for another future. */
export async function photograph(): Promise<Photograph> {
  const answers = await env.DB.batch<Row>(money.map((table) => env.DB.prepare(`select * from ${table}`)));
  return money.map((table, index) => [table, answers[index]?.results ?? []]);
}

export async function putBack(taken: Photograph): Promise<void> {
  const parentsFirst = taken.toReversed().flatMap(([table, rows]) =>
    rows.map((row) => {
      const names = Object.keys(row);
      const placeholders = names.map(() => "?").join(", ");
      return env.DB.prepare(`insert into ${table} (${names.join(", ")}) values (${placeholders})`).bind(
        ...Object.values(row),
      );
    }),
  );
  await emptyTables(...money);
  await env.DB.batch(parentsFirst);
}

async function rowsOf(accountId: AccountId) {
  const own = "(select id from orders where account_id = ?1)";
  const questions = {
    customers: "select * from customers where account_id = ?1",
    subscriptions: "select * from subscriptions where account_id = ?1 order by started_at, id",
    orders: "select * from orders where account_id = ?1 order by number_year, number_in_year, created_at, id",
    lines: `select * from order_lines where order_id in ${own} order by order_id, position`,
    documents: `select * from documents where order_id in ${own} order by order_id, kind = 'credit-note', number_year, number_in_year`,
    historyEvents: `select * from history_events where order_id in ${own} order by order_id, what, occurrence`,
    events: "select * from webhook_events order by received_at, id",
    emails: "select id, template, state from emails order by template, id",
  };
  const answers = await env.DB.batch<Row>(
    Object.values(questions).map((question) =>
      question.includes("?1") ? env.DB.prepare(question).bind(accountId) : env.DB.prepare(question),
    ),
  );
  const entries = Object.keys(questions).map((name, index) => [name, answers[index]?.results ?? []] as const);
  // The keys are those above.
  return Object.fromEntries(entries) as Record<keyof typeof questions, Row[]>;
}
