import { and, eq, gt, inArray, lt, min, ne, or } from "drizzle-orm";
import Stripe from "stripe";
import type { App } from "#app/app.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import type { AccountId } from "#app/core/id.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { afterPayment } from "#app/workflows/after-payment.ts";
import { done, type Result } from "#app/core/result.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { handleEvents } from "#app/modules/billing/sync/commands/handle-events.server.ts";
import { fetchMissedEvents } from "#app/modules/billing/sync/commands/fetch-missed-events.server.ts";
import { leaseEvents } from "#app/modules/billing/sync/inbox.queries.server.ts";
import { listDueSubjects } from "#app/modules/billing/sync/everyone.queries.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { emailNames, emailTexts } from "#app/emails.ts";
import { hooks } from "#app/features.server.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { isTaxedByStripe, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import type { OutgoingEmail } from "#app/integrations/email/email-transport.ts";
import { product } from "#app/product/config.ts";
import { runCronJobs } from "#workers/cron.ts";
import { setUpCatalogue } from "../stripe/catalogue.ts";
import { setUpPortal } from "../stripe/portal.ts";

type Settings = {
  origin: string;
  stripe: string;
  key: string;
  pepper: string;
  emailSender: string;
  entitlementSecret: string;
};
type Payments = NonNullable<App["payments"]>;

/** The configured gate applies only this close to the present, since the demo's people arrived before it was closed. */
const gateShutMs = 30 * dayMs;

/** Number of accounts that are synced concurrently. */
const sideBySide = 4;

/**
 * The environment of the demo's history: the site's own commands on its own database, and the Stripe emulator, under one clock that starts
 * long ago and ends at the present. Events at Stripe reach the site without webhooks, through the list of events, as after an outage.
 */
export class DemoSite {
  /** When the demo ends: events count back from here. */
  readonly presentAt = Date.now();
  readonly stripe: Stripe;
  /** Emails sent since the last check. Months of old email are discarded rather than delivered. */
  readonly emails: OutgoingEmail[] = [];
  /** What the site would have sent to error reporting. It includes disputes. */
  readonly reports: string[] = [];
  readonly #settings: Settings;
  readonly #product: ProductConfig;
  readonly #base: App & { payments: Payments };
  #later: Promise<unknown>[] = [];
  #behindMs = 0;

  constructor(binding: D1Database, settings: Settings, sold: ProductConfig = product) {
    this.#settings = settings;
    this.#product = sold;
    const { hostname, port } = new URL(settings.stripe);
    this.stripe = new Stripe(settings.key, { host: hostname, port: Number(port), protocol: "http", telemetry: false });
    this.#base = this.#deps(binding);
  }

  /** The site's `App` at this time of the demo, with a separate deadline for Stripe. */
  get app(): App & { payments: Payments } {
    const gate = this.presentAt - this.now() > gateShutMs ? this.#base.gate : readGate(this.#product, undefined);
    return { ...this.#base, gate, payments: this.#base.payments.withOwnDeadline() };
  }

  now(): number {
    return Date.now() - this.#behindMs;
  }

  /** Starts the empty account this long ago, with the catalogue from the first day. The webhook is added at the present. */
  async begin(behindMs: number): Promise<void> {
    await this.control("clock", { startDaysAgo: behindMs / dayMs });
    this.#behindMs = behindMs;
    const setUp = { stripe: this.stripe, log: () => undefined };
    await setUpCatalogue(setUp, this.#product);
    await setUpPortal(setUp, this.#product, this.#settings.origin);
  }

  /** Passes time until then, but never beyond the present. Timers that come due fire, and the site processes them. */
  async passTo(at: number): Promise<void> {
    const seconds = Math.floor((Math.min(at, Date.now()) - this.now()) / secondMs);
    if (seconds > 0) await this.#pass(seconds * secondMs);
  }

  async passToPresent(): Promise<void> {
    await this.#pass(this.#behindMs);
    await this.listen();
    await this.sweep();
  }

  async #pass(ms: number): Promise<void> {
    await this.control("clock", { advanceDays: ms / dayMs });
    this.#behindMs -= ms;
  }

  /** When something next happens at Stripe: a period known to the site ends, or, once a day, an open payment may have changed. */
  async nextChangeAt(): Promise<number | null> {
    const { app } = this;
    const [[next], open] = await Promise.all([
      app.db
        .select({ at: min(subscriptions.periodEndsAt) })
        .from(subscriptions)
        .where(and(ne(subscriptions.state, "ended"), gt(subscriptions.periodEndsAt, this.now()))),
      this.#accountsWithOpenPayment(),
    ]);
    const renewalAt = next?.at ?? null;
    return open.length === 0 ? renewalAt : Math.min(renewalAt ?? Infinity, this.now() + dayMs);
  }

  /** Syncs every customer whose plan period has ended since the last sync, or whose payment is open, and what follows from it. */
  async catchUp(): Promise<void> {
    const { accountId, state, periodEndsAt } = subscriptions;
    const isDue = and(ne(state, "ended"), lt(periodEndsAt, this.now()));
    const ended = await this.app.db.select({ accountId }).from(subscriptions).where(isDue);
    const due = [...new Set([...ended, ...(await this.#accountsWithOpenPayment())].map((row) => row.accountId))];
    for (let next = 0; next < due.length; next += sideBySide) {
      await Promise.all(due.slice(next, next + sideBySide).map((id) => this.look(id)));
    }
    await this.settled();
  }

  /** Does what loading an account's pages does after a payment. */
  async look(accountId: AccountId): Promise<void> {
    must(await reconcileCustomer(this.app, accountId));
    await afterPayment(this.app, accountId);
  }

  #accountsWithOpenPayment() {
    return this.app.db
      .select({ accountId: orders.accountId })
      .from(orders)
      .where(
        or(
          eq(orders.state, "processing"),
          // Stripe retries those of an active plan.
          and(inArray(orders.state, ["failed", "needs-action"]), ne(orders.kind, "new-plan")),
        ),
      );
  }

  /** Processes Stripe's events until there are no new ones. */
  async listen(): Promise<void> {
    must(await fetchMissedEvents(this.app));
    for (;;) {
      const due = await listDueSubjects(this.app.db, this.now(), 100);
      if (due.length === 0) return;
      for (let next = 0; next < due.length; next += sideBySide) {
        await Promise.all(due.slice(next, next + sideBySide).map((subject) => this.#hear(subject)));
      }
      await this.settled();
    }
  }

  async #hear(subject: Parameters<typeof handleEvents>[1]): Promise<void> {
    const { app } = this;
    must(await handleEvents(app, subject, await leaseEvents(app.db, subject, 1, app.clock())));
  }

  async sweep(): Promise<void> {
    await runCronJobs(this.app);
    await this.settled();
  }

  /** Runs what commands deferred until after their response. */
  async settled(): Promise<void> {
    while (this.#later.length > 0) {
      const work = this.#later;
      this.#later = [];
      await Promise.all(work);
    }
  }

  async control(order: string, body: object): Promise<void> {
    const answer = await fetch(`${this.#settings.stripe}/control/${order}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!answer.ok)
      throw new Error(`control ${order} ${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`);
    await answer.body?.cancel();
  }

  #deps(binding: D1Database): App & { payments: Payments } {
    const { origin, key, pepper, emailSender, stripe, entitlementSecret } = this.#settings;
    const db = openDatabase(binding);
    return {
      product: this.#product,
      hooks,
      emailTexts,
      emailNames,
      gate: { kind: "none" },
      stripeDashboard: null,
      origin,
      db,
      openReplica: () => db,
      network: "192.0.2.0/24",
      visits: { read: async () => ({ referral: null, signedInBy: null }), remember: async () => "" },
      email: {
        send: async (email) => {
          this.emails.push(email);
          return done({ serviceId: null });
        },
      },
      emailService: "cloudflare",
      returns: null,
      emailSender,
      payments: openPaymentProvider({
        key,
        webhookSecrets: "",
        apiBase: stripe,
        automaticTax: isTaxedByStripe(this.#product),
        billingAddress: this.#product.billingAddress,
      }),
      clock: () => this.now(),
      wallClock: Date.now,
      random: (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount)),
      pepper,
      operatorToken: null,
      weakSecrets: () => [],
      entitlementSecret,
      later: (work) => this.#later.push(work),
      // The demo's people don't wait, since nothing else happens in the meantime.
      pause: async () => undefined,
      report: (error) => this.reports.push(error instanceof Error ? error.message : String(error)),
      rateLimitOfForms: { limit: async () => ({ success: true }) },
      rateLimitOfApi: { limit: async () => ({ success: true }) },
      nonce: "",
      referenceId: "",
      route: { pattern: "demo" },
      embeds: [],
      challenge: null,
      diagnostics: null,
      isLocal: true,
      mailbox: null,
      isUnderMaintenance: false,
      isTestMode: false,
      isProduction: false,
      trips: { toDatabase: 0, inARow: 0 },
      isMigrated: async () => true,
    };
  }
}

/** The demo is scripted: any refusal is a mistake in the script. */
export function must<Value>(result: Result<Value, { reason: string }>): Value {
  if (result.ok) return result.value;
  throw new Error(`Refused: ${JSON.stringify(result.refusal)}`);
}
